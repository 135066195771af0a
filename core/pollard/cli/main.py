"""The `pollard` command: its subcommands, imported when called, and how errors reach the user.

`demo` and `serve` are here too, since they only hand over to the language server.
"""

from __future__ import annotations

import importlib
import os
import shlex
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pollard import __version__
from pollard.cli.console import (
    BROKEN_PIPE,
    INTERRUPTED,
    UNEXPECTED,
    USAGE,
    complain,
    prepare_streams,
)
from pollard.errors import Cancelled, PollardError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Each command's module and its line of help, so that `pollard --help` imports no command.
_COMMANDS = {
    "reduce": ("reduce", "Shrink FILE as long as a command still shows the failure."),
    "check": ("inspection", "Run the oracle on FILE and explain what it saw."),
    "init": ("setup.initialising", "Set up an oracle for FILE, and try it at once."),
    "report": ("report_files", "Write a report on a past reduction."),
    "sandbox": ("sandbox", "Run a command in the sandbox of oracles."),
    "demo": ("main", "Reduce a bundled failing script and watch it shrink."),
    "languages": ("inspection", "List the languages that Pollard can parse here."),
    "strategies": ("inspection", "List the passes and the strategies made of them."),
    "tree": ("inspection", "Show FILE as Pollard sees it: levels, kinds, what can go."),
    "serve": ("main", "Run the language server, for an editor to talk to."),
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is called.

    The command is the module's attribute of the same name.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names in the order of the help."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None for an unknown name."""
        if cmd_name not in _COMMANDS:
            if Path(cmd_name).is_file():
                line = f"pollard reduce {shlex.quote(cmd_name)}"
                ctx.fail(f"{cmd_name!r} is a file, not a command; write: {line}")
            return None
        module, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(f"pollard.cli.{module}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Call the command; click itself would turn a broken pipe into exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _BrokenOutputError from error


class _BrokenOutputError(Exception):
    """The reader of standard output is gone."""


@dataclass(slots=True)
class ErrorState:
    """The options of the group that decide how errors are handled."""

    debug: bool


def _debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.ensure_object(ErrorState).debug = True


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "--version", "-V", prog_name="pollard")
@click.option(
    "--debug", is_flag=True, hidden=True, expose_value=False, is_eager=True, callback=_debug
)
def cli() -> None:
    """Shrink a file that makes a program fail to the few lines that matter.

    \b
    Examples:
      pollard demo
      pollard reduce crash.c -- gcc -O2 -c {file}
      pollard reduce crash.js --stderr "TypeError: .* undefined" -- node {file}
      pollard check crash.c -- ./oracle.sh
      pollard init crash.c
    """  # noqa: D301 (\\b is for click)


@click.command("demo", short_help="Reduce a bundled failing script and watch it shrink.")
@click.option("--plain", is_flag=True, help="Print lines instead of a live picture.")
@click.option(
    "-j", "--jobs", metavar="N", type=click.IntRange(1), help="Runs at a time. [default: cores]"
)
def demo(plain: bool, jobs: int | None) -> int:
    """Reduce a bundled Python script that fails, and watch it shrink. It needs nothing but Python.

    The language server does the work, as in an editor; the demo plays the editor.
    """
    from rich.console import Console  # noqa: PLC0415 (not for --help)

    from pollard_server.demo import run as run_demo  # noqa: PLC0415

    return run_demo(Console(), plain=plain, jobs=jobs)


@click.command("serve", short_help="Run the language server, for an editor to talk to.")
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
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Append the log to FILE, besides standard error.",
)
def serve(stdio: bool, tcp: str | None, log_file: Path | None) -> None:
    """Run Pollard's language server on standard input and output, for an editor to talk to."""
    from pollard_server.server import run as run_server  # noqa: PLC0415 (not for --help)

    run_server(tcp, log_file, stdio=stdio)


def main() -> None:
    """Run the command line and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code; errors become a sentence on standard error."""
    prepare_streams()
    state = ErrorState(debug=bool(os.environ.get("POLLARD_DEBUG")))
    try:
        return _run(arguments, state)
    except (BrokenPipeError, _BrokenOutputError):
        return _end_without_reader()
    except Exception as error:
        if state.debug:
            traceback.print_exc()
        return _explain(error)


def _run(arguments: Sequence[str], state: ErrorState) -> int:
    try:
        result = cli.main(
            list(arguments),
            prog_name="pollard",
            standalone_mode=False,
            windows_expand_args=False,
            obj=state,
        )
        sys.stdout.flush()
    except click.UsageError as error:
        _explain_usage(error)
        return USAGE
    except (KeyboardInterrupt, click.Abort, Cancelled):
        complain("interrupted")
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def _explain_usage(error: click.UsageError) -> None:
    """Print one line about wrong arguments; `pollard` without any prints the help instead."""
    path = error.ctx.command_path if error.ctx else "pollard"
    message = error.format_message().rstrip(".")
    if "\n" in message:  # click's NoArgsIsHelpError, which older versions lack
        error.show()
    else:
        complain(f"{message}; see {path} --help")


def _explain(error: Exception) -> int:
    """Print what went wrong and return the exit code."""
    if isinstance(error, PollardError):
        complain(str(error))
        return USAGE
    if isinstance(error, click.ClickException):
        complain(error.format_message())
        return USAGE
    if isinstance(error, FileNotFoundError) and error.filename is None:
        if "temporary directory" in str(error.strerror):  # raised by tempfile
            complain(
                "No folder for temporary files can be written; make room, or name one in TMPDIR."
            )
            return USAGE
        # Raised by os.getcwd.
        complain("The current directory was removed; change to another one and try again.")
        return USAGE
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        complain(f"{place}{error.strerror or error}; put that right and try again.")
        return USAGE
    complain(
        f"an unexpected {type(error).__name__} ({error}); this is a fault in Pollard: please report "
        "it with what `pollard --debug ...` prints for the same arguments."
    )
    return UNEXPECTED


def _end_without_reader() -> int:
    """End quietly when the reader of the output is gone, as in `pollard languages | head -1`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE
