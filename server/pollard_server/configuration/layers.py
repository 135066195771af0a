"""Lays the editor's settings over those of the settings file, and remembers whose an oracle is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pollard.settings import Problem, Settings, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pollard_server.configuration.reading import Reading

EDITOR = "the editor's settings"
OPTIONS = "the client's initialization options"
#: Settings of the section that are the editor extension's own business.
EXTENSION_KEYS = frozenset({"path", "interpreter", "trace"})
SECTION = "pollard"


@dataclass(frozen=True, slots=True)
class DocumentSettings:
    """The settings that hold for a document.

    `file` is the settings file, None without one. `sources` tells for each oracle's name which
    layer defines it: the path of the settings file, `EDITOR` or `OPTIONS`.
    """

    settings: Settings
    file: Path | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    def origin_of(self, oracle: str) -> str:
        """Return where the oracle of that name is defined, in words for a user."""
        return self.sources.get(oracle, EDITOR)


def laid_over(reading: Reading, layers: Iterable[tuple[str, object]]) -> DocumentSettings:
    """Return the settings of `reading` with `layers` over them, the last one on top.

    A layer is its label and what the editor sent for it. Raises `SettingsError` with the problems of
    the lowest layer that has any, since those above may only be wrong because of it.
    """
    if reading.error is not None:
        raise reading.error
    settings = reading.settings
    sources = dict.fromkeys(settings.oracles, str(reading.file))
    for label, value in layers:
        table = section(value, label)
        if table:  # an empty layer must not become the place where later problems are seen
            settings = settings.merge(table, label)
        sources |= dict.fromkeys(table.get("oracles", ()), label)
    return DocumentSettings(settings, reading.file, sources)


def section(value: object, label: str) -> dict[str, Any]:
    """Return Pollard's own table in what an editor sent, without what it left unset.

    The table may be wrapped in `{"pollard": ...}`, which then is all that counts. Raises
    `SettingsError` if it is no table.
    """
    if isinstance(value, Mapping) and SECTION in value:
        value = value[SECTION]
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        message = "the section 'pollard' must be a table of settings"
        raise SettingsError([Problem(label, None, message)])
    return {key: _set(item) for key, item in value.items() if _counts(key, item)}


def _counts(key: str, item: object) -> bool:
    return item is not None and key not in EXTENSION_KEYS


def _set(value: Any) -> Any:
    """Drop the nulls inside, which stand for what is left unset."""
    if isinstance(value, Mapping):
        return {key: _set(item) for key, item in value.items() if item is not None}
    return value
