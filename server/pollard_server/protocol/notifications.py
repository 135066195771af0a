"""The server's own notifications, field by field. Editor plugins depend on them.

`conversion.to_json` writes their keys in camelCase (`originalBytes`); `pass_` is `pass`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping  # noqa: TC003 (cattrs resolves the annotations)
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote

from pollard.oracle.criteria import Criteria, suggestions
from pollard.oracle.failures.selection import read_signature
from pollard.quantities import format_size

if TYPE_CHECKING:
    from pollard.oracle import Check, Frequency, Run, Signature
    from pollard.oracle_setup.trying import TriedOracle
    from pollard_server.records import RecordedOther

PROGRESS = "pollard/progress"
CHECKED = "pollard/checked"

State = Literal["checking", "reducing", "paused", "done", "stopped", "failed"]
"""`checking`: the oracle runs on the original. `paused`: by the user, or because the document was
changed. The last three are final, and one of them is sent once: `done`; `stopped` by the user, with
the best text so far; `failed`, and `message` says why."""

MAX_OUTPUT_CHARACTERS = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFailure:
    """The failure that a run showed, if its output or its end tells."""

    kind: str
    """The exception's type, the diagnostic's code, the signal, ...: `ValueError`."""
    message: str
    """Its first line, with numbers, paths and quoted text generalised."""
    where: str
    """Where it was raised: `load` or `line 13`; empty if unknown."""
    description: str
    """The failure in a few words, for people: `ValueError, raised in load`."""

    @classmethod
    def of(cls, failure: Signature | None) -> ShownFailure | None:
        """Return the report of a failure; None if it is unknown."""
        if failure is None:
            return None
        return cls(
            kind=failure.kind,
            message=failure.message,
            where=failure.where,
            description=str(failure),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownFrequency:
    """How often a text fails, where the oracle requires several runs."""

    hits: int
    """Interesting runs."""
    runs: int
    """All runs that were measured."""

    @classmethod
    def of(cls, frequency: Frequency | None) -> ShownFrequency | None:
        """Return the report of a frequency; None if it was not measured."""
        return cls(hits=frequency.hits, runs=frequency.runs) if frequency else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownOtherFailure:
    """A failure of another kind that candidates showed, with the smallest text that showed it."""

    number: int
    """Its number in this reduction, from 1; `pollard.reduceOther` takes it."""
    description: str
    """The failure in a few words, for people: `NameError, raised on line 1`."""
    bytes: int
    """The size of its smallest text."""
    runs: int
    """Runs that showed it."""

    @classmethod
    def all_of(cls, others: Iterable[RecordedOther]) -> tuple[ShownOtherFailure, ...]:
        """Return the reports of other failures, in order."""
        return tuple(
            cls(
                number=number,
                description=other.description,
                bytes=other.bytes,
                runs=other.runs,
            )
            for number, other in enumerate(others, 1)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCompanion:
    """A file beside the document that was reduced after it."""

    original: str
    """The URI of the file, which stays as it is."""
    result: str | None
    """The URI of its reduced text, until the next reduction of the document; null if the failure does
    not need the file."""
    bytes: int
    """The size of the result."""
    original_bytes: int
    """The size of the file."""

    def __str__(self) -> str:
        """Say in a few words, for people, what became of it."""
        name = unquote(self.original.rpartition("/")[2])
        if self.result is None:
            return f"{name} is not needed"
        return f"{name} {format_size(self.original_bytes)} → {format_size(self.bytes)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressParams:
    """`pollard/progress`: the state of a reduction, at most ten times a second, and at its end.

    `pollard.status` also returns one for each reduction.
    """

    id: str
    """The reduction, as returned by `pollard.reduce`."""
    uri: str
    """The document or the folder."""
    state: State
    bytes: int
    """The size of the best text so far, in the file's bytes; of a folder, that of all its files."""
    original_bytes: int
    """The size of the whole document or folder at the beginning, in the files' bytes."""
    files: int | None = None
    """Of a folder, the files that are left so far; null for a document."""
    result: str | None = None
    """At the end, the URI of the new folder with the result; null for a document, and if nothing was
    reduced."""
    runs: int = 0
    """Runs of the oracle so far."""
    rate: float = 0.0
    """Runs per second, since the beginning."""
    guarded: int = 0
    """Candidates that were not run, because they have new syntax errors."""
    cache_hits: int = 0
    """Candidates whose verdict was already known."""
    invalid: int = 0
    """Runs that never reached the failure, by the oracle's `invalid`."""
    timeouts: int = 0
    """Runs that took too long."""
    other_failures: int = 0
    """Runs that showed another failure than the original's."""
    reductions: int = 0
    """Texts accepted so far."""
    pass_: str = ""
    """The current pass and its level: `hddh level 5`; empty before the first."""
    seconds: float = 0.0
    """Wall time since the beginning."""
    message: str = ""
    """One line for people, the same as in `$/progress`; at the end the result or the error."""
    original_failure: ShownFailure | None = None
    """The original's failure; null until the oracle has run, and if nothing tells."""
    failure: ShownFailure | None = None
    """The original's failure, at the end the result's; null if nothing tells."""
    failure_changed: bool = False
    """At the end: whether the result's failure is of another kind than the original's."""
    comparison: tuple[str, ...] = ()
    """At the end: lines for people that compare the two failures and how often they occur."""
    original_frequency: ShownFrequency | None = None
    """At the end: how often the original failed, if the oracle requires several runs."""
    frequency: ShownFrequency | None = None
    """At the end: how often the result failed; null if that was not measured."""
    others: tuple[ShownOtherFailure, ...] = ()
    """At the end: the other failures that candidates showed, in the order in which they were seen."""
    companions: tuple[ShownCompanion, ...] = ()
    """At the end: with `reduce_files`, the files beside the document that are smaller or not needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRun:
    """One run of the oracle on the unchanged document. One of `exit_code` and `signal` is null."""

    verdict: str
    """`interesting`, `uninteresting`, `invalid` or `timeout`."""
    exit_code: int | None
    """0 to 255."""
    signal: int | None
    """The number of the signal that ended the process."""
    seconds: float
    """Wall time."""
    stdout: str
    """The end of its output, at most 65536 characters; bytes that are not UTF-8 are replaced."""
    stderr: str
    """The same for standard error."""
    truncated: bool = False
    """Whether part of `stdout` or `stderr` was left out."""

    @classmethod
    def of(cls, run: Run) -> CheckedRun:
        """Return the report of a run."""
        streams = [stream.decode("utf-8", "replace") for stream in (run.stdout, run.stderr)]
        return cls(
            verdict=run.verdict.value,
            exit_code=run.exit_code,
            signal=run.signal,
            seconds=round(run.seconds, 3),
            stdout=streams[0][-MAX_OUTPUT_CHARACTERS:],
            stderr=streams[1][-MAX_OUTPUT_CHARACTERS:],
            truncated=run.truncated or max(map(len, streams)) > MAX_OUTPUT_CHARACTERS,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A way to recognise the failure, for an oracle that is being configured."""

    title: str
    """The observation, for people: `The same failure: ValueError, raised in load`."""
    detail: str
    """Further details, such as the expression that finds the line."""
    definition: Mapping[str, Any]
    """The keys to add to the oracle's definition: `{"signal": "SIGSEGV"}`. For a preset, all of its
    keys."""
    failure: str = ""
    """For a preset: the failure that the reduction will keep, for people. Empty otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedParams:
    """`pollard/checked`: the outcome of `pollard.checkOracle`."""

    id: str
    """The check, as returned by `pollard.checkOracle`."""
    uri: str
    """The document."""
    oracle: str
    """The oracle's name."""
    health: str
    """`interesting`, `not interesting`, `flaky` or `could not start`."""
    interesting: bool
    """Whether the document can be reduced with this oracle."""
    description: str
    """What happened and what to do, for people; several lines."""
    failure: ShownFailure | None = None
    """The failure that the first interesting run showed; null if nothing tells."""
    runs: tuple[CheckedRun, ...] = ()
    """All runs in order; none if the command could not start."""
    criteria: tuple[Criterion, ...] = ()
    """Criteria that make a run like the first one interesting, the most likely first. For a preset,
    only those that all runs meet and an empty file does not."""

    @classmethod
    def of(cls, id: str, uri: str, text: bytes, check: Check) -> CheckedParams:  # noqa: A002
        """Return the report of a check of a document's text."""
        first = check.runs[0] if check.runs else None
        found = suggestions(first, text, read_signature(first, Criteria())) if first else []
        return cls(
            id=id,
            uri=uri,
            oracle=check.oracle.name,
            health=check.health.value,
            interesting=check.interesting,
            description=check.describe(),
            failure=ShownFailure.of(check.signature),
            runs=tuple(map(CheckedRun.of, check.runs)),
            criteria=tuple(
                Criterion(title=each.title, detail=each.detail, definition=each.definition)
                for each in found
            ),
        )

    @classmethod
    def of_preset(cls, id: str, uri: str, seen: TriedOracle) -> CheckedParams:  # noqa: A002
        """Return the report of a trial of a preset."""
        best = seen.proposals[0] if seen.proposals else None
        return cls(
            id=id,
            uri=uri,
            oracle=seen.check.oracle.name,
            health=seen.health.value,
            interesting=best is not None,
            description=seen.describe(),
            failure=ShownFailure.of(best.signature if best else None),
            runs=tuple(map(CheckedRun.of, seen.check.runs)),
            criteria=tuple(
                Criterion(
                    title=each.title,
                    detail=each.detail,
                    definition=each.definition,
                    failure=each.failure,
                )
                for each in seen.proposals
            ),
        )
