"""`pollard serve`: the language server, for an editor to talk to."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("serve", short_help="Run the language server, for an editor to talk to.")
@click.option(
    "--tcp",
    metavar="HOST:PORT",
    help="Serve one TCP client instead of standard input and output; HOST must be this machine.",
)
@click.option(
    "--log-file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Append the log to FILE, besides standard error.",
)
def command(tcp: str | None, log_file: Path | None) -> None:
    """Run Pollard's language server on standard input and output, for an editor to talk to."""
    from pollard_server.server import run  # noqa: PLC0415 (not for --help)

    run(tcp, log_file)
