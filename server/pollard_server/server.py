"""The language server process: what it announces, how it is started and how it ends."""

from __future__ import annotations

import contextlib
import gc
import logging
import sys
from pathlib import Path
from typing import BinaryIO, cast

import click
from pygls.exceptions import JsonRpcInvalidParams

from pollard import __version__
from pollard.errors import PollardError
from pollard_server.address import Address, parse_address
from pollard_server.endings import ends_with
from pollard_server.features import SERVER_NAME, Features
from pollard_server.outbox import Outbox
from pollard_server.protocol import PollardServer, RequestFailed

logger = logging.getLogger(__name__)


class StartError(PollardError):
    """The server could not be started as asked."""


def create_server() -> tuple[PollardServer, Features]:
    """Return the server with all its handlers, not yet connected to a client."""
    server = PollardServer(SERVER_NAME, __version__)
    features = Features(server)
    features.register()
    return server, features


def run(tcp: str | None, log_file: Path | None) -> None:
    """Serve one client until it leaves: over standard input and output, or TCP on `HOST:PORT`.

    Raises `pollard.errors.PollardError` for an address or a log file that cannot be used, and
    exits with status 1 when the client leaves without the `shutdown` request, as LSP asks for.
    However it ends, no oracle is left running.
    """
    address = None if tcp is None else parse_address(tcp)
    _start_logging(log_file)
    server, features = create_server()
    gc.freeze()  # what is loaded by now stays; looking through it again holds up the event loop
    with ends_with(features.abandon):
        _serve(server, address)
    if not features.was_shut_down:
        sys.exit(1)


@click.command(name=SERVER_NAME)
@click.version_option(__version__, prog_name=SERVER_NAME)
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
def main(tcp: str | None, log_file: Path | None) -> None:
    """Run Pollard's language server, for an editor to talk to."""
    try:
        run(tcp, log_file)
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
    line = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=logging.INFO, handlers=handlers, format=line, force=True)
    # Below this level pygls logs whole messages, and with them the user's files.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_no_refusal)
    logging.getLogger("pygls.server").setLevel(logging.INFO)


def _is_no_refusal(record: logging.LogRecord) -> bool:
    """Tell whether it is more than the traceback of a refusal, which is an answer like another."""
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or not issubclass(kind, (RequestFailed, JsonRpcInvalidParams))


def _serve(server: PollardServer, address: Address | None) -> None:
    if address is not None:
        _serve_tcp(server, address)
        return
    # A stray print would otherwise land between two messages and end the session.
    with Outbox(sys.stdout.buffer) as outbox, contextlib.redirect_stdout(sys.stderr):
        server.start_io(stdout=cast("BinaryIO", outbox))


def _serve_tcp(server: PollardServer, address: Address) -> None:
    try:
        server.start_tcp(address.host, address.port)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise StartError(
            f"The server cannot listen on {address} ({reason}); choose another port."
        ) from error
