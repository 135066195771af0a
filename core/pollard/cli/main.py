"""The `pollard` command: its subcommands, loaded when called, and how errors reach a user."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pollard import __version__
from pollard.cli.exits import BROKEN_PIPE, INTERRUPTED, UNEXPECTED, USAGE, complain, lenient_streams
from pollard.errors import Cancelled, PollardError

if TYPE_CHECKING:
    from collections.abc import Sequence

# Each command's module and its line in the help, so that `pollard --help` loads no command.
_COMMANDS = {
    "reduce": ("reduce", "Shrink FILE as long as a command still shows the failure."),
    "check": ("check", "Run the oracle on FILE and explain what it saw."),
    "demo": ("serving", "Reduce a bundled failing script and watch it shrink."),
    "languages": ("inspect", "List the languages that Pollard can parse here."),
    "strategies": ("inspect", "List the passes and the strategies made of them."),
    "tree": ("inspect", "Show FILE as Pollard sees it: levels, kinds, what can go."),
    "serve": ("serving", "Run the language server, for an editor to talk to."),
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is called.

    The command is the module's attribute of the same name.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (click's signature)
        """Return the names in the order in which the help shows them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None for a name that there is not."""
        if cmd_name not in _COMMANDS:
            if Path(cmd_name).is_file():
                ctx.fail(f"{cmd_name!r} is a file, not a command; write: pollard reduce {cmd_name}")
            return None
        module, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(importlib.import_module(f"pollard.cli.{module}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the list of commands without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Call the command; click itself would end with exit code 1 when nobody reads its output."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderGone from error


class _ReaderGone(Exception):
    """Nobody reads standard output any more."""


@dataclass(slots=True)
class State:
    """What options of the group leave behind for the handling of errors."""

    debug: bool


def _debug(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.ensure_object(State).debug = True


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
    """  # noqa: D301 (\\b is for click)


def main() -> None:
    """Run the command line and end the process."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return the exit code; every error is a sentence on standard error."""
    lenient_streams()
    state = State(debug=bool(os.environ.get("POLLARD_DEBUG")))
    try:
        return _run(arguments, state)
    except (BrokenPipeError, _ReaderGone):
        return _without_reader()
    except Exception as error:
        if state.debug:
            traceback.print_exc()
        return _explain(error)


def _run(arguments: Sequence[str], state: State) -> int:
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
    """Say in one line what is wrong with the arguments; `pollard` alone shows the help instead."""
    path = error.ctx.command_path if error.ctx else "pollard"
    message = error.format_message().rstrip(".")
    if "\n" in message:  # click's NoArgsIsHelpError, which older versions do not have
        error.show()
    else:
        complain(f"{message}; see {path} --help")


def _explain(error: Exception) -> int:
    """Tell what went wrong and return the exit code for it."""
    if isinstance(error, PollardError):
        complain(str(error))
        return USAGE
    if isinstance(error, click.ClickException):
        complain(error.format_message())
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


def _without_reader() -> int:
    """End quietly: nobody reads our output any more, as in `pollard languages | head -1`."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    return BROKEN_PIPE
