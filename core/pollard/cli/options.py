"""Options that commands share: the language, the oracle, its criteria and limits, preprocessing."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Callback = Callable[[click.Context, click.Parameter, Any], Any]

F = TypeVar("F", bound="Callable[..., Any]")

CRITERIA = tuple(
    prefix + name
    for prefix in ("", "not_")
    for name in ("exit_code", "signal", "stdout", "stderr", "output")
)
_DIAGNOSTIC = "diagnostic"
_SERVER_OPTIONS = ("not_diagnostic", "request", "at")
_LIMIT_OPTIONS = ("timeout", "memory", "exceeds", "runs_required", "same_failure")
_SANDBOX_OPTIONS = ("level", "read", "write", "network", "env")
PATH_TYPE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class OracleRequest:
    """The oracle as given on the command line.

    `changes` are fields of `OracleSettings`, and `sandbox` those of its `SandboxSettings`.
    `executor` is the table of that name, if an option names a cluster. `more_files` are those that were
    named after FILE and before `--`. With `allow_unconfined`, candidates may be executed without a
    sandbox.
    """

    command: tuple[str, ...] = ()
    more_files: tuple[Path, ...] = ()
    server: str | None = None
    name: str | None = None
    companions: tuple[Path, ...] = ()
    executor: Mapping[str, str] | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    sandbox: Mapping[str, Any] = field(default_factory=dict)
    allow_unconfined: bool = False

    @property
    def diagnostics(self) -> tuple[str, ...]:
        """The diagnostics that must be reported."""
        return tuple(self.changes.get(_DIAGNOSTIC, ()))

    @classmethod
    def pop_from(cls, options: dict[str, Any]) -> OracleRequest:
        """Return the request, and remove its options from a command's *options*."""
        names = (*CRITERIA, _DIAGNOSTIC, *_SERVER_OPTIONS, *_LIMIT_OPTIONS)
        given = {name: options.pop(name) for name in names}
        for flag in ("stdin", "crashes", "fails", "reduce_files", "around"):
            if options.pop(flag):
                given[flag] = True
        given["warm"] = "protocol" if options.pop("protocol") else options.pop("warm")
        options.pop("warm", None)
        sandbox = pop_sandbox(options)
        more_files, command = options.pop("command")
        return cls(
            command=command,
            more_files=more_files,
            server=options.pop("lsp"),
            name=options.pop("oracle"),
            companions=options.pop("companions"),
            executor=_pop_executor(options),
            changes={name: value for name, value in given.items() if value is not None},
            sandbox=sandbox,
            allow_unconfined=options.pop("allow_unconfined"),
        )


def _pop_executor(options: dict[str, Any]) -> dict[str, str] | None:
    """Return the settings of the cluster that is named, and remove its options from *options*."""
    scheduler, file = options.pop("scheduler"), options.pop("scheduler_file")
    if scheduler and file:
        raise click.UsageError("Give --scheduler or --scheduler-file, not both.")
    if scheduler:
        return {"kind": "dask", "scheduler": scheduler}
    return {"kind": "dask", "scheduler_file": str(file.absolute())} if file else None


