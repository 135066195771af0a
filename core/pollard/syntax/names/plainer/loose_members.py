"""Members of a class that become functions and variables around it, which need no object.

`class A { int f() { } }; int x = A().f();` becomes `int f() { } int x = f();`. Where the class is still
named, it stays without members. In Rust a method gets the fields of `self` that it uses as parameters,
or else `self` as one: `impl A { fn f(&self) {} }` and `a.f()` become `fn f(s: &A) {}` and `f(&mut a)`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import child_in, defined, defining, leaves, nodes, text_of
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit, outermost

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document


_END, _EMPTY = b";", b"{}"
_THROUGH_POINTER, _PATH = b"->", b"::"
# The class itself, in Rust.
_OWN_TYPE = b"Self"
_LIFETIMES = re.compile(rb"<'[^<>]*>$")
# An object that is a parameter like others, and its name then.
_SELF, _PARAMETER, _DOT, _BORROWED = b"self", b"s", b".", b"&mut "
_SELF_WORD = re.compile(rb"\bself\b")


def loosened(document: Document) -> Iterator[list[Edit]]:
    """Yield, for each class or the like, the edits that put its members in its place.

    Scripts are left out: in most of their languages a method is no function without its class.
    """
    known = conventions(document.language)
    if known.runs_statements:
        return
    parts = [*nodes(document.root)]
    for holder in parts:
        body = child_in(holder, known.fields.bodies)
        if body is None or holder.type in known.kinds.functions | known.kinds.enumerations:
            continue
        methods = [child for child in body.named_children if child.type in known.kinds.functions]
        if methods and holder.type not in known.kinds.namespaces and holder.parent is not None:
            yield _edits(holder, body, methods, parts, document)
            yield _with_parameters(holder, body, methods, parts, document)


def _with_parameters(
    holder: Node, body: Node, methods: Sequence[Node], parts: Sequence[Node], document: Document
) -> list[Edit]:
    """Return the edits that put methods in the place of a class, with `self` as a usual parameter."""
    given = _given_receivers(holder, methods, document)
    edits = [edit for edits in given.values() for edit in edits]
    edits += [edit for part in parts if given for edit in _passed(part, given, document)]
    head = Edit(holder.start_byte, body.children[0].end_byte)
    end = Edit(body.children[-1].start_byte, holder.end_byte)
    return outermost([head, *edits, end]) if edits else []


def _given_receivers(
    holder: Node, methods: Sequence[Node], document: Document
) -> dict[bytes, list[Edit]]:
    """Map methods to the edits that make `self` a usual parameter, of the type of the class.

    Nothing if a language's methods do not say how they get their object, or a word is taken.
    """
    text, known = document.text, conventions(document.language)
    kind = child_in(holder, known.fields.types)
    found: dict[bytes, list[Edit]] = {}
    for method in methods if kind else ():
        name = child_in(method, known.fields.names)
        parameters = child_in(method, known.fields.parameter_lists)
        first = parameters.named_children[0] if parameters and parameters.named_children else None
        if first is None or name is None or kind is None:
            continue
        receiver = text_of(first, text)
        if receiver in known.tokens.receivers and receiver.endswith(_SELF):
            uses = [leaf for leaf in leaves(method) if text_of(leaf, text) == _SELF]
            plain = _LIFETIMES.sub(b"", text_of(kind, text))
            declared = _PARAMETER + b": " + receiver.removesuffix(_SELF) + plain
            edits = [Edit(*leaf.byte_range, _PARAMETER) for leaf in uses]
            found[text_of(name, text)] = [*edits, Edit(*first.byte_range, declared)]
    is_taken = any(text_of(leaf, text) == _PARAMETER for leaf in leaves(document.root))
    return {} if is_taken else found


def _passed(call: Node, given: Collection[bytes], document: Document) -> Iterator[Edit]:
    """Yield the edits that pass the object of a call of one of some methods as its first argument."""
    text, known = document.text, conventions(document.language)
    called, arguments = (
        child_in(call, each) for each in (known.fields.called, known.fields.arguments)
    )
    member = child_in(called, known.fields.members) if called else None
    if called and member and arguments and text_of(member, text) in given:
        bracket = arguments.children[0]
        whole = text[called.start_byte : member.start_byte].rstrip().removesuffix(_DOT)
        passed = _SELF_WORD.sub(_PARAMETER, whole)
        separator = b", " if arguments.named_child_count else b""
        new = (b"" if whole == _SELF else _BORROWED) + passed
        yield Edit(called.start_byte, member.start_byte)
        yield Edit(*bracket.byte_range, text_of(bracket, text) + new + separator)


def _edits(
    holder: Node, body: Node, methods: Sequence[Node], parts: Sequence[Node], document: Document
) -> list[Edit]:
    """Return the edits that put the members of a class, some of which are methods, in its place."""
    text, language = document.text, document.language
    known = conventions(language)
    members = {name for child in body.named_children for name in defined(child, text, language)}
    edits = [edit for method in methods for edit in _without_receiver(method, parts, document)]
    own = frozenset(text_of(leaf, text) for leaf in defining(holder, text, language)) - members
    kind = child_in(holder, known.fields.types)
    names = own or {text_of(kind, text) if kind else b""}
    for part in parts:
        start = _object_start(part, text, known) if text_of(part, text) in members else None
        if start is not None and _is_of_class(text[start : part.start_byte], {*names, _OWN_TYPE}):
            edits.append(Edit(start, part.start_byte))
    heads = _heads(holder, body, names, parts, document)
    is_named = any(
        not any(edit.start <= start < edit.end for edit in (*heads, *edits))
        for name in names
        for start, _ in identifiers(document).get(name, ())
    )
    after = holder.next_sibling
    has_end = after is not None and text_of(after, text) == _END
    closing = body.children[-1]
    edits.append(Edit(closing.start_byte, after.end_byte if after and has_end else holder.end_byte))
    if is_named and own:
        edits.append(Edit(*body.children[0].byte_range, _EMPTY + _END * has_end))
    else:
        edits += heads[:1] if is_named else heads
    return outermost([*dict.fromkeys(edits)])


def _heads(
    holder: Node, body: Node, names: Collection[bytes], parts: Sequence[Node], document: Document
) -> list[Edit]:
    """Return the edits that remove what is before the members of a class, and what else is the class.

    In Rust that is the structure whose methods are in an `impl`.
    """
    text, known = document.text, conventions(document.language)
    structures = (
        part.parent for part in parts if part.type in known.kinds.field_lists and part != body
    )
    others = [
        Edit(*each.byte_range)
        for each in structures
        if each and text_of(child_in(each, known.fields.names) or each, text) in names
    ]
    return [Edit(holder.start_byte, body.children[0].end_byte), *others]


def _is_of_class(before: bytes, scopes: Collection[bytes]) -> bool:
    """Return whether what is before a member is an object, or a path of its class alone."""
    return not before.endswith(_PATH) or before.removesuffix(_PATH) in scopes


def _object_start(name: Node, text: bytes, known: Conventions) -> int | None:
    """Return where the object or the class of a member begins, before its name; None without one."""
    before = text[: name.start_byte].rstrip()
    sign = next(filter(before.endswith, (*known.tokens.path_separators, _THROUGH_POINTER)), None)
    above = name.parent
    while sign and above is not None and above.start_byte >= len(before) - len(sign):
        above = above.parent
    return above.start_byte if sign and above is not None else None


def _without_receiver(method: Node, parts: Sequence[Node], document: Document) -> Iterator[Edit]:
    """Yield the edits that put the fields of `self` that a method uses in the place of `self`."""
    text, known = document.text, conventions(document.language)
    parameters = child_in(method, known.fields.parameter_lists)
    first = parameters.named_children[0] if parameters and parameters.named_children else None
    if parameters is None or first is None or text_of(first, text) not in known.tokens.receivers:
        return
    receiver = text_of(first, text).split()[-1].lstrip(b"&")
    used: dict[bytes, None] = {}
    types = dict(_field_types(parts, document))
    for node in nodes(method):
        member = child_in(node, known.fields.members)
        name = text_of(member, text) if member else b""
        if member and name in types and text_of(node, text) == receiver + b"." + name:
            used[name] = None
            yield Edit(node.start_byte, member.start_byte)
    sign = text_of(first, text).removesuffix(receiver)
    is_reference = sign.startswith(b"&")
    new = [
        name + b": " + sign + types[name] if is_reference else sign + name + b": " + types[name]
        for name in used
    ]
    rest = parameters.named_children[1:]
    end = rest[0].start_byte if rest and not new else first.end_byte
    yield Edit(first.start_byte, end, b", ".join(new))


def _field_types(parts: Sequence[Node], document: Document) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the type of each field of a structure."""
    text, known = document.text, conventions(document.language)
    for part in parts:
        if part.type in known.kinds.field_lists:
            for field in part.named_children:
                kind = child_in(field, known.fields.types)
                for name in defining(field, text, document.language)[:1] if kind else ():
                    yield text_of(name, text), text_of(kind, text) if kind else b""
