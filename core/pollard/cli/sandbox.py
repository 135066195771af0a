"""The command `sandbox`, and the question before candidates are executed without a sandbox."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pollard.cli.console import say
from pollard.cli.options import pop_sandbox, takes_sandbox
from pollard.errors import OracleError

if TYPE_CHECKING:
    from pollard.oracle.predicate import AnyOracle


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

    Exit codes: that of COMMAND; 2 if there is no such program, or no sandbox on this system.
    """  # noqa: D301
    from pollard.cli.target import sandbox_settings  # noqa: PLC0415 (not for --help)
    from pollard.executors.sandbox import Sandboxes  # noqa: PLC0415
    from pollard.oracle.command import prepare  # noqa: PLC0415

    program = prepare(command, Path.cwd(), stdin=True, owner="sandbox").program
    settings = sandbox_settings(pop_sandbox(options))
    with tempfile.TemporaryDirectory(prefix="pollard-") as name:
        root = Path(name).resolve()
        room = root / "room"
        room.mkdir()
        named = (Path.cwd(), *map(Path, command))
        return Sandboxes(settings.to_policy(Path.cwd()), root, named).call(
            [program, *command[1:]], room
        )


def require_consent(oracle: AnyOracle, *, allowed: bool, on_files: bool = False) -> None:
    """Ask whether candidates may be executed without a sandbox, unless that is `allowed` already.

    With `on_files`, a directory or several files are reduced. Raises `OracleError` if the user does not
    want it, or cannot be asked.
    """
    from pollard.executors.sandbox.execution import risk_of  # noqa: PLC0415 (not for --help)

    risk = "" if allowed else risk_of(oracle, on_files=on_files)
    if not risk:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise OracleError(f"{risk} If that is what you want, add --allow-unconfined.")
    say(risk)
    try:
        is_wanted = click.confirm("Execute them all the same?", err=True)
    except click.Abort:
        is_wanted = False
        say("")
    if not is_wanted:
        raise OracleError("Nothing was executed; a container or a virtual machine is a safe place.")
