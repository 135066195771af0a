"""The results of the commands, field by field. Editor plugins depend on them.

`conversion.to_json` writes their keys in camelCase (`originalBytes`); `pass_` is `pass`. Sizes are
the file's bytes, times are seconds of wall time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard_server.protocol.notifications import (
    ProgressParams,
    ShownOtherFailure,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard_server.records import FolderRecord, Record, RecordedStep

MAX_RECORDS = 20
MAX_STEPS = 1000


@dataclass(frozen=True, slots=True)
class ReduceStarted:
    """The result of `pollard.reduce` and `pollard.reduceFolder`.

    From now on `pollard/progress` reports the reduction.
    """

    id: str
    """The reduction's name in this session: `reduction-1`."""
    uri: str
    """The document or the folder."""


@dataclass(frozen=True, slots=True)
class Ids:
    """The result of `pollard.stop`, `pollard.pause` and `pollard.resume`."""

    ids: tuple[str, ...]
    """The reductions concerned; empty if none ran."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of `pollard.restore`: the text that is being put into the buffer.

    All three are null if the user is asked first (`choose`).
    """

    record: str | None
    """The record that contains the text."""
    number: int | None
    """The number of the text in that record; 0 is the original."""
    bytes: int | None
    """The size of the text."""


@dataclass(frozen=True, slots=True)
class OtherChosen:
    """The result of `pollard.reduceOther`: the failure whose text is being put into the buffer.

    All three are null if the user is asked first. `pollard/progress` reports the reduction, which
    begins when the buffer has the text.
    """

    record: str | None
    """The record of the reduction that saw the failure; of a document, the new one continues it."""
    number: int | None
    """The number of the failure in that record."""
    bytes: int | None
    """The size of its smallest text."""


