"""Starts the server process: its command line, logging, and connection."""

from __future__ import annotations

import contextlib
import gc
import ipaddress
import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from pollard import __version__
from pollard.errors import PollardError
from pollard_server import SERVER_NAME

if TYPE_CHECKING:
    from pollard_server.features import Features
    from pollard_server.protocol.pygls_server import PollardServer

logger = logging.getLogger(__name__)


class StartError(PollardError):
    """The server cannot be started with the given options."""


def create_server() -> tuple[PollardServer, Features]:
    """Return the server with all its handlers, not connected yet."""
    from pollard_server.features import Features  # noqa: PLC0415 (not for --help)
    from pollard_server.protocol.pygls_server import PollardServer  # noqa: PLC0415

    server = PollardServer(SERVER_NAME, __version__)
    features = Features(server)
    features.register()
    return server, features


def run(tcp: str | None, log_file: Path | None, *, stdio: bool = False) -> None:
    """Serve one client until it leaves: over standard input and output, or TCP on `HOST:PORT`.

    Many clients ask for `stdio`, as the specification of LSP advises, which is the default anyway.
    Raises `pollard.errors.PollardError` for an address or a log file that cannot be used. Exits
    with status 1 if the client leaves without the `shutdown` request, as LSP requires. No oracle is
    left running.
    """
    from pollard_server.lifetime import cleanup_at_exit  # noqa: PLC0415 (not for --help)

    if stdio and tcp is not None:
        raise StartError("--stdio and --tcp exclude each other.")
    address = None if tcp is None else parse_address(tcp)
    _start_logging(log_file)
    gc.disable()  # loading modules makes many objects and hardly any garbage
    server, features = create_server()
    gc.freeze()  # a full collection would traverse all loaded modules and delay the event loop
    gc.enable()
    with cleanup_at_exit(features.abandon):
        _serve(server, address)
    if not features.was_shut_down:
        sys.exit(1)


@click.command(name=SERVER_NAME)
@click.version_option(__version__, prog_name=SERVER_NAME)
@click.option(
    "--stdio", is_flag=True, help="Serve over standard input and output, as without any option."
)
@click.option(
    "--tcp",
    metavar="HOST:PORT",
    help="Serve one TCP client instead of standard input and output; HOST must be this machine.",
)
@click.option(
    "--log-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append the log to FILE, besides standard error.",
    metavar="FILE",
)
def main(stdio: bool, tcp: str | None, log_file: Path | None) -> None:
    """Run Pollard's language server, for an editor to talk to."""
    try:
        run(tcp, log_file, stdio=stdio)
    except PollardError as error:
        raise click.UsageError(str(error)) from error


def _start_logging(log_file: Path | None) -> None:
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if log_file is not None:
        try:
            handlers.append(logging.FileHandler(log_file, encoding="utf-8"))
        except OSError as error:
            reason = error.strerror or "unknown reason"
            raise StartError(
                f"The log file {log_file} cannot be written ({reason}); choose another --log-file."
            ) from error
    line_format = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=logging.INFO, handlers=handlers, format=line_format, force=True)
    # Below this level pygls logs whole messages, which contain the user's files.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    from pollard_server.protocol.incoming import shorten  # noqa: PLC0415 (not for --help)

    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_worth_logging)
    logging.getLogger("pygls.server").setLevel(logging.INFO)
    for name in ("pygls.protocol.json_rpc", "pygls.server"):
        logging.getLogger(name).addFilter(shorten)


def _is_worth_logging(record: logging.LogRecord) -> bool:
    """Return False for a refused request, which is not an error of the server."""
    from pygls.exceptions import JsonRpcInvalidParams  # noqa: PLC0415 (not for --help)

    from pollard_server.protocol.pygls_server import RequestFailed  # noqa: PLC0415

    error_class = record.exc_info[0] if record.exc_info else None
    return error_class is None or not issubclass(error_class, (RequestFailed, JsonRpcInvalidParams))


def _serve(server: PollardServer, address: Address | None) -> None:
    if address is not None:
        _serve_tcp(server, address)
        return
    from pollard_server.lifetime import Outbox  # noqa: PLC0415 (not for --help)
    from pollard_server.protocol.incoming import Inbox  # noqa: PLC0415

    inbox = cast("BinaryIO", Inbox(sys.stdin.buffer))
    # A stray print would otherwise land between two messages and end the session.
    with Outbox(sys.stdout.buffer) as outbox, contextlib.redirect_stdout(sys.stderr):
        server.start_io(stdin=inbox, stdout=cast("BinaryIO", outbox))


def _serve_tcp(server: PollardServer, address: Address) -> None:
    try:
        server.start_tcp(address.host, address.port)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise StartError(
            f"The server cannot listen on {address} ({reason}); choose another port."
        ) from error


_LAST_PORT = 65535


class AddressError(PollardError):
    """The text given for `--tcp` is not a `HOST:PORT` on this machine."""


@dataclass(frozen=True, slots=True)
class Address:
    """A loopback IP address and a TCP port; with port 0 the system chooses a free one."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def parse_address(text: str) -> Address:
    """Read `HOST:PORT`, with an IPv6 host in brackets. Raises `AddressError`.

    Only this machine's own addresses are allowed, because the server runs commands for its client.
    `localhost` means 127.0.0.1; no other name is looked up, so that the result does not depend on a
    name service.
    """
    host, colon, port = text.rpartition(":")
    if not colon or not host or not (port.isascii() and port.isdigit()) or int(port) > _LAST_PORT:
        raise AddressError(f"--tcp needs HOST:PORT, such as 127.0.0.1:8765, not {text!r}.")
    return Address(_loopback(host), int(port))


def _loopback(host: str) -> str:
    if host.lower() == "localhost":
        return "127.0.0.1"
    address = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        is_loopback = ipaddress.ip_address(address).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback:
        raise AddressError(
            f"--tcp can only listen on this machine: use localhost, 127.0.0.1 or [::1], not {host}."
        )
    return address