def read_with(name: str, *, as_written: bool = False) -> Callback:
    """Return a click callback that checks and converts a value with the settings' reader *name*.

    A value that is kept *as_written* is converted with the settings, later.
    """

    def read(_ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        if value is None or value == ():
            return None
        from pollard.settings import readers  # noqa: PLC0415 (not for --help)

        if name in ("exit_codes", "signals", "jobs", "max_runs"):
            value = _with_numbers(value)
        try:
            converted = getattr(readers, name)(value)
        except ValueError as error:
            raise click.BadParameter(str(error), param=param) from error
        return value if as_written else converted

    return read


def _with_numbers(value: Any) -> Any:
    """Turn digits into numbers; in a list "1,2" stands for two values."""
    if isinstance(value, str):
        return int(value) if value.isdecimal() else value
    parts = (part.strip() for item in value for part in item.split(","))
    return [int(part) if part.isdecimal() else part for part in parts]


def _criterion(name: str) -> Callable[[F], F]:
    criterion = name.removeprefix("not_")
    flag = f"--{name.replace('_', '-')}"
    must = "must not" if name.startswith("not_") else "must"
    if criterion == "exit_code":
        doc, metavar, reader = f"The exit code {must} be N (or one of several).", "N", "exit_codes"
    elif criterion == "signal":
        doc, metavar, reader = f"The command {must} die of this signal.", "SIGNAL", "signals"
    else:
        stream = {"stdout": "Standard output", "stderr": "Standard error"}.get(criterion, "Either")
        doc, metavar, reader = f"{stream} {must} match.", "REGEX", "regex"
    may_repeat = criterion in ("exit_code", "signal")
    return click.option(
        flag, name, metavar=metavar, multiple=may_repeat, callback=read_with(reader), help=doc
    )


allows_unconfined = click.option(
    "--allow-unconfined",
    is_flag=True,
    envvar="POLLARD_ALLOW_UNCONFINED",
    help="Execute versions of FILE even where no sandbox confines them, without a question.",
)


def _oracle_options() -> list[Callable[[Any], Any]]:
    return [
        click.option("-l", "--language", metavar="L", help="FILE's language; none: no grammar."),
        click.option("--oracle", metavar="NAME", help="The oracle of pollard.toml to use."),
        click.option(
            "--timeout",
            metavar="T",
            callback=read_with("duration"),
            help='Longest run: "10s", "none". [default: 10 x the first, within 1 to 300 s]',
        ),
        click.option(
            "--memory", metavar="M", callback=read_with("memory"), help='Most memory: "2GiB".'
        ),
        click.option(
            "--exceeds",
            type=click.Choice(["timeout", "memory"]),
            help="The command must exceed this limit, as one that hangs does.",
        ),
        click.option(
            "--stdin", is_flag=True, help="Give the candidate on COMMAND's standard input."
        ),
        click.option(
            "--with",
            "companions",
            metavar="FILE",
            multiple=True,
            type=PATH_TYPE,
            help="Copy FILE beside each candidate; may be repeated.",
        ),
        click.option(
            "--reduce-files",
            is_flag=True,
            help="Then reduce what --with names, too, into the folder OUT.files.",
        ),
        click.option(
            "--around",
            is_flag=True,
            help="Link what is around FILE in the current directory, and run COMMAND at its top; "
            "nothing is appended to it.",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help='Run on the workers of this Dask scheduler: "tcp://host:8786".',
        ),
        click.option(
            "--scheduler-file",
            metavar="FILE",
            type=PATH_TYPE,
            help="The same, with the file that the scheduler wrote.",
        ),
        click.option(
            "--checks",
            metavar="N",
            type=click.IntRange(1),
            help="How many times to run the original first; the result is run twice as often. "
            "[default: 3]",
        ),
        click.option(
            "--runs-required",
            metavar='"K of N"',
            callback=read_with("runs_required"),
            help="For a flaky failure: K of N runs must show it.",
        ),
        click.option(
            "--same-failure",
            type=click.Choice(["strict", "kind", "off"]),
            help="How closely the failure must stay the original's. [default: kind]",
        ),
        *map(_criterion, CRITERIA),
        click.option(
            "--diagnostic",
            metavar="TOOL:CODE",
            multiple=True,
            callback=read_with("diagnostics"),
            help='A linter or compiler must report this: "ruff:F821"; COMMAND is not needed.',
        ),
        click.option(
            "--lsp",
            metavar="COMMAND",
            help="Ask this language server for the --diagnostic, which is then a CODE.",
        ),
        click.option(
            "--not-diagnostic",
            metavar="TOOL:CODE",
            multiple=True,
            callback=read_with("diagnostics"),
            help="The linter, compiler or language server must not report this.",
        ),
        click.option("--crashes", is_flag=True, help="The language server must crash."),
        click.option(
            "--request",
            metavar="METHOD",
            callback=read_with("method"),
            help='Ask the language server for this instead: "textDocument/hover".',
        ),
        click.option(
            "--at",
            metavar="TEXT",
            help='Where: a text of the file with <^> at the position, "items.<^>length".',
        ),
        click.option("--fails", is_flag=True, help="The language server must refuse the request."),
        click.option(
            "--warm/--no-warm",
            default=None,
            help="Keep a Python program loaded between runs. [default: the oracle's setting, or no]",
        ),
        click.option(
            "--protocol",
            is_flag=True,
            help="COMMAND stays, reads the path of each candidate, and answers with a line of JSON.",
        ),
        *_sandbox_options(),
        allows_unconfined,
    ]


def _sandbox_options() -> list[Callable[[Any], Any]]:
    def allows(what: str, metavar: str, doc: str) -> Callable[[F], F]:
        return click.option(
            f"--allow-{what}", f"sandbox_{what}", metavar=metavar, multiple=True, help=doc
        )

    return [
        click.option(
            "--sandbox",
            "sandbox_level",
            type=click.Choice(["strict", "default", "off"]),
            help="How far runs are confined. [default: default]",
        ),
        allows("write", "PATH", "Let runs change PATH; may be repeated."),
        allows("read", "PATH", "Show runs PATH although it is hidden; may be repeated."),
        allows("env", "NAME", "Give runs a variable although it is hidden; may be repeated."),
        click.option(
            "--allow-network", "sandbox_network", is_flag=True, help="Let runs use the network."
        ),
    ]


def pop_sandbox(options: dict[str, Any]) -> dict[str, Any]:
    """Return what is given about the sandbox, as settings, and remove it from *options*."""
    given = {name: options.pop(f"sandbox_{name}") for name in _SANDBOX_OPTIONS}
    return {name: value for name, value in given.items() if value}


def takes_sandbox(function: F) -> F:
    """Add the options about the sandbox to a command."""
    for decorate in reversed(_sandbox_options()):
        function = decorate(function)
    return function


# The steps of preprocessing, and the help of the options that switch them off.
_PREPROCESSING = {
    "squeeze": "Do not merge nested nodes with the same text.",
    "flatten": "Do not turn recursive rules into flat lists.",
    "hide": "Try refused texts again.",
    "islands": "Do not parse embedded texts in other languages.",
}


def pop_preprocessing(options: dict[str, Any]) -> dict[str, bool]:
    """Return the steps that are switched off, as settings, and remove them from *options*."""
    return {name: False for name in _PREPROCESSING if not options.pop(name)}


def takes_preprocessing(function: F) -> F:
    """Add the options that switch off steps of preprocessing to a command."""
    for name, doc in reversed(_PREPROCESSING.items()):
        switch_off = click.option(
            f"--no-{name}", name, is_flag=True, flag_value=False, default=True, help=doc
        )
        function = switch_off(function)
    return function


def own_options() -> frozenset[str]:
    """Return the options of the command that is running, as a user writes them."""
    declared = click.get_current_context().command.params
    return frozenset(name for each in declared for name in (*each.opts, *each.secondary_opts))


_COMMAND_WORDS = "pollard.command_words"


class FilesCommand(click.Command):
    """A command with FILEs, then `--` and COMMAND; click itself forgets where `--` was."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and keep how many words follow `--`.

        If no FILE stands before `--`, it ends the options, as in `-- -x.c -- COMMAND`. It is no value
        of an option: `--stats -- COMMAND` lacks one, and COMMAND's options are none of Pollard's.
        """
        if "--" in args:
            divider = args.index("--")
            command = args[divider + 1 :]
            has_file = self._has_file(ctx, args[:divider])
            if "--" in command and not has_file:
                divider = args.index("--", divider + 1)
                command = args[divider + 1 :]
                args = args[:divider] + command
            ctx.meta[_COMMAND_WORDS] = len(command)
        return super().parse_args(ctx, args)

    def _has_file(self, ctx: click.Context, args: list[str]) -> bool:
        try:
            values, _, _ = self.make_parser(ctx).parse_args(args=list(args))
        except click.UsageError as error:
            error.ctx = ctx
            raise
        return isinstance(values.get("file"), str)  # click's mark of what is missing has changed


def _divided(
    ctx: click.Context, _: click.Parameter, words: tuple[str, ...]
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Divide the words after FILE into further files and COMMAND; without `--` all are COMMAND."""
    begin = len(words) - ctx.meta.get(_COMMAND_WORDS, len(words))
    return tuple(map(Path, words[:begin])), words[begin:]


@dataclass(frozen=True, slots=True)
class ProjectOptions:
    """The options for a directory or several files: the main file, and what to take and leave."""

    main: Path | None
    include: tuple[str, ...]
    exclude: tuple[str, ...]

    @classmethod
    def pop_from(cls, options: dict[str, Any]) -> ProjectOptions:
        """Return them, and remove them from a command's *options*."""
        return cls(options.pop("main"), options.pop("include"), options.pop("exclude"))

    def require_project(self) -> None:
        """Raise click.UsageError if one of them is given, for FILE is a single file."""
        for name in ("main", "include", "exclude"):
            if getattr(self, name):
                raise click.UsageError(f"--{name} is for a directory or several files.")


def _project_options() -> list[Callable[[Any], Any]]:
    def pattern(name: str, doc: str) -> Callable[[F], F]:
        return click.option(f"--{name}", metavar="PATTERN", multiple=True, help=doc)

    return [
        click.option(
            "--main",
            metavar="FILE",
            type=PATH_TYPE,
            help="The file in a directory that {file} stands for; it is never removed.",
        ),
        pattern("include", "Take in what is left out of a directory by default; may be repeated."),
        pattern("exclude", "Leave out of a directory what matches, as in .gitignore."),
    ]


def takes_oracle(function: F) -> F:
    """Add FILE, COMMAND and the options that describe an oracle to a `FilesCommand`."""
    decorators = [
        click.argument("file", type=PATH_TYPE, metavar="FILE..."),
        click.argument(
            "command",
            nargs=-1,
            type=click.UNPROCESSED,
            metavar="[-- COMMAND ARG...]",
            callback=_divided,
        ),
        *_oracle_options(),
        *_project_options(),
    ]
    for decorate in reversed(decorators):
        function = decorate(function)
    return function