@dataclass(frozen=True, slots=True)
class ReportWritten:
    """The result of `pollard.report`."""

    record: str
    """The reduction that the page is about."""
    uri: str
    """The page, a file in the record; the next report on this reduction replaces it."""
    shown: bool
    """Whether the editor was asked to open it; if not, a message says where it is, unless `show` is
    false."""


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One accepted text of a reduction."""

    number: int
    """Its number, from 1; `pollard.history` and `pollard.restore` take it."""
    bytes: int
    """The size of the whole document, or of all files."""
    runs: int
    """Runs of the oracle from the beginning up to this text."""
    seconds: float
    """Time from the beginning up to this text."""
    pass_: str
    """The pass that found it and its level: `hddh level 5`."""

    @classmethod
    def of(cls, step: RecordedStep) -> HistoryStep:
        """Return the report of a step."""
        return cls(step.number, step.bytes, step.runs, step.seconds, step.where)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRecord:
    """One reduction of the document, or a text that was kept before another one was restored."""

    id: str
    """Its name among the records of the document or folder; `pollard.history` and, for a document,
    `pollard.restore` take it."""
    status: str
    """`running`, `finished`, `stopped`, `failed`, `interrupted` (its server is gone) or `kept` (no
    reduction, but the user's text before a restore: its text 0)."""
    started: str
    """When it began: ISO 8601, UTC."""
    oracle: str
    """The oracle's name; empty if unknown."""
    strategy: str
    """The strategy's name; `default` is the engine's choice, empty if unknown."""
    continues: str | None
    """The record that it continues, from its result or from the user's changes to that; null if
    none."""
    language: str | None
    """The language it was parsed as, null if none."""
    region: tuple[int, int] | None
    """The span of bytes of the original that could change, null for all of it."""
    original_bytes: int
    """The size of its original, the text 0."""
    bytes: int
    """The size of its best text."""
    runs: int
    """Runs of the oracle."""
    seconds: float
    """The time that the reduction took."""
    steps: tuple[HistoryStep, ...]
    """Its accepted texts in order; the last 1000 if there are more. Those of a folder are known as long
    as the folder does not change."""
    others: tuple[ShownOtherFailure, ...]
    """The other failures that candidates showed, once it has ended."""

    @classmethod
    def of(cls, record: Record | FolderRecord) -> HistoryRecord:
        """Return the report of a record."""
        return cls(
            id=record.id,
            status=record.status,
            started=record.started,
            oracle=record.oracle,
            strategy=record.strategy,
            continues=record.continues,
            language=record.language,
            region=record.region,
            original_bytes=record.original_bytes,
            bytes=record.bytes,
            runs=record.runs,
            seconds=record.seconds,
            steps=tuple(map(HistoryStep.of, record.steps()[-MAX_STEPS:])),
            others=ShownOtherFailure.all_of(record.others),
        )


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """The result of `pollard.history` without a number."""

    records: tuple[HistoryRecord, ...]
    """The newest 20, oldest first; of a folder the latest."""

    @classmethod
    def of(cls, records: Sequence[Record | FolderRecord]) -> HistoryReport:
        """Return the report of the records of a document or a folder."""
        return cls(tuple(map(HistoryRecord.of, records[-MAX_RECORDS:])))


@dataclass(frozen=True, slots=True)
class HistoryText:
    """The result of `pollard.history` with a number."""

    text: str
    """The whole document as it was at that step."""


@dataclass(frozen=True, slots=True)
class HistoryFolder:
    """The result of `pollard.history` with a number, for a folder."""

    folder: str
    """The URI of a folder in the state directory with the files as they were at that step; the next
    such request replaces it."""


@dataclass(frozen=True, slots=True)
class StatusReport:
    """The result of `pollard.status`."""

    reductions: tuple[ProgressParams, ...]
    """The running and paused reductions of this session, each as last reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleChoice:
    """One oracle that is offered for the document."""

    name: str
    """Its name; `pollard.reduce` and `pollard.checkOracle` take it."""
    command: str
    """Its command, for people: invisible characters are made visible."""
    is_default: bool
    """Whether this oracle runs if the request names none."""
    obstacle: str | None
    """Why it cannot run and what to do about it; null if it can, once you consent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleChoices:
    """The result of `pollard.oracles`: the oracles that can be used for the document."""

    language: str | None
    """The document's language, null if no grammar knows it."""
    oracles: tuple[OracleChoice, ...]
    """The oracles that are offered for the document, the default one first."""
    obstacle: str | None
    """Why none can run and what to do about it; null if one can."""
    reason: str | None
    """The kind of obstacle: `untrusted`, `settings` (they have a mistake or are not available) or
    `none` (no oracle is configured for the document); null without one."""
    file: str | None
    """The URI of the settings file in force; null if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """The result of `pollard.configureOracle`: what the plugin has to write, and where."""

    name: str
    """The oracle's name."""
    uri: str
    """The settings file: the one in force, or a new `pollard.toml` in the workspace."""
    text: str
    """The new content of the file: the present content with the oracle added."""
    created: bool
    """Whether the file does not exist yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownQuestion:
    """What a preset asks the user."""

    name: str
    """Its name; `answers` of `pollard.checkOracle` has the answer under it."""
    prompt: str
    """The question, for people: `After what time does it hang`."""
    default: str
    """The answer to suggest; for a command that of the document's language. Empty if there is none."""
    optional: bool
    """Whether the answer may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetChoice:
    """A kind of failure for which Pollard knows the right oracle."""

    name: str
    """Its name; `pollard.checkOracle` takes it."""
    title: str
    """The kind of failure, for people: `It hangs`."""
    detail: str
    """What belongs to it, for people."""
    questions: tuple[ShownQuestion, ...]
    """What to ask the user, in this order."""


@dataclass(frozen=True, slots=True)
class PresetChoices:
    """The result of `pollard.presets`."""

    presets: tuple[PresetChoice, ...]
    """The presets in the order in which to offer them."""


@dataclass(frozen=True, slots=True)
class CheckStarted:
    """The result of `pollard.checkOracle`; `pollard/checked` will report the outcome."""

    id: str
    """The check's name in this session: `check-1`."""
    uri: str
    """The document."""
