"""What Pollard knows about each language by name: its ids, its relatives and how its files are called.

The facts are data, in `languages.toml`; a new language needs a new entry there and no code. The file is
read on first use, so that a command which needs no language does not pay for it.

Why not a library for file types? Neither covers enough to replace the entries. Of 466 extensions, 135
file names and 89 interpreters, Pygments 2.21 maps 212, 40 and none to the same language (for 29 of
those extensions it offers others too), and identify 2.6 maps 181, 54 and 15. With either, more than
half of the entries would stay, next to a second table that translates the library's names into
grammars.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Mapping


#: The ids that editors send for text that no grammar describes.
PLAIN = frozenset({"plaintext", "text", "txt", "binary", "none"})


@dataclass(frozen=True, slots=True)
class _Facts:
    """One entry of `languages.toml`, each value as a tuple of words."""

    grammar: tuple[str, ...] = ()
    relative: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()


_NOTHING = _Facts()


def canonical(language_id: str) -> str:
    """Return the canonical id for any name of a language; an unknown name in lower case.

    Case, blanks, hyphens and underscores do not matter.
    """
    name = language_id.strip().lower()
    return _canonical_ids().get(_key(name), name)


def grammar_name(canonical_id: str) -> str:
    """Return what tree-sitter's packages call the language: "bash" for "shellscript"."""
    return next(iter(_facts(canonical_id).grammar), canonical_id)


def readers(canonical_id: str) -> tuple[str, ...]:
    """Return the languages whose grammars parse a language, the best first: itself, its relative."""
    return (canonical_id, *_facts(canonical_id).relative)


def aliases(canonical_id: str) -> tuple[str, ...]:
    """Return the other names of a language, the grammar's own first."""
    return _facts(canonical_id).grammar + _facts(canonical_id).aliases


def extensions_of(canonical_id: str) -> tuple[str, ...]:
    """Return the extensions of a language's files without the dot, the usual one first."""
    return _facts(canonical_id).extensions


@cache
def relatives() -> Mapping[str, str]:
    """Return the language that stands in for each language whose own grammar may be missing."""
    return {name: facts.relative[0] for name, facts in _table().items() if facts.relative}


@cache
def extensions() -> Mapping[str, str]:
    """Return the canonical id for each extension (without the dot)."""
    return {word: name for name, facts in _table().items() for word in facts.extensions}


@cache
def file_names() -> Mapping[str, str]:
    """Return the canonical id for each file name that belongs to one language."""
    return {word: name for name, facts in _table().items() for word in facts.files}


@cache
def interpreters() -> Mapping[str, str]:
    """Return the canonical id for each interpreter that a `#!` line may name."""
    return {word: name for name, facts in _table().items() for word in facts.interpreters}


@cache
def _canonical_ids() -> Mapping[str, str]:
    names = ((name, other) for name in _table() for other in (name, *aliases(name)))
    return {_key(other): name for name, other in names}


def _key(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "")


def _facts(canonical_id: str) -> _Facts:
    return _table().get(canonical_id, _NOTHING)


@cache
def _table() -> Mapping[str, _Facts]:
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    keys = [field.name for field in fields(_Facts)]
    return {
        name: _Facts(*(tuple(entry.get(key, "").split()) for key in keys))
        for name, entry in tomllib.loads(text).items()
    }
