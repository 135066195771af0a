"""The arguments of the commands, field by field: editor plugins build on them.

Each field's metadata holds its reader. A key with the value null counts as left out; a key that is
not listed here is refused.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 (cattrs resolves the annotations)
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types as lsp  # noqa: TC002 (cattrs resolves the annotations)

from pollard.settings import readers
from pollard.settings.structure import key_of
from pollard_server.protocol.conversion import positive, range_, table, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class ReduceArguments:
    """Of `pollard.reduce`."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, which must be open."""
    range: lsp.Range | None = field(default=None, metadata=key_of(range_))
    """What may change, in the position encoding of the session; left out: the whole document."""
    version: int | None = field(default=None, metadata=key_of(whole))
    """The version of the document that `range` is meant for; left out: whatever is there."""
    oracle: str | None = field(default=None, metadata=key_of(readers.text))
    """The name of a configured oracle; left out: the default one."""
    strategy: str | tuple[str, ...] | None = field(default=None, metadata=key_of(readers.strategy))
    """A preset's name or a list of passes; left out: as configured."""
    resume: bool = field(default=False, metadata=key_of(readers.flag))
    """Continue the reduction that was cut off or stopped; `range` and `strategy` are those it had."""

    def __post_init__(self) -> None:
        if self.resume and (self.range or self.strategy):
            message = "takes 'resume' without 'range' and 'strategy', which are those it had"
            raise ValueError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsArguments:
    """Of `pollard.stop`, `pollard.pause` and `pollard.resume`: with neither key, all reductions."""

    uri: str | None = field(default=None, metadata=key_of(readers.text))
    """The document whose reduction is meant."""
    id: str | None = field(default=None, metadata=key_of(readers.text))
    """The reduction that is meant, as `pollard.reduce` returned it."""

    def __post_init__(self) -> None:
        if self.uri and self.id:
            message = "takes 'uri' or 'id', not both"
            raise ValueError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreArguments:
    """Of `pollard.restore`: puts an earlier text into the buffer."""

    uri: str = field(metadata=key_of(readers.text))
    """The document."""
    record: str | None = field(default=None, metadata=key_of(readers.text))
    """The reduction, as `pollard.history` names it; left out: the latest."""
    number: int | None = field(default=None, metadata=key_of(whole))
    """The number of the text in it; left out or 0: the original."""
    choose: bool = field(default=False, metadata=key_of(readers.flag))
    """Let the user choose the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryArguments:
    """Of `pollard.history`."""

    uri: str = field(metadata=key_of(readers.text))
    """The document."""
    record: str | None = field(default=None, metadata=key_of(readers.text))
    """Only this reduction; left out: all, and with `number` the latest."""
    number: int | None = field(default=None, metadata=key_of(whole))
    """Return the text with this number; 0 is the original. Left out: return the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusArguments:
    """Of `pollard.status`."""

    uri: str | None = field(default=None, metadata=key_of(readers.text))
    """Only this document; left out: all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OraclesArguments:
    """Of `pollard.oracles`."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, which must be open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOracleArguments:
    """Of `pollard.checkOracle`: runs the oracle on the buffer as it is, and changes nothing."""

    uri: str = field(metadata=key_of(readers.text))
    """The document, which must be open."""
    oracle: str | None = field(default=None, metadata=key_of(readers.text))
    """The name of a configured oracle; left out: the default one."""
    definition: Mapping[str, object] | None = field(default=None, metadata=key_of(table))
    """An oracle that is not configured yet: the keys of a table `[oracles.NAME]`."""
    checks: int | None = field(default=None, metadata=key_of(positive))
    """How many times it is run; left out: as configured."""

    def __post_init__(self) -> None:
        if self.oracle and self.definition:
            message = "takes 'oracle' or 'definition', not both"
            raise ValueError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigureOracleArguments:
    """Of `pollard.configureOracle`: says what a settings file with one more oracle looks like."""

    uri: str = field(metadata=key_of(readers.text))
    """The document that the oracle is for, which must be open."""
    definition: Mapping[str, object] = field(metadata=key_of(table))
    """The keys of its table; `languages` is the document's if left out."""
    name: str | None = field(default=None, metadata=key_of(readers.text))
    """Its name; an oracle of that name is replaced. Left out: a new one, after its program."""


COMMANDS: Mapping[str, type[Any]] = {
    "pollard.reduce": ReduceArguments,
    "pollard.stop": JobsArguments,
    "pollard.pause": JobsArguments,
    "pollard.resume": JobsArguments,
    "pollard.restore": RestoreArguments,
    "pollard.history": HistoryArguments,
    "pollard.status": StatusArguments,
    "pollard.oracles": OraclesArguments,
    "pollard.checkOracle": CheckOracleArguments,
    "pollard.configureOracle": ConfigureOracleArguments,
}
"""The commands and the classes of their arguments."""
