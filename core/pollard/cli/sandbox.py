"""The command `sandbox`: run any command as an oracle would be run, to see what it may do."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click

from pollard.cli.options import pop_sandbox, takes_sandbox


@click.command("sandbox", short_help="Run COMMAND in the sandbox of oracles.")
@click.argument(
    "command", nargs=-1, required=True, type=click.UNPROCESSED, metavar="COMMAND ARG..."
)
@takes_sandbox
def sandbox(command: tuple[str, ...], **options: Any) -> int:
    """Run COMMAND in the sandbox of oracles, to see what it may do there.

    It starts in an empty directory, which is removed afterwards. It reads everything but known
    secrets, writes nothing outside that directory, and has no network, unless options allow it.

    \b
    Examples:
      pollard sandbox -- sh
      pollard sandbox --allow-write ~/.cache/go-build -- go vet ./...

    Exit codes: that of COMMAND; 2 if there is no sandbox on this system.
    """  # noqa: D301
    from pollard.cli.target import sandbox_settings  # noqa: PLC0415 (not for --help)
    from pollard.executors.sandbox import Sandboxes  # noqa: PLC0415

    settings = sandbox_settings(pop_sandbox(options))
    with tempfile.TemporaryDirectory(prefix="pollard-") as name:
        root = Path(name).resolve()
        room = root / "room"
        room.mkdir()
        return Sandboxes(settings.to_policy(Path.cwd()), root).call(command, room)
