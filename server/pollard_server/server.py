"""The language server process: what it announces, how it is started and how it ends."""

from __future__ import annotations

import contextlib
import logging
import sys
from pathlib import Path
from threading import Event

import click
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from pollard import __version__
from pollard.errors import PollardError
from pollard_server.address import Address, parse_address

SERVER_NAME = "pollard-server"

logger = logging.getLogger(__name__)


class StartError(PollardError):
    """The server could not be started as asked."""


def create_server() -> LanguageServer:
    """Return the server with all its handlers, not yet connected to a client."""
    server = LanguageServer(
        SERVER_NAME, __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full
    )
    server.feature(lsp.INITIALIZED)(_announce)
    return server


def run(tcp: str | None, log_file: Path | None) -> None:
    """Serve one client until it leaves: over standard input and output, or TCP on `HOST:PORT`.

    Raises `pollard.errors.PollardError` for an address or a log file that cannot be used, and
    exits with status 1 when the client leaves without the `shutdown` request, as LSP asks for.
    """
    address = None if tcp is None else parse_address(tcp)
    _start_logging(log_file)
    server = create_server()
    was_shut_down = Event()
    server.feature(lsp.SHUTDOWN)(lambda *_: was_shut_down.set())
    _serve(server, address)
    if not was_shut_down.is_set():
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


def _announce(server: LanguageServer, _params: lsp.InitializedParams) -> None:
    message = (
        f"{SERVER_NAME} {__version__} is ready; it offers no code actions yet: "
        "run `pollard reduce FILE` in a terminal."
    )
    server.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, message))


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
    logging.getLogger("pygls.server").setLevel(logging.INFO)


def _serve(server: LanguageServer, address: Address | None) -> None:
    if address is not None:
        _serve_tcp(server, address)
        return
    # A stray print would otherwise land between two messages and end the session.
    wire = sys.stdout.buffer
    with contextlib.redirect_stdout(sys.stderr):
        server.start_io(stdout=wire)


def _serve_tcp(server: LanguageServer, address: Address) -> None:
    try:
        server.start_tcp(address.host, address.port)
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise StartError(
            f"The server cannot listen on {address} ({reason}); choose another port."
        ) from error
