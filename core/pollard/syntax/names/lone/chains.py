"""Chains: what begins with a name, and goes on with members, indices and calls.

`self.rates[order.region]` is a chain of three links; `order.region` is one of two inside of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pollard.syntax.names.calls import with_sigil
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import leaves, text_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_OPENING = b"("
_INDICES = (b"[", b"{")
_LINK = re.compile(rb"\W*(\w+)")
# A name after one of these belongs to what is before it, and one before these is a key. A colon may be
# either: in Lua a method follows it.
MEMBER_SIGNS, _KEY_SIGNS = (b".", b"->", b"::"), (b":", b"=")


def chains_in(statement: Node, document: Document, given: frozenset[bytes]) -> Iterator[list[Node]]:
    """Yield the chains that begin with a given name: the name, what the next link adds, and so on."""
    text, texts = document.text, conventions(document.language).kinds.texts
    for leaf in leaves(statement):
        is_given = leaf.is_named and leaf.type not in texts and text_of(leaf, text) in given
        if is_given and not _is_member_or_key(leaf, document):
            yield _chain_from(leaf, statement, document)


def _chain_from(leaf: Node, statement: Node, document: Document) -> list[Node]:
    text, known = document.text, conventions(document.language)
    chain = [with_sigil(leaf, text, document.language)]
    above = chain[0].parent
    while above not in (None, statement.parent) and above.type not in known.kinds.operations:
        rest = text[chain[-1].end_byte : above.end_byte].lstrip()
        if above.start_byte != chain[0].start_byte or (
            rest and not rest.startswith(known.tokens.tails)
        ):
            break
        if rest:
            chain.append(above)
        above = above.parent
    return chain


def _is_member_or_key(leaf: Node, document: Document) -> bool:
    text, tokens = document.text, conventions(document.language).tokens
    tails = tokens.tails
    if text_of(leaf, text) in tokens.implied and text.startswith(_INDICES, leaf.end_byte):
        return True  # in Perl `$_[0]` is an element of `@_`, not of `$_`
    links = tuple(sign for sign in _KEY_SIGNS if sign in tails)
    if text.endswith((*MEMBER_SIGNS, *links), 0, leaf.start_byte):
        return True
    keys = tuple(sign for sign in _KEY_SIGNS if sign not in tails)
    return text.startswith(keys, leaf.end_byte)


def object_in(chain: Sequence[Node], text: bytes, depth: int) -> Node:
    """Return the part of a chain whose member is used so many steps before its end."""
    for inner, outer in zip(chain[-2::-1], chain[:0:-1], strict=True):
        is_call = text[inner.end_byte : outer.end_byte].lstrip().startswith(_OPENING)
        depth -= not is_call
        if not depth:
            return inner
    return chain[0]


@dataclass(frozen=True)
class ReturnedCalls:
    """Calls of some functions that have returned: direct ones, and with `methods` those of any object.

    Direct ones are those of `self`, too. Another object may be missing.
    """

    functions: Collection[bytes]
    methods: bool = False

    def cut(self, chain: list[Node], document: Document) -> list[Node]:
        """Return a chain without its beginning up to the last such call, which becomes a value."""
        text, receivers = document.text, conventions(document.language).tokens.receivers
        if self.methods:
            chain = self._after_method(chain, text)
        place = 2 if text_of(chain[0], text) in receivers else 1
        if (
            len(chain) <= place
            or text_of([*leaves(chain[place - 1])][-1], text) not in self.functions
        ):
            return chain
        is_call = text.startswith(_OPENING, chain[place - 1].end_byte)
        return chain[place:] if is_call else chain

    def _after_method(self, chain: list[Node], text: bytes) -> list[Node]:
        links = [text[inner.end_byte : outer.end_byte].lstrip() for inner, outer in pairwise(chain)]
        for place in range(len(links), 0, -1):
            name = _LINK.match(links[place - 1])
            if name is not None and name[1] in self.functions:
                is_call = any(link.startswith(_OPENING) for link in links[place : place + 1])
                return chain[place + is_call :]
        return chain


def is_assigned(node: Node) -> bool:
    """Return whether a node stands at the beginning of an assignment, alone or in a list."""
    inner, above = node, node.parent
    if above is not None and "declaration" in above.type:  # Perl's `my` is before its variables
        inner, above = above, above.parent
    start = inner.start_byte
    while above is not None and above.start_byte == start:
        if "assign" in above.type or "declarator" in above.type:
            return inner == above.named_children[0]
        if inner.end_byte != above.end_byte and "list" not in above.type:
            return False
        inner, above = above, above.parent
    return False
