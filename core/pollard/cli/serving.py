"""`pollard serve`: the language server, for an editor to talk to.

`pollard demo`: the language server reduces a bundled failing script before the user's eyes.
"""

from __future__ import annotations

from pathlib import Path

import click


@click.command("demo", short_help="Reduce a bundled failing script and watch it shrink.")
@click.option("--plain", is_flag=True, help="Print lines instead of a live picture.")
@click.option(
    "-j", "--jobs", metavar="N", type=click.IntRange(1), help="Runs at a time. [default: cores]"
)
def demo(plain: bool, jobs: int | None) -> int:
    """Reduce a bundled Python script that fails, and watch it shrink. It needs nothing but Python.

    The language server does it, as it would in an editor, which the demo is for it.
    """
    from rich.console import Console  # noqa: PLC0415 (not for --help)

    from pollard_server.demo import run  # noqa: PLC0415 (the same reason)

    return run(Console(), plain=plain, jobs=jobs)


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
def serve(tcp: str | None, log_file: Path | None) -> None:
    """Run Pollard's language server on standard input and output, for an editor to talk to."""
    from pollard_server.server import run  # noqa: PLC0415 (not for --help)

    run(tcp, log_file)
