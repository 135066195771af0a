"""The arguments of the commands, field by field. Editor plugins depend on them.

Each field's metadata has its reader. A key with the value null counts as absent; an unknown key is
an error.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 (cattrs resolves the annotations)
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types as lsp  # noqa: TC002 (cattrs resolves the annotations)

from pollard.settings import readers
from pollard.settings.structure import key_of
from pollard_server.protocol.conversion import positive, range_, table, texts_by_name, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceArguments:
    """The arguments of `pollard.reduce`."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, which must be open."""
    range: lsp.Range | None = field(default=None, metadata=key_of(range_))
    """The part that may change, in the session's position encoding; by default the whole document."""
    version: int | None = field(default=None, metadata=key_of(whole))
    """The version of the document that `range` refers to; by default the present one."""
    oracle: str | None = field(default=None, metadata=key_of(readers.text))
    """The name of a configured oracle; without it, the default one."""
    diagnostic: str | None = field(default=None, metadata=key_of(readers.text))
    """Instead of an oracle, a diagnostic that its tool must still report: `TOOL:CODE MESSAGE`, as
    `--diagnostic` takes it. The tool runs as the page on diagnostics says. TOOL can also be the name
    of an oracle that is a language server, or `editor`."""
    strategy: str | tuple[str, ...] | None = field(default=None, metadata=key_of(readers.strategy))
    """A preset's name or a list of passes; by default as configured."""
    resume: bool = field(default=False, metadata=key_of(readers.flag))
    """Continue the reduction that was interrupted or stopped, or ended at a limit, with the `range` and
    `strategy` that it had."""

    def __post_init__(self) -> None:
        if self.resume and (self.range or self.strategy):
            message = "takes 'resume' without 'range' and 'strategy', which are those it had"
            raise ValueError(message)
        if self.diagnostic and (self.oracle or self.resume):
            message = "takes 'diagnostic' without 'oracle' and 'resume'"
            raise ValueError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceFolderArguments:
    """The arguments of `pollard.reduceFolder`, which reduces a folder into a new one beside it."""

    uri: str = field(metadata=key_of(readers.text))
    """The folder, which must be on disk."""
    oracle: str | None = field(default=None, metadata=key_of(readers.text))
    """The name of a configured oracle; without it, the default one."""
    main: str | None = field(default=None, metadata=key_of(readers.text))
    """The URI of the main file, for an oracle that runs on `{file}` or reads it; plugins send the file
    that is open. It does not count if it is not in the folder, and with `resume`."""
    resume: bool = field(default=False, metadata=key_of(readers.flag))
    """Continue the reduction of the folder that was interrupted or stopped, or ended at a limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsArguments:
    """The arguments of `pollard.stop`, `pollard.pause` and `pollard.resume`; none means all jobs."""

    uri: str | None = field(default=None, metadata=key_of(readers.text))
    """The document or folder of the reduction."""
    id: str | None = field(default=None, metadata=key_of(readers.text))
    """The reduction, as returned by `pollard.reduce`."""

    def __post_init__(self) -> None:
        if self.uri and self.id:
            message = "takes 'uri' or 'id', not both"
            raise ValueError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreArguments:
    """The arguments of `pollard.restore`, which puts an earlier text into the buffer."""

    uri: str = field(metadata=key_of(readers.text))
    """The document."""
    record: str | None = field(default=None, metadata=key_of(readers.text))
    """The reduction, as named by `pollard.history`; by default the latest."""
    number: int | None = field(default=None, metadata=key_of(whole))
    """The number of the text in that record; by default 0, the original."""
    choose: bool = field(default=False, metadata=key_of(readers.flag))
    """Let the user choose the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceOtherArguments:
    """The arguments of `pollard.reduceOther`, which reduces a failure of another kind."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, which must be open, or a folder on disk."""
    record: str | None = field(default=None, metadata=key_of(readers.text))
    """The reduction that saw the failure, as named by `pollard.history`; with `number`, by default
    the latest that saw any."""
    number: int | None = field(default=None, metadata=key_of(positive))
    """The number of the failure in that reduction; by default let the user choose, of all reductions
    unless `record` names one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportArguments:
    """The arguments of `pollard.report`, which writes a page on a reduction."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, or a folder on disk."""
    record: str | None = field(default=None, metadata=key_of(readers.text))
    """The reduction, as named by `pollard.history`; by default the latest that accepted a text. Of a
    folder it is always the latest."""
    show: bool = field(default=True, metadata=key_of(readers.flag))
    """Let the editor open the page in the browser; by default it does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryArguments:
    """The arguments of `pollard.history`."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, or a folder on disk."""
    record: str | None = field(default=None, metadata=key_of(readers.text))
    """Only this reduction; by default all, or with `number` the latest."""
    number: int | None = field(default=None, metadata=key_of(whole))
    """Return the text or the files with this number; 0 is the original. By default return the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusArguments:
    """The arguments of `pollard.status`."""

    uri: str | None = field(default=None, metadata=key_of(readers.text))
    """Only this document; by default all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OraclesArguments:
    """The arguments of `pollard.oracles`."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, which must be open, or a folder on disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetsArguments:
    """The arguments of `pollard.presets`."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, which must be open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOracleArguments:
    """The arguments of `pollard.checkOracle`, which runs the oracle on the unchanged buffer."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, which must be open."""
    oracle: str | None = field(default=None, metadata=key_of(readers.text))
    """The name of a configured oracle; without it, the default one."""
    definition: Mapping[str, object] | None = field(default=None, metadata=key_of(table))
    """An oracle that is not configured yet: the keys of a table `[oracles.NAME]`."""
    preset: str | None = field(default=None, metadata=key_of(readers.text))
    """The name of a preset, as returned by `pollard.presets`, whose oracle is to be tried."""
    answers: Mapping[str, str] | None = field(default=None, metadata=key_of(texts_by_name))
    """The answers to the preset's questions, by their names."""
    checks: int | None = field(default=None, metadata=key_of(positive))
    """How many times to run the oracle; by default as configured. Presets know it themselves."""
    sandbox: bool = field(default=True, metadata=key_of(readers.flag))
    """With false a configured oracle runs without its sandbox, which takes a consent of its own."""

    def __post_init__(self) -> None:
        if self.is_trial and not self.sandbox:
            message = "takes 'sandbox' only with an oracle that is configured"
            raise ValueError(message)
        if sum(map(bool, (self.oracle, self.definition, self.preset))) > 1:
            message = "takes 'oracle', 'definition' or 'preset', only one of them"
            raise ValueError(message)
        if self.answers is not None and not self.preset:
            message = "takes 'answers' only with 'preset'"
            raise ValueError(message)

    @property
    def is_trial(self) -> bool:
        """Whether the oracle is not configured yet."""
        return self.definition is not None or self.preset is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigureOracleArguments:
    """The arguments of `pollard.configureOracle`, which adds an oracle to the settings' text."""

    uri: str = field(metadata=key_of(readers.text))
    """The document that the oracle is for, which must be open."""
    definition: Mapping[str, object] = field(metadata=key_of(table))
    """The keys of the oracle's table; `languages` is by default the document's."""
    name: str | None = field(default=None, metadata=key_of(readers.text))
    """The oracle's name; replaces an oracle of that name. By default a new name, after the program."""


COMMANDS: Mapping[str, type[Any]] = {
    "pollard.reduce": ReduceArguments,
    "pollard.reduceFolder": ReduceFolderArguments,
    "pollard.stop": JobsArguments,
    "pollard.pause": JobsArguments,
    "pollard.resume": JobsArguments,
    "pollard.restore": RestoreArguments,
    "pollard.reduceOther": ReduceOtherArguments,
    "pollard.report": ReportArguments,
    "pollard.history": HistoryArguments,
    "pollard.status": StatusArguments,
    "pollard.oracles": OraclesArguments,
    "pollard.presets": PresetsArguments,
    "pollard.checkOracle": CheckOracleArguments,
    "pollard.configureOracle": ConfigureOracleArguments,
}
"""The commands and the classes of their arguments."""
