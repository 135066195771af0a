"""Merges the editor's settings with those of the settings file, and knows each oracle's source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pollard.settings import Problem, Settings, SettingsError
from pollard.settings.structure import without_nulls

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pollard_server.configuration.reading import FileSettings

EDITOR = "the editor's settings"
OPTIONS = "the client's initialization options"
#: Keys of the section that only concern the editor's extension.
EXTENSION_KEYS = frozenset({"path", "interpreter", "trace"})
SECTION = "pollard"


@dataclass(frozen=True, slots=True)
class DocumentSettings:
    """The settings that are in force for a document.

    `file` is the settings file, None without one. `sources` has for each oracle's name the layer
    that defines it: the path of the settings file, `EDITOR` or `OPTIONS`.
    """

    settings: Settings
    file: Path | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    def origin_of(self, oracle: str) -> str:
        """Return, for users, where the oracle of that name is defined."""
        return self.sources.get(oracle, EDITOR)


def merged_layers(reading: FileSettings, layers: Iterable[tuple[str, object]]) -> DocumentSettings:
    """Return the settings of `reading` with `layers` merged over them, the last one on top.

    A layer is its label and what the editor sent for it. Raises `SettingsError` with the problems
    of the lowest layer that has any, since mistakes in higher layers may only follow from them.
    """
    if reading.error is not None:
        raise reading.error
    settings = reading.settings
    sources = dict.fromkeys(settings.oracles, str(reading.file))
    for label, value in layers:
        table = section(value, label)
        if table:  # else later problems would be blamed on an empty layer
            settings = settings.merge(table, label)
        sources |= dict.fromkeys(table.get("oracles", ()), label)
    return DocumentSettings(settings, reading.file, sources)


def section(value: object, label: str) -> dict[str, Any]:
    """Return Pollard's own table in the settings that an editor sent, without unset keys.

    If the table is wrapped in `{"pollard": ...}`, only that part counts. Raises `SettingsError` if
    it is not a table.
    """
    if isinstance(value, Mapping) and SECTION in value:
        value = value[SECTION]
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        message = "the section 'pollard' must be a table of settings"
        raise SettingsError([Problem(label, None, message)])
    given: dict[str, Any] = without_nulls(value)
    return {key: item for key, item in given.items() if key not in EXTENSION_KEYS}
