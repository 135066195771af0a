"""The keys of `pollard.toml`: one frozen class per table, one documented field per key.

Each field's metadata has its documentation (`doc`) and its reader (`read`). A field without a
reader is a table of its own; a field without metadata is not a key. None means "not set".
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from pollard.settings import readers
from pollard.settings.structure import key_of
from pollard.syntax.grammars.language_facts import canonical

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.oracle.criteria import Criteria
    from pollard.oracle.oracle import Oracle
    from pollard.syntax.branches.branches import Preprocessing


# Longer than any oracle runs, and in milliseconds still within the 31 bits of poll().
_FOREVER = 20 * 86400.0


def about(
    doc: str, read: Callable[[Any], object] | None = None, *, default: str | None = None
) -> dict[str, object]:
    """Return the metadata of a key: its line of documentation and the reader of its value.

    `default` is the documentation's text for the default, if not the value itself.
    """
    return {**key_of(read), "doc": doc, "default": default}


@dataclass(frozen=True, slots=True, kw_only=True)
class CriteriaSettings:
    """When a run is interesting; for the table `invalid`, when it never reached the failure."""

    exit_code: tuple[int, ...] = field(
        default=(), metadata=about("Exit codes, one of which is wanted.", readers.exit_codes)
    )
    signal: tuple[int, ...] = field(
        default=(), metadata=about("Signals, one of which ends the process.", readers.signals)
    )
    stdout: str | None = field(
        default=None, metadata=about("Regular expression found on standard output.", readers.regex)
    )
    stderr: str | None = field(
        default=None, metadata=about("Regular expression found on standard error.", readers.regex)
    )
    output: str | None = field(
        default=None, metadata=about("Regular expression found on either of them.", readers.regex)
    )
    not_exit_code: tuple[int, ...] = field(
        default=(), metadata=about("Exit codes that must not be seen.", readers.exit_codes)
    )
    not_signal: tuple[int, ...] = field(
        default=(), metadata=about("Signals that must not be seen.", readers.signals)
    )
    not_stdout: str | None = field(
        default=None, metadata=about("Must not be found on standard output.", readers.regex)
    )
    not_stderr: str | None = field(
        default=None, metadata=about("Must not be found on standard error.", readers.regex)
    )
    not_output: str | None = field(
        default=None, metadata=about("Must not be found on either of them.", readers.regex)
    )

    def to_criteria(self) -> Criteria:
        """Return the engine's criteria."""
        from pollard.oracle.criteria import Criteria  # noqa: PLC0415 (settings load without it)

        return Criteria(**{key.name: getattr(self, key.name) for key in fields(CriteriaSettings)})


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSettings:
    """The table `[languages.<id>]`."""

    oracle: str | None = field(
        default=None, metadata=about("Name of the oracle for this language.", readers.text)
    )
    formatter: str | tuple[str, ...] | None = field(
        default=None,
        metadata=about(
            'Command that formats results in this language; or "none".', readers.formatter
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamSettings:
    """The table `[stream]`: how an editor's buffer follows a reduction. `interval` is in seconds.

    Only the language server uses it.
    """

    mode: Literal["live", "final"] = field(
        default="live",
        metadata=about('"live": edit after edit; "final": one edit at the end.', readers.mode),
    )
    interval: float = field(
        default=0.25,
        metadata=about(
            'Shortest time between two edits: "250ms", or a number of milliseconds.',
            readers.interval,
            default='"250ms"',
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PreprocessingSettings:
    """The table `[preprocessing]`: how the syntax tree is prepared before the search."""

    squeeze: bool = field(
        default=True, metadata=about("Nodes with the same text are one.", readers.flag)
    )
    flatten: bool = field(
        default=True, metadata=about("Lists written as recursions are lists.", readers.flag)
    )
    hide: bool = field(
        default=True, metadata=about("What was refused is not tried again.", readers.flag)
    )
    islands: bool = field(
        default=True, metadata=about("Texts in other languages are parsed too.", readers.flag)
    )

    def to_preprocessing(self) -> Preprocessing:
        """Return the engine's class for it."""
        from pollard.syntax.branches.branches import Preprocessing  # noqa: PLC0415 (settings load without)

        return Preprocessing(**asdict(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleSettings(CriteriaSettings):
    """The table `[oracles.<name>]`: a command, and when its outcome is interesting.

    `name` and `formatter` are not keys of the table; they come from outside it.
    """

    command: str | tuple[str, ...] = field(
        metadata=about("Arguments with {file}, {dir}, {workspace}; or a text.", readers.command)
    )
    name: str = ""
    formatter: str | tuple[str, ...] | None = None
    stdin: bool = field(
        default=False, metadata=about("Give the candidate on standard input.", readers.flag)
    )
    invalid: CriteriaSettings | None = field(
        default=None, metadata=about("Criteria of candidates that never reached the failure.")
    )
    timeout: float | None = field(
        default=None, metadata=about('Longest run, "10s"; or "none".', readers.duration)
    )
    memory: int | None = field(
        default=None, metadata=about('Most memory of a run, "2GiB"; or "none".', readers.memory)
    )
    output_limit: int | None = field(
        default=None, metadata=about("Most output of a run that is read.", readers.size)
    )
    languages: tuple[str, ...] = field(
        default=(), metadata=about("Languages it is offered for; all if empty.", readers.texts)
    )
    files: tuple[str, ...] = field(
        default=(), metadata=about("Files copied beside the candidate.", readers.texts)
    )
    runs_required: tuple[int, int] | None = field(
        default=None, metadata=about('For a flaky failure: "2 of 3" runs.', readers.runs_required)
    )

    def fits(self, language: str | None) -> bool:
        """Tell whether the oracle is offered for a language; None is an unknown one."""
        if not self.languages or language is None:
            return not self.languages
        return canonical(language) in map(canonical, self.languages)

    def to_oracle(self, workspace: Path) -> Oracle:
        """Return the engine's oracle; paths in `files` are relative to `workspace`."""
        from pollard.oracle.oracle import Oracle  # noqa: PLC0415 (settings load without it)

        limits: dict[str, Any] = {
            "timeout": None if self.timeout is None else min(self.timeout, _FOREVER),
            "memory": self.memory or None,
            "output_limit": self.output_limit,
            "runs_required": self.runs_required,
        }
        return Oracle(
            command=self.command,
            name=self.name,
            criteria=self.to_criteria(),
            invalid=self.invalid.to_criteria() if self.invalid else None,
            files=tuple(workspace / file for file in self.files),
            stdin=self.stdin,
            workspace=workspace,
            languages=self.languages,
            formatter=self.formatter or None,
            **{key: value for key, value in limits.items() if value is not None},
        )
