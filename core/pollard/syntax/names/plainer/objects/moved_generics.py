"""Parameters for types that methods get from the `impl` around them when they leave it.

`impl<T> A<T> where T: B { fn f(x: T) {} }` leaves `fn f<T>(x: T) where T: B {}`. The rest of that
change is in `pollard.syntax.names.plainer.loose_members`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, text_of
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


_END, _OPENING, _CLOSING, _LIFETIME = b";", b"<", b">", b"'"
# An object, and its type in an `impl`.
_OWN = {b"self", b"Self"}


def moved_generics(
    holder: Node, body: Node, methods: Sequence[Node], document: Document
) -> Iterator[list[Edit]]:
    """Yield ways to do without the parameters of an `impl` for types: without any, or as the methods'.

    If they are only lifetimes, most methods need none.
    """
    text, fields = document.text, conventions(document.language).fields
    kind, parameters = child_in(holder, fields.types), child_in(holder, fields.type_parameter_lists)
    given = parameters.named_children if kind and parameters else []
    if all(text.startswith(_LIFETIME, each.start_byte) for each in given):
        yield []
    if kind and given:
        condition = text[kind.end_byte : body.start_byte].strip()
        yield [
            edit
            for method in methods
            for edit in _made_generic(method, given, kind, condition, document)
        ]


def _made_generic(
    method: Node, given: Sequence[Node], kind: Node, condition: bytes, document: Document
) -> Iterator[Edit]:
    """Yield the edits that give a method the parameters for types that it uses, and their condition."""
    text, known = document.text, conventions(document.language)
    name, body = (child_in(method, each) for each in (known.fields.names, known.fields.bodies))
    words = {*known.word.findall(text_of(method, text))}
    if words & _OWN:
        words.update(known.word.findall(text_of(kind, text)))
    used = [
        each for each in given if words.intersection(known.word.findall(text_of(each, text))[:1])
    ]
    if name is None or not used:
        return
    new = b", ".join(text_of(each, text) for each in used)
    is_generic = text.startswith(_OPENING, name.end_byte)
    place = name.end_byte + is_generic
    yield Edit(place, place, new + b", " if is_generic else _OPENING + new + _CLOSING)
    if condition and words.intersection(known.word.findall(condition)):
        end = body.start_byte if body else method.end_byte - text.endswith(_END, 0, method.end_byte)
        yield Edit(end, end, b" " + condition + b" ")
