"""The tables of `pollard.toml`: one frozen class per table, one documented field per key.

The top-level keys are in `settings`. A field without metadata is not a key.
"""

from __future__ import annotations

import glob
import os
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from pollard.settings import readers
from pollard.settings.structure import key_of
from pollard.settings.usual_formatters import AUTO
from pollard.syntax.grammars.language_facts import canonical

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.oracle.command import Cluster, CommandOracle
    from pollard.oracle.criteria import Criteria
    from pollard.oracle.diagnostics.server_request import ServerRequest
    from pollard.oracle.diagnostics.surroundings import Surroundings
    from pollard.oracle.sandbox_policy import SandboxPolicy
    from pollard.syntax.branches.branches import Preprocessing

# What a language server's refusal is printed as; see `executors/servers`.
_REQUEST_FAILED = "^The request failed: "
# Stands for "none": longer than any oracle runs, but in milliseconds within the 31 bits of poll().
_UNLIMITED_TIMEOUT_SECONDS = 20 * 86400.0


def key(
    doc: str,
    read: Callable[[Any], object] | None = None,
    *,
    default_doc: str | None = None,
    **default: Any,
) -> Any:
    """Return the dataclass field of a key, with its line of documentation and its reader.

    A field without a reader is a table. `default` is `default=...` or `default_factory=...`, as for
    a dataclass field; without it the default is None. `default_doc` is the default as documented,
    if not the value itself.
    """
    metadata = {**key_of(read), "doc": doc, "default": default_doc}
    return field(metadata=metadata, **(default or {"default": None}))


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaSettings:
    """Criteria of an interesting run; in the table `invalid`, of one that never reached the failure."""

    exit_code: tuple[int, ...] = key(
        "Exit codes, one of which is wanted.", readers.exit_codes, default=()
    )
    signal: tuple[int, ...] = key(
        "Signals, one of which ends the process.", readers.signals, default=()
    )
    stdout: str | None = key("Regular expression found on standard output.", readers.regex)
    stderr: str | None = key("Regular expression found on standard error.", readers.regex)
    output: str | None = key("Regular expression found on either of them.", readers.regex)
    not_exit_code: tuple[int, ...] = key(
        "Exit codes that must not be seen.", readers.exit_codes, default=()
    )
    not_signal: tuple[int, ...] = key("Signals that must not be seen.", readers.signals, default=())
    not_stdout: str | None = key("Must not be found on standard output.", readers.regex)
    not_stderr: str | None = key("Must not be found on standard error.", readers.regex)
    not_output: str | None = key("Must not be found on either of them.", readers.regex)
    diagnostic: tuple[str, ...] = key(
        'Diagnostics that must be reported, such as "ruff:F821".', readers.diagnostics, default=()
    )

    not_diagnostic: tuple[str, ...] = key(
        "Diagnostics that must not be reported.", readers.diagnostics, default=()
    )

    def to_criteria(self) -> Criteria:
        """Return the engine's criteria."""
        from pollard.oracle.criteria import Criteria  # noqa: PLC0415 (settings load without it)

        return Criteria(
            **{each.name: getattr(self, each.name) for each in fields(CriteriaSettings)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSettings:
    """The table `[languages.<id>]`."""

    oracle: str | None = key("Name of the oracle for this language.", readers.text)
    formatter: str | tuple[str, ...] | None = key(
        'Command that formats results in this language; or "auto", "none".', readers.formatter
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSettings:
    """The table `[stream]`: how an editor's buffer follows a reduction. `interval` is in seconds.

    Only the language server uses it.
    """

    mode: Literal["live", "final"] = key(
        '"live": edit after edit; "final": one edit at the end.', readers.mode, default="live"
    )
    interval: float = key(
        'Shortest time between two edits: "250ms", or a number of milliseconds.',
        readers.interval,
        default=0.25,
        default_doc='"250ms"',
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutorSettings:
    """The table `[executor]`: where the runs of oracles take place."""

    kind: Literal["local", "dask"] = key(
        '"local": on this machine; "dask": on the workers of a Dask cluster.',
        readers.executor_kind,
        default="local",
    )
    scheduler: str | None = key('Address of the scheduler, "tcp://host:8786".', readers.text)
    scheduler_file: str | None = key(
        "File that the scheduler wrote, instead of its address.", readers.text
    )

    def to_cluster(self, workspace: Path) -> Cluster | None:
        """Return the cluster; None for this machine. The file is relative to `workspace`.

        Raises `OracleError` unless exactly one of address and file is given.
        """
        from pollard.errors import OracleError  # noqa: PLC0415 (settings load without the oracles)
        from pollard.oracle.command import Cluster  # noqa: PLC0415

        if self.kind == "local":
            return None
        if (self.scheduler is None) == (self.scheduler_file is None):
            message = (
                'The executor "dask" needs either a scheduler or a scheduler_file (on the command '
                "line --scheduler or --scheduler-file)."
            )
            raise OracleError(message)
        if self.scheduler_file is None:
            return Cluster(self.scheduler)
        path = os.path.expanduser(self.scheduler_file)  # noqa: PTH111
        return Cluster(scheduler_file=workspace / path)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreprocessingSettings:
    """The table `[preprocessing]`: how the syntax tree is prepared before the search."""

    squeeze: bool = key("Merge nested nodes with the same text.", readers.flag, default=True)
    flatten: bool = key("Turn recursive rules into flat lists.", readers.flag, default=True)
    hide: bool = key("Do not try a refused text again.", readers.flag, default=True)
    islands: bool = key("Parse embedded texts in other languages, too.", readers.flag, default=True)

    def to_preprocessing(self) -> Preprocessing:
        """Return the engine's preprocessing."""
        from pollard.syntax.branches.branches import Preprocessing  # noqa: PLC0415 (settings load without)

        return Preprocessing(**asdict(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """The table `[oracles.<name>.sandbox]`: what runs may do outside their directory."""

    level: Literal["strict", "default", "off"] | None = key(
        '"default"; "strict" hides the home directory, too; "off" confines nothing.',
        readers.sandbox_level,
        default_doc='"default"',
    )
    read: tuple[str, ...] = key(
        "Hidden files and directories that runs may read.", readers.texts, default=()
    )
    write: tuple[str, ...] = key(
        "Files and directories that runs may change.", readers.texts, default=()
    )
    network: bool = key("Let runs reach other machines.", readers.flag, default=False)
    env: tuple[str, ...] = key("Hidden variables that runs get.", readers.texts, default=())

    def to_policy(self, workspace: Path) -> SandboxPolicy:
        """Return the engine's policy; paths are relative to `workspace`, and may begin with `~`."""
        from pollard.oracle.sandbox_policy import (  # noqa: PLC0415 (settings load without it)
            SandboxLevel,
            SandboxPolicy,
            usual_level,
        )

        def absolute(paths: tuple[str, ...]) -> tuple[Path, ...]:
            return tuple(workspace / os.path.expanduser(path) for path in paths)  # noqa: PTH111

        return SandboxPolicy(
            level=SandboxLevel(self.level) if self.level else usual_level(),
            read=absolute(self.read),
            write=absolute(self.write),
            network=self.network,
            env=self.env,
        )


def _named(workspace: Path, name: str, candidate: Path | None) -> list[Path]:
    """Return the file that is called so, or else all that the name matches as a pattern."""
    path = workspace / name
    if path.exists() or not glob.has_magic(name):
        return [path]
    own = candidate.resolve() if candidate else None
    names = sorted(glob.glob(name, root_dir=workspace, recursive=True))  # noqa: PTH207 (any place)
    found = [workspace / each for each in names]
    return [each for each in found if each.resolve() != own] or [path]


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleSettings(CriteriaSettings):
    """The table `[oracles.<name>]`: a command, and when its outcome is interesting.

    `name`, `formatter`, `executor` and `surroundings` are not keys of the table: the name is in its
    header, the formatter is the language's or the workspace's, the executor the workspace's, and the
    usual command for a diagnostic has surroundings of its own.
    """

    command: str | tuple[str, ...] = key(
        "Arguments with {file}, {dir}, {workspace}; or a text.", readers.command, default=MISSING
    )
    kind: Literal["command", "lsp"] = key(
        '"lsp": the command is a language server, which stays and is asked for diagnostics.',
        readers.kind,
        default="command",
    )
    crashes: bool = key("A language server must crash.", readers.flag, default=False)
    request: str | None = key(
        'What to ask a language server for, "textDocument/hover".', readers.method
    )
    at: str | None = key(
        'Where: a text of the file with <^> at the position, "items.<^>length".', readers.text
    )
    fails: bool = key("A language server must refuse the request.", readers.flag, default=False)
    name: str = ""
    formatter: str | tuple[str, ...] | None = None
    executor: ExecutorSettings = ExecutorSettings()
    surroundings: Any = None  # a `Surroundings`; cattrs would need its module, which loads later
    exceeds: Literal["timeout", "memory"] | None = key(
        'The limit that an interesting run exceeds: "timeout" or "memory".', readers.exceeds
    )
    stdin: bool = key("Give the candidate on standard input.", readers.flag, default=False)
    invalid: CriteriaSettings | None = key("Criteria of candidates that never reached the failure.")
    timeout: float | None = key('Longest run, "10s"; or "none".', readers.duration)
    memory: int | None = key('Most memory of a run, "2GiB"; or "none".', readers.memory)
    output_limit: int | None = key("Most output of a run that is read.", readers.size)
    languages: tuple[str, ...] = key(
        "Languages it is offered for; all if empty.", readers.texts, default=()
    )
    files: tuple[str, ...] = key(
        'Files copied beside the candidate; also patterns, "*.h".', readers.texts, default=()
    )
    reduce_files: bool = key(
        "Reduce these files, too, after the candidate.", readers.flag, default=False
    )
    around: bool = key(
        "Link what is around the file in the workspace, at the same places; run at its root.",
        readers.flag,
        default=False,
    )
    runs_required: tuple[int, int] | None = key(
        'For a flaky failure: "2 of 3" runs.', readers.runs_required
    )
    same_failure: Literal["strict", "kind", "off"] = key(
        'How closely the failure must stay the same: "strict", "kind" or "off".',
        readers.same_failure,
        default="kind",
    )
    sandbox: SandboxSettings | None = key("What runs may do outside their directory.")
    warm: bool | Literal["auto", "protocol"] = key(
        'Keep the program loaded between runs; "auto": if twice as fast; "protocol": it stays.',
        readers.warm,
        default=False,
    )

    def fits(self, language: str | None) -> bool:
        """Return whether the oracle is offered for a language; None is an unknown one."""
        if not self.languages or language is None:
            return not self.languages
        return canonical(language) in map(canonical, self.languages)

    def to_oracle(self, workspace: Path, file: Path | None = None) -> CommandOracle:
        """Return the engine's oracle for `file`, which no pattern in `files` matches.

        Paths in `files` are relative to `workspace`.
        """
        from pollard.oracle.command import CommandOracle  # noqa: PLC0415 (settings load without it)
        from pollard.oracle.signature import SameFailure  # noqa: PLC0415
        from pollard.oracle.warm.warm_runs import WarmRuns  # noqa: PLC0415

        warm = {True: WarmRuns.ON, False: WarmRuns.OFF}
        limits: dict[str, Any] = {
            "timeout": None
            if self.timeout is None
            else min(self.timeout, _UNLIMITED_TIMEOUT_SECONDS),
            "memory": self.memory or None,
            "output_limit": self.output_limit,
            "runs_required": self.runs_required,
        }
        return CommandOracle(
            command=self.command,
            name=self.name,
            criteria=self._criteria(),
            invalid=self.invalid.to_criteria() if self.invalid else None,
            files=tuple(path for name in self.files for path in _named(workspace, name, file)),
            reduce_files=self.reduce_files,
            stdin=self.stdin,
            workspace=workspace,
            languages=self.languages,
            same_failure=SameFailure(self.same_failure),
            sandbox=(self.sandbox or SandboxSettings()).to_policy(workspace),
            surroundings=self.surroundings or self._around(workspace, file),
            is_server=self.kind == "lsp",
            request=self._request(),
            warm=warm[self.warm] if isinstance(self.warm, bool) else WarmRuns(self.warm),
            cluster=self.executor.to_cluster(workspace),
            formatter=() if self.formatter == AUTO else self.formatter or None,
            **{name: value for name, value in limits.items() if value is not None},
        )

    def _around(self, workspace: Path, file: Path | None) -> Surroundings | None:
        """Return what is around a file; None if the oracle does not ask for it, or there is no file."""
        if not self.around or file is None:
            return None
        from pollard.settings.around import around  # noqa: PLC0415 (settings load without the oracles)

        return around(file, workspace)

    def _request(self) -> ServerRequest | None:
        """Return the request to a language server. Raises `OracleError` for keys that need others."""
        from pollard.errors import OracleError  # noqa: PLC0415 (settings load without the oracles)
        from pollard.oracle.diagnostics.server_request import ServerRequest  # noqa: PLC0415

        if self.request is None and (self.at or self.fails):
            key = "at" if self.at else "fails"
            message = (
                f"The oracle {self.name!r} does not say which request to make; set request, too: {key} "
                f"(--{key}) is about a request to a language server. For how a command fails there are "
                "exit_code, stderr and output."
            )
            raise OracleError(message)
        if self.request is None:
            return None
        if self.kind != "lsp" or self.diagnostic or self.not_diagnostic:
            message = (
                f"The oracle {self.name!r} makes a request, which is only for language servers (kind = "
                '"lsp"), and instead of a diagnostic.'
            )
            raise OracleError(message)
        return ServerRequest(self.request, self.at or "")

    def _require_no_crash_of_a_server(self) -> None:
        from pollard.errors import OracleError  # noqa: PLC0415 (settings load without the oracles)

        if self.crashes:
            message = (
                f"The oracle {self.name!r} has crashes (--crashes), which is only for language servers "
                '(kind = "lsp"). For how a command fails there are signal, exit_code and stderr.'
            )
            raise OracleError(message)

    def _criteria(self) -> Criteria:
        """Return the criteria. Raises `OracleError` for a language server without any."""
        from pollard.errors import OracleError  # noqa: PLC0415 (settings load without the oracles)
        from pollard.oracle.diagnostics.wanted import of_server  # noqa: PLC0415

        criteria = replace(self.to_criteria(), exceeds=self.exceeds)
        if self.kind == "command":
            self._require_no_crash_of_a_server()
            return criteria
        crash = (0,) if self.crashes else ()
        if criteria.empty and not (crash or self.fails):
            message = (
                f"The oracle {self.name!r} does not say what the language server must do: give a "
                "diagnostic, or crashes = true (on the command line --diagnostic, --crashes)."
            )
            raise OracleError(message)
        if self.fails:  # an answer would be on standard output
            stderr, stdout = criteria.stderr or _REQUEST_FAILED, criteria.not_stdout or "."
            criteria = replace(criteria, stderr=stderr, not_stdout=stdout)
        return replace(
            criteria,
            diagnostic=tuple(map(of_server, criteria.diagnostic)),
            not_diagnostic=tuple(map(of_server, criteria.not_diagnostic)),
            not_exit_code=(*criteria.not_exit_code, *crash),
        )
