"""Kinds of nodes by the names that grammars give them, and which there may be in a document."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pollard.syntax.islands import NOWHERE, islands_of

if TYPE_CHECKING:
    from tree_sitter import Language

    from pollard.syntax.document import Document


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
    return _knows(document.language, pattern) or islands_of(document) is not NOWHERE


@cache
def _knows(language: Language, pattern: re.Pattern[str]) -> bool:
    kinds = map(language.node_kind_for_id, range(language.node_kind_count))
    return any(kind is not None and pattern.search(kind) for kind in kinds)
