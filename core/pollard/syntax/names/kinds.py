"""Kinds of nodes by the names that grammars give them, and which there may be in a document."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pollard.syntax.grammars.patterns import Patterns
from pollard.syntax.islands.islands import NO_ISLANDS, islands_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Language

    from pollard.syntax.tree.document import Document


#: The kinds of imports.
IMPORT = re.compile("import|using|(^|_)use_")
#: The kinds of what says which names others may use.
EXPORT = re.compile("export|exposing|(^|_)public_")
#: The kinds of forward declarations of functions, where they end with a semicolon.
FORWARD = re.compile(
    "(^|_)(function|method|procedure|subprogram)_(declaration|signature_item)$|^declProc$"
)
#: The kinds of what has a body; a function's type has none.
FUNCTION = re.compile(
    "(^|_)(closure|constructor|func|function|lambda|method|procedure|subroutine)(_|$)(?!.*type)"
    "|^defProc$"
)


def has_kind(document: Document, pattern: re.Pattern[str]) -> bool:
    """Tell whether a document may have nodes in whose kind's name a pattern is found.

    It may not if its grammar knows no such kind and there are no other languages inside.
    """
    if document.language is None:
        return False
    return _knows(document.language, pattern) or islands_of(document) is not NO_ISLANDS


def has_forward(document: Document) -> bool:
    """Tell whether a document may have forward declarations: nodes of their kinds without a body."""
    if document.language is None or not has_kind(document, FORWARD):
        return False
    found = _forward(document.language).matches(document.root, document.text)
    return islands_of(document) is not NO_ISLANDS or any(True for _ in found)


@cache
def _forward(language: Language) -> Patterns:
    without = "!body" if language.field_id_for_name("body") else ""
    kinds = filter(FORWARD.search, kind_names(language))
    return Patterns("\n".join(f"({kind} {without}) @forward" for kind in kinds), language)


@cache
def _knows(language: Language, pattern: re.Pattern[str]) -> bool:
    return any(map(pattern.search, kind_names(language)))


def kind_names(language: Language) -> Iterator[str]:
    """Yield the names of a grammar's kinds."""
    kinds = map(language.node_kind_for_id, range(language.node_kind_count))
    return (kind for kind in kinds if kind is not None)
