"""Mistakes in settings: their place, their wording, and the checks that involve several keys."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pollard.errors import PollardError, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
KeyPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: its file or other origin, its line (from 1; None if unknown), and a sentence.

    The sentence is one line, whatever the settings contain.
    """

    file: str
    line: int | None
    message: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(self.message))

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


class SettingsError(PollardError):
    """Settings that cannot be used; the text has one line for each of `problems`."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, problems)))


@dataclass(frozen=True, slots=True)
class Origin:
    """Where settings come from: a file name or label, the lines of the keys, and their outer table."""

    label: str
    lines: Mapping[KeyPath, int] = field(default_factory=dict)
    table: KeyPath = ()

    def problem(self, path: KeyPath, message: str) -> Problem:
        """Return a problem at the line of the key `path`, or of the nearest table around it."""
        full = (*self.table, *path)
        prefixes = (full[:length] for length in range(len(full), 0, -1))
        line = next((self.lines[prefix] for prefix in prefixes if prefix in self.lines), None)
        return Problem(self.label, line, message)

    def key(self, path: KeyPath) -> str:
        """Return the form of a key in messages: "'timeout' in [oracles.gcc-ice]"."""
        return f"'{path[-1]}'" + (f" in {self.header(path[:-1])}" if path[:-1] else "")

    def header(self, path: KeyPath) -> str:
        """Return a table's header as in the file: "[tool.pollard.oracles.gcc-ice]"."""
        return f"[{'.'.join(map(_bare_or_quoted, (*self.table, *path)))}]"


def suggestion(word: str, words: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the most similar of `words`; "" if none is similar."""
    close = difflib.get_close_matches(word, list(words), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


def broken_references(
    table: Mapping[str, Any], others: Iterable[str], origin: Origin
) -> Iterator[Problem]:
    """Yield the mistakes that involve several keys: unknown oracles and empty criteria.

    The table's values may have wrong types. `others` are the names of oracles defined elsewhere.
    """
    oracles = _table(table, "oracles")
    names = {*others, *oracles}
    for path, name in _references(table):
        if name not in names:
            yield origin.problem(path, f"no oracle is called '{name}'{known_oracles(name, names)}")
    for name in oracles:
        if _table(oracles, name).get("invalid") == {}:
            path = ("oracles", name, "invalid")
            yield origin.problem(path, f"{origin.header(path)} is empty; give a criterion")


def known_oracles(name: str, names: Iterable[str]) -> str:
    """Return the end of a sentence about an unknown oracle: a similar name, or all names."""
    known = sorted(names)
    if not known:
        return "; add a table [oracles.NAME] with its command"
    return suggestion(name, known) or f"; there are: {', '.join(known)}"


def _references(table: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    languages = _table(table, "languages")
    places: list[tuple[KeyPath, Any]] = [(("oracle",), table.get("oracle"))]
    places += [
        (("languages", key, "oracle"), _table(languages, key).get("oracle")) for key in languages
    ]
    return ((path, name) for path, name in places if isinstance(name, str))


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    inner = table.get(key)
    return inner if isinstance(inner, Mapping) else {}


def _bare_or_quoted(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else f'"{key}"'
