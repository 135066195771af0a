"""Members of a class that become functions and variables around it, which need no object.

`class A { int f() { } }; int x = A().f();` becomes `int f() { } int x = f();`. Where the class is still
named, it stays without members. In Rust a method gets the fields of `self` that it uses as parameters,
or else `self` as one: `impl A { fn f(&self) {} }` and `a.f()` become `fn f(s: &A) {}` and `f(&a)`.
Where a text is read from its beginning, as in C++, fields and types go before the first method, which
may use them: `struct A { void f() { x = 0; } int x; };` becomes `int x; void f() { x = 0; }`.
Where all is in a class, as in Java, members of a class become those of the class around it, or of one
that uses it: `static class A { int f() { } }` and `new A().f()` become `static int f() { }` and `f()`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    defined,
    defining,
    end_with_semicolon,
    inside,
    is_in,
    leaves,
    nodes,
    text_of,
)
from pollard.syntax.names.plainer.objects.moved_generics import moved_generics
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.edits import Edit, apply, outermost

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document


_END, _EMPTY = b";", b"{}"
_OPENING = b"<"
_THROUGH_POINTER, _PATH = b"->", b"::"
# The class itself, in Rust.
_OWN_TYPE = b"Self"
_LIFETIMES = re.compile(rb"<'[^<>]*>$")
# An object that is a parameter like others, and the names that it may get then.
_SELF, _PARAMETERS, _DOT = b"self", b"stuvwxyzabcdefghijklmnopqr", b"."
_SELF_WORD = re.compile(rb"\bself\b")
# In the kinds of nodes such as `private`.
_MODIFIER = "modifier"
# In the kinds of nodes that have a value.
_EXPRESSION = "expression"
# Before the object of a method that does not get it by value.
_REFERENCE = b"&"


class _Given(NamedTuple):
    """A method that gets its object as a parameter, the sign of that, and the edits that make it so."""

    method: Node
    sign: bytes
    edits: list[Edit]

    @property
    def is_reference(self) -> bool:
        return self.sign.startswith(_REFERENCE)


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
        methods = [*_methods(body, known)]
        is_interface = not all(child_in(each, known.fields.bodies) for each in methods)
        if known.tokens.objectless and is_interface:
            continue
        if methods and holder.type not in known.kinds.namespaces and holder.parent is not None:
            for generics in moved_generics(holder, body, methods, document):
                yield _edits(holder, body, methods, parts, generics, document)
                yield _with_parameters(holder, body, methods, parts, generics, document)


def _methods(body: Node, known: Conventions) -> Iterator[Node]:
    """Yield the methods among members, also those at the end of a template."""
    for child in body.named_children:
        last = child.named_children[-1:] if child.type in known.kinds.templates else []
        yield from (each for each in (child, *last) if each.type in known.kinds.functions)


def _with_parameters(
    holder: Node,
    body: Node,
    methods: Sequence[Node],
    parts: Sequence[Node],
    generics: Sequence[Edit],
    document: Document,
) -> list[Edit]:
    """Return the edits that put methods in the place of a class, with `self` as a usual parameter."""
    taken = {text_of(leaf, document.text) for leaf in leaves(document.root)}
    free = (bytes([letter]) for letter in _PARAMETERS)
    name = next((each for each in free if each not in taken), None)
    if name is None:
        return []
    given = _given_receivers(holder, methods, name, document, is_generic=bool(generics))
    edits = [edit for each in given.values() for edit in each.edits]
    edits += [edit for part in parts if given for edit in _passed(part, given, name, document)]
    head = Edit(holder.start_byte, body.children[0].end_byte)
    end = Edit(body.children[-1].start_byte, holder.end_byte)
    own = [
        *_own_types(holder, methods, document),
        *_without_paths(holder, methods, parts, document),
    ]
    return outermost([head, *edits, *own, *generics, end]) if edits else []


def _without_paths(
    holder: Node, methods: Sequence[Node], parts: Sequence[Node], document: Document
) -> Iterator[Edit]:
    """Yield the edits that leave the name of a method where it stands in a path of its class."""
    text, known = document.text, conventions(document.language)
    kind = child_in(holder, known.fields.types)
    scopes = {_OWN_TYPE, _plain_name(kind, text)} if kind else {_OWN_TYPE}
    names = {text_of(child_in(each, known.fields.names) or each, text) for each in methods}
    for part in parts:
        start = _object_start(part, text, known) if text_of(part, text) in names else None
        if start is not None and text[start : part.start_byte].removesuffix(_PATH) in scopes:
            yield Edit(start, part.start_byte)


def _own_types(holder: Node, methods: Sequence[Node], document: Document) -> Iterator[Edit]:
    """Yield the edits that spell out what a method calls `Self` where that is a type."""
    text, known = document.text, conventions(document.language)
    kind = child_in(holder, known.fields.types)
    for leaf in (leaf for each in methods for leaf in leaves(each) if kind is not None):
        is_value = leaf.parent is None or _EXPRESSION in leaf.parent.type
        is_whole = not text.startswith(_PATH, leaf.end_byte)
        if kind and text_of(leaf, text) == _OWN_TYPE and is_whole:
            new = _plain_name(kind, text) if is_value else text_of(kind, text)
            yield Edit(*leaf.byte_range, new)


def _given_receivers(
    holder: Node, methods: Sequence[Node], new: bytes, document: Document, *, is_generic: bool
) -> dict[bytes, _Given]:
    """Map names to methods, and the edits that make `self` a usual parameter of the type of the class.

    Nothing if a language's methods do not say how they get their object.
    """
    text, known = document.text, conventions(document.language)
    kind = child_in(holder, known.fields.types)
    found: dict[bytes, _Given] = {}
    for method in methods if kind else ():
        name = child_in(method, known.fields.names)
        parameters = child_in(method, known.fields.parameter_lists)
        first = parameters.named_children[0] if parameters and parameters.named_children else None
        if first is None or name is None or kind is None:
            continue
        receiver = text_of(first, text)
        if receiver in known.tokens.receivers and receiver.endswith(_SELF):
            uses = [leaf for leaf in leaves(method) if text_of(leaf, text) == _SELF]
            plain = text_of(kind, text)
            plain = plain if is_generic else _LIFETIMES.sub(b"", plain)
            sign = receiver.removesuffix(_SELF)
            by_reference = sign.startswith(_REFERENCE)
            declared = new + b": " + sign + plain if by_reference else sign + new + b": " + plain
            edits = [Edit(*leaf.byte_range, new) for leaf in uses if not is_in(leaf, first)]
            edits.append(Edit(*first.byte_range, declared))
            found[text_of(name, text)] = _Given(method, sign if by_reference else b"", edits)
    return found


def _passed(
    call: Node, given: Mapping[bytes, _Given], new: bytes, document: Document
) -> Iterator[Edit]:
    """Yield the edits that pass the object of a call of one of some methods as its first argument."""
    text, known = document.text, conventions(document.language)
    called, arguments = (
        child_in(call, each) for each in (known.fields.called, known.fields.arguments)
    )
    member = child_in(called, known.fields.members) if called else None
    method = given.get(text_of(member, text)) if member else None
    if called and member and arguments and method:
        bracket = arguments.children[0]
        whole = text[called.start_byte : member.start_byte].rstrip().removesuffix(_DOT)
        caller = next((each for each in given.values() if is_in(call, each.method)), None)
        is_passed_on = whole == _SELF and (caller is None or caller.is_reference)
        passed = _SELF_WORD.sub(new, whole) if caller else whole
        separator = b", " if arguments.named_child_count else b""
        yield Edit(called.start_byte, member.start_byte)
        sign = b"" if is_passed_on else method.sign
        yield Edit(*bracket.byte_range, text_of(bracket, text) + sign + passed + separator)


def _edits(
    holder: Node,
    body: Node,
    methods: Sequence[Node],
    parts: Sequence[Node],
    generics: Sequence[Edit],
    document: Document,
) -> list[Edit]:
    """Return the edits that put the members of a class, some of which are methods, in its place."""
    text, language = document.text, document.language
    known = conventions(language)
    members = {name for child in body.named_children for name in defined(child, text, language)}
    edits = [edit for method in methods for edit in _without_receiver(method, parts, document)]
    spelled = [*_own_types(holder, methods, document)]
    edits += [*spelled, *generics]
    own = frozenset(text_of(leaf, text) for leaf in defining(holder, text, language))
    user = None
    if known.tokens.objectless:
        user = next(_users(holder, own, document), None)
        if user is None:
            return []
        edits += [
            *_of_no_object(body, own, user, document),
            *_without_arguments(parts, own, document),
        ]
        members -= own  # its constructors
    own -= members
    kind = child_in(holder, known.fields.types)
    names = own or {_plain_name(kind, text) if kind else b""}
    for part in parts:
        start = _object_start(part, text, known) if text_of(part, text) in members else None
        if start is not None and _is_of_class(text[start : part.start_byte], {*names, _OWN_TYPE}):
            edits.append(Edit(start, part.start_byte))
    heads = _heads(holder, body, names, parts, document)
    is_named = bool(spelled) or any(
        not any(edit.start <= start < edit.end for edit in (*heads, *edits))
        for name in names
        for start, _ in identifiers(document).get(name, ())
    )
    end = end_with_semicolon(holder, text)
    if user is not None and user != holder.parent:
        inner = b"\n".join(_left(member, edits, text) for member in body.named_children)
        left = Edit(body.start_byte, end, _EMPTY) if is_named else Edit(holder.start_byte, end)
        opening = user.children[0].end_byte
        return outermost([Edit(opening, opening, b"\n" + inner), left, *edits])
    edits.append(Edit(body.children[-1].start_byte, end))
    first = _used_before(body, methods, document) if known.declares_before_use else []
    front = b"".join(_left(member, edits, text) + b"\n" for member in first)
    edits += [Edit(*member.byte_range) for member in first]
    if is_named and own:
        edits.append(
            Edit(*body.children[0].byte_range, _EMPTY + _END * (end > holder.end_byte) + front)
        )
    else:
        head, *others = heads
        edits += [Edit(head.start, head.end, front), *(() if is_named else others)]
    return outermost([*dict.fromkeys(edits)])


def _plain_name(kind: Node, text: bytes) -> bytes:
    """Return a type without its arguments."""
    return text_of(kind, text).partition(_OPENING)[0]


def _users(holder: Node, names: Collection[bytes], document: Document) -> Iterator[Node]:
    """Yield the bodies of the classes around or beside a class that name it, the closest first."""
    known = conventions(document.language)
    around = [holder.parent.parent] if holder.parent and holder.parent.parent else []
    beside = holder.parent.named_children if holder.parent else []
    places = [start for name in names for start, _ in identifiers(document).get(name, ())]
    for each in (*around, *beside):
        body = child_in(each, known.fields.bodies)
        is_user = body and any(body.start_byte < start < body.end_byte for start in places)
        if body and is_user and each != holder and each.type not in known.kinds.namespaces:
            yield body


def _of_no_object(
    body: Node, names: Collection[bytes], user: Node, document: Document
) -> Iterator[Edit]:
    """Yield the edits that make the members of a class those of its `user`, without its constructors.

    They need no object there if that is so of any member of the user.
    """
    text, known = document.text, conventions(document.language)
    words = known.tokens.objectless
    used = [text_of(leaf, text) for each in user.named_children for leaf in _modifiers(each)]
    word = next((word for word in words if any(word in found.split() for found in used)), b"")
    for member in body.named_children:
        name = child_in(member, known.fields.names)
        modifiers = _modifiers(member)
        if member.type in known.kinds.functions and name and text_of(name, text) in names:
            yield Edit(*member.byte_range)
        elif modifiers:
            yield Edit(modifiers[0].start_byte, modifiers[-1].end_byte, word)
        elif word and not member.is_extra:
            yield Edit(member.start_byte, member.start_byte, word + b" ")


def _without_arguments(
    parts: Sequence[Node], names: Collection[bytes], document: Document
) -> Iterator[Edit]:
    """Yield the edits that make objects of a class without arguments, as it has no constructor now."""
    text, fields = document.text, conventions(document.language).fields
    for part in parts:
        kind, arguments = child_in(part, fields.types), child_in(part, fields.arguments)
        if kind and arguments and arguments.named_children and text_of(kind, text) in names:
            yield Edit(*inside(arguments))


def _modifiers(member: Node) -> list[Node]:
    return [child for child in member.children if _MODIFIER in child.type]


def _used_before(body: Node, methods: Sequence[Node], document: Document) -> list[Node]:
    """Return the members without code if one stands after a method, which may use it already there."""
    text, language = document.text, document.language
    functions = conventions(language).kinds.functions
    members = [
        child
        for child in body.named_children
        if defined(child, text, language)
        and not any(node.type in functions for node in nodes(child))
    ]
    is_late = members and members[-1].start_byte > methods[0].start_byte
    return members if is_late else []


def _left(member: Node, edits: Sequence[Edit], text: bytes) -> bytes:
    """Return what some edits leave of a member."""
    start, end = member.byte_range
    inner = {edit for edit in edits if start <= edit.start and edit.end <= end}
    return apply(text, sorted(outermost([*inner])), (start, end))


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
