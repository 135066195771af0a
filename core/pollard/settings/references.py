"""What is wrong between the keys of a table: undefined oracles, tables of criteria without any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pollard.settings.problems import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pollard.settings.problems import KeyPath, Origin, Problem


def broken_references(
    table: Mapping[str, Any], others: Iterable[str], origin: Origin
) -> Iterator[Problem]:
    """Yield the problems of a plain table, whose values may be of wrong types.

    `others` are the names of the oracles that are defined elsewhere.
    """
    oracles = _table(table, "oracles")
    names = {*others, *oracles}
    for path, name in _references(table):
        if name not in names:
            yield origin.problem(path, f"no oracle is called '{name}'{which(name, names)}")
    for name in oracles:
        if _table(oracles, name).get("invalid") == {}:
            path = ("oracles", name, "invalid")
            yield origin.problem(path, f"{origin.header(path)} is empty; give a criterion")


def which(name: str, names: Iterable[str]) -> str:
    """Return the rest of a sentence about an oracle that is not there: which ones are."""
    known = sorted(names)
    if not known:
        return "; add a table [oracles.NAME] with its command"
    return nearest(name, known) or f"; there are: {', '.join(known)}"


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
