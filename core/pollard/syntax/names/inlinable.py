"""What can be inlined: the values, results and bodies that a definition gives a name.

The fields of a grammar tell values, bodies and parameters. Where a value is in no field, it is what
stands last after the name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain, dropwhile
from typing import TYPE_CHECKING

from pollard.syntax.names.calls import arguments_of, parameters_of, with_sigil
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import (
    child_in,
    leaves,
    nodes,
    parameter_names,
    text_of,
    with_fields,
)
from pollard.syntax.names.written_collections import bound, is_rest, spread_around
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Language, Node

    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document


# At the beginning of a statement an object would be read as a block.
_BLOCK_START = b"{"
# Stands between an object and its member.
_MEMBER = b"."
# The kinds and the fields of names of members and arguments.
_LABELS, _LABELLING = (
    ("field_identifier", "property_identifier"),
    ("field", "property", "attribute"),
)
# Fields of such names, if something else stands beside them.
_NAMING = ("name", "method")
_BESIDE_NAMES = ("value", "object", "scope", "expression", "receiver", "table")
# In the kind of a member whose key is the name of its value, and what stands after a key.
_SHORTHAND, _AFTER_KEY = "shorthand", b": "
# In the kinds of nodes that are no values.
_STATEMENTS = ("statement", "declaration", "item", "comment")
# In the kinds of types that a language has words for, and of what gives a type a name.
_BUILT_IN = re.compile("primitive|sized|predefined|integral|floating")
_ALIAS = re.compile("alias|type_(def|item|spec|decl)|typedef")
# Before an element; before a list it has a sign or a word more.
_YIELDING = b"yield"
# The arguments that are left, where they have no name.
_NAMELESS = b"..."
# A string that is written there.
_QUOTED = re.compile(rb"""\A(["'])([^"'\\]*)\1\Z""")
# A list that is written there.
_ELEMENTS = re.compile(rb"\[(.*)\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Inlinable:
    """A content of a definition: neighbouring nodes, such as a value or all statements of a body.

    What has `returned` is all statements but that last one, which gives a value back. What `is_listed`
    is the only element of what a generator gives.
    """

    nodes: tuple[Node, ...]
    returned: Node | None = None
    is_listed: bool = False

    @property
    def span(self) -> tuple[int, int]:
        """The span (start, end) from the first node to the last."""
        return self.nodes[0].start_byte, self.nodes[-1].end_byte

    @property
    def length(self) -> int:
        """The number of bytes."""
        start, end = self.span
        return end - start


def inlinable_in(
    definition: Node, names: Collection[bytes], text: bytes, language: Language | None
) -> list[Inlinable]:
    """Return the values, results and bodies in the definition of some names, the shortest first."""
    known = conventions(language)
    has_body = child_in(definition, known.fields.bodies) is not None
    if definition.type in known.kinds.defining_lists and not has_body:
        return [*_last_in_lisp_list(definition)]
    found: list[Inlinable] = []
    stack = [(definition, False)]
    while stack:
        node, is_inside = stack.pop()
        if node.type in known.kinds.bare_functions:
            found += _bare_statements(node, known)
            continue
        left_out = known.fields.parameter_lists
        if child_in(node, known.fields.bodies) is not None:
            left_out |= known.fields.results
            if node.type in known.kinds.functions:
                if is_inside:
                    continue  # what a function in a function contains is no result of the outer one
                is_inside = True
        parts = [(field or f"<{child.type}>", child) for field, child in with_fields(node)]
        inner = [each for each in parts if each[0] not in left_out]
        found += _contents(node, inner, text, known)
        stack += [(child, is_inside) for _, child in inner]
    found += _last_after(definition, names, text, known)
    unique = {
        text[slice(*content.span)]: content
        for content in found
        if content.length and text[slice(*content.span)] not in names
    }
    return sorted(unique.values(), key=lambda content: content.length)


def _contents(
    node: Node, children: Sequence[tuple[str, Node]], text: bytes, known: Conventions
) -> Iterator[Inlinable]:
    """Yield what can stand in for the name, of the children of a node and the fields they are in."""
    values = []
    for field, child in children:
        if field in known.fields.bodies:
            yield Inlinable((child,))
            yield from _yielded(child, text, known)
            statements = tuple(child.named_children)
            yield Inlinable(statements or (child,))
            yield from _without_return(child, known)
            continue
        is_value = field in known.fields.values and not _is_built_in(child, node)
        if child.is_named and (
            is_value or child.type in known.kinds.value_lists or node.type in known.kinds.returns
        ):
            yield Inlinable((child,))
            if child.named_child_count == 1:
                yield Inlinable((child.named_children[0],))
        values += [child] if is_value else []
        pointer = child_in(node, known.fields.names) if is_value else None
        if pointer is not None and pointer.type in known.kinds.pointers:
            yield Inlinable((child, *_signs(pointer, known)))
    if values:
        yield Inlinable(tuple(values))


def _is_built_in(child: Node, above: Node) -> bool:
    """Return whether a node is a type that the language has a word for, of a variable or a member."""
    return bool(_BUILT_IN.match(child.type)) and not _ALIAS.search(above.type)


def _without_return(block: Node, known: Conventions) -> Iterator[Inlinable]:
    """Yield the statements of a block before the last one, if that gives a value back."""
    inner = block.named_children
    if len(inner) == 1 and inner[0].type in known.kinds.blocks:
        block, inner = inner[0], inner[0].named_children
    if len(inner) > 1:
        is_value = block.type in known.kinds.valued_blocks and not _is_statement(inner[-1])
        if is_value or _return_in(inner[-1], known) is not None:
            yield Inlinable(tuple(inner[:-1]), inner[-1])


def _is_statement(node: Node) -> bool:
    return any(word in node.type for word in _STATEMENTS)


def _return_in(statement: Node, known: Conventions) -> Node | None:
    """Return what gives a value back: a statement, or all of it; None if it does not."""
    only = statement.named_children[0] if statement.named_child_count == 1 else statement
    return next((each for each in (statement, only) if each.type in known.kinds.returns), None)


def returned_value(content: Inlinable, known: Conventions) -> Node | None:
    """Return the value that is given back after the statements of a content; None without one."""
    last = content.returned
    found = _return_in(last, known) if last is not None else None
    if found is None:
        return last
    values = found.named_children
    return values[0] if len(values) == 1 else None


def _yielded(body: Node, text: bytes, known: Conventions) -> Iterator[Inlinable]:
    """Yield the element or the list that a body gives to what goes through its results, if only one."""
    while body.named_child_count == 1 and body.type not in known.kinds.yields:
        body = body.named_children[0]
    if body.type in known.kinds.yields and body.named_child_count:
        value = body.named_children[0]
        is_element = text[body.start_byte : value.start_byte].strip() == _YIELDING
        yield Inlinable((value,), is_listed=is_element)


def _bare_statements(node: Node, known: Conventions) -> Iterator[Inlinable]:
    """Yield the statements of a function whose grammar has no node for its body.

    They come after its head and its declarations, and before its end.
    """
    declarations = known.inner_parts.get(node.type, ())
    statements = dropwhile(lambda each: each.type in declarations, node.named_children[1:-1])
    if found := tuple(statements):
        yield Inlinable(found)


def _signs(pointer: Node | None, known: Conventions) -> Iterator[Node]:
    """Yield the signs before a name that belong to its type, as in `int **p`."""
    while pointer is not None and pointer.type in known.kinds.pointers:
        yield pointer.children[0]
        pointer = child_in(pointer, known.fields.names)


def _last_after(
    definition: Node, names: Collection[bytes], text: bytes, known: Conventions
) -> Iterator[Inlinable]:
    """Yield what stands last after a name, in its node or in the nearest around it."""
    node = next((leaf for leaf in leaves(definition) if text_of(leaf, text) in names), None)
    while node is not None and node != definition and node.parent is not None:
        last = node.parent.named_children[-1]
        if last.start_byte >= node.end_byte:
            yield Inlinable((last,))
            if last.child_count > 1 and last.children[0].type in known.kinds.value_starts:
                yield Inlinable(tuple(last.children[1:]))
            return
        node = node.parent


def _last_in_lisp_list(definition: Node) -> Iterator[Inlinable]:
    """Yield what stands last in `(define name value)` or `(define (name parameter) value)`."""
    while definition.named_child_count == 1:
        definition = definition.named_children[0]
    if definition.named_child_count:
        yield Inlinable((definition.named_children[-1],))


def with_arguments(
    document: Document,
    definition: Node,
    content: Inlinable,
    call: Node | None,
    *,
    brackets: bool = False,
) -> bytes:
    """Return the text of a content, with the arguments of a call in the place of parameters.

    The object of the call stands in the place of `self`. A parameter without an argument gets the value
    that the language gives it, if any. Arguments are put between `brackets` if asked for.
    """
    if content.is_listed:
        content = replace(content, is_listed=False)
        one = with_arguments(document, definition, content, call, brackets=brackets)
        return b"[" + one + b"]"
    if call is None:
        return with_values(document, content, {})
    values = arguments_for(definition, call, document, brackets=brackets)
    arguments = arguments_of(call, document.text, document.language)
    opened = open_texts(chain.from_iterable(map(nodes, arguments)), document)
    return with_values(document, content, values | _object_of(call, definition, document), opened)


def open_texts(nodes: Iterable[Node], document: Document) -> frozenset[bytes]:
    """Return the texts of the nodes that need brackets before a member or a call."""
    text, language = document.text, document.language
    return frozenset(text_of(node, text) for node in nodes if is_open_expression(node, language))


def is_open_expression(node: Node, language: Language | None) -> bool:
    """Return whether a node needs brackets before a member or a call, such as `a + b`."""
    known = conventions(language)
    is_bare_object = (
        node.type in known.kinds.new_objects and child_in(node, known.fields.arguments) is None
    )
    return is_bare_object or node.type in known.kinds.open_expressions


def arguments_for(
    definition: Node, call: Node, document: Document, *, brackets: bool = False
) -> dict[bytes, bytes]:
    """Map the names of parameters to what they get of the arguments of a call, or without one."""
    text = document.text
    arguments = arguments_of(call, text, document.language)
    found: dict[bytes, bytes] = {}
    for place, parameter in enumerate(parameters_of(definition, document)):
        rest = arguments[place:]
        names = parameter_names(parameter, text, document.language)[:1]
        several = text[rest[0].start_byte : rest[-1].end_byte] if rest else b""
        if text_of(parameter, text) == _NAMELESS:
            names, whole = [_NAMELESS], [several]
        elif is_rest(parameter, text):
            whole = [b"[" + several + b"]"]
        else:
            found |= bound(parameter, rest[0] if rest else None, document)
            whole = [text_of(argument, text) for argument in rest[:1]]
        found = dict(zip(names, whole, strict=False)) | found
    for place, argument in enumerate(arguments, 1):
        of_place = (sign % place for sign in conventions(document.language).tokens.placed)
        found |= dict.fromkeys(of_place, text_of(argument, text))
    return {
        name: b"(" + value + b")" if brackets or value.startswith(_BLOCK_START) else value
        for name, value in found.items()
    }


def with_values(
    document: Document,
    content: Inlinable,
    values: Mapping[bytes, bytes],
    opened: Collection[bytes] = (),
) -> bytes:
    """Return the text of a content, with values in the place of names and the signs before them.

    The values in `opened` get brackets where a member or a call follows. The elements of a list stand
    where these are spread.
    """
    text, has_places = document.text, conventions(document.language).tokens.placed
    edits = []
    for leaf in (leaf for node in content.nodes for leaf in leaves(node) if leaf.is_named):
        value = values.get(text_of(leaf, text))
        if value is None and has_places:
            value = values.get(text_of(with_sigil(leaf, text, document.language), text))
        if value is not None and not is_label(leaf):
            place = with_sigil(leaf, text, document.language)
            spread = spread_around(place, text)
            if spread is not None and (elements := _ELEMENTS.fullmatch(value)):
                edits.append(Edit(*spread.byte_range, elements[1]))
                continue
            new = as_object(value, place, text, document.language, is_open=value in opened)
            edits.append(Edit(*place.byte_range, new))
    return apply(text, edits, content.span)


def is_label(leaf: Node) -> bool:
    """Return whether a name is that of a member or of an argument, and no variable."""
    above = leaf.parent
    if above is None or _is_key_too(leaf):
        return False
    if leaf.type in _LABELS or leaf in map(above.child_by_field_name, _LABELLING):
        return True
    return leaf in map(above.child_by_field_name, _NAMING) and any(
        map(above.child_by_field_name, _BESIDE_NAMES)
    )


def _is_key_too(leaf: Node) -> bool:
    """Return whether a name is both the key and the value of a member, as in `{x}` for `{x: x}`."""
    return _SHORTHAND in leaf.type or (leaf.parent is not None and _SHORTHAND in leaf.parent.type)


def as_object(
    value: bytes, place: Node, text: bytes, language: Language | None, *, is_open: bool = False
) -> bytes:
    """Return a value for a place: in brackets if it would need them there, or after its key.

    A value needs brackets before a member or a call if it is `open` or begins with certain words, and a
    whole number something like them. In `{x}` the name is also the key. In a string, as in `"a $x"`, a
    string loses its quotes.
    """
    if place.parent is not None and text_of(place.parent.children[0], text) == b'"':
        value = _QUOTED.sub(rb"\2", value)
    tokens = conventions(language).tokens
    needs_brackets = is_open or value.startswith(tokens.bracketed)
    around = (b"(", b")") if needs_brackets else tokens.number_object * value.isdigit()
    if around and is_head(place, text, language):
        value = value.join(around)
    return text_of(place, text) + _AFTER_KEY + value if _is_key_too(place) else value


def is_head(place: Node, text: bytes, language: Language | None) -> bool:
    """Return whether a member or an index of a place, or a call of it, follows."""
    tails, above = conventions(language).tokens.tails, place.parent
    while above is not None and above.end_byte == place.end_byte:
        above = above.parent
    if above is None or above.start_byte < place.start_byte:
        return False
    after = text[place.end_byte : above.end_byte].lstrip()
    return after.startswith(tails) and not is_open_expression(above, language)


def _object_of(call: Node, method: Node, document: Document) -> dict[bytes, bytes]:
    """Map the words for the object of a method to what a call has before the method's name."""
    text, known = document.text, conventions(document.language)
    function = child_in(call, known.fields.called)
    if function is None:
        return {}
    *_, name = leaves(function)
    before = text[call.start_byte : name.start_byte].rstrip()
    if not before.endswith(_MEMBER) or before in known.tokens.inherited:
        return {}
    own = child_in(method, known.fields.objects)
    parameters = own.named_children if own is not None else ()
    named = (name for each in parameters for name in parameter_names(each, text, document.language))
    return dict.fromkeys([*known.tokens.receivers, *named], before.removesuffix(_MEMBER))


def moved(content: bytes, text: bytes, start: int, target: int) -> bytes:
    """Return a part of a text, or what has become of it, with the indentation of another place.

    In the middle of a line, what was indented further stays so: Haskell ends a declaration there else.
    """
    old, new = (indentation_at(text, place) for place in (start, target))
    is_first = not text[text.rfind(b"\n", 0, target) + 1 : target].strip()
    if not is_first and len(old) > len(new):
        return content
    return content.replace(b"\n" + old, b"\n" + new)


def indentation_at(text: bytes, place: int) -> bytes:
    """Return the white space at the beginning of the line of a place."""
    line = text[text.rfind(b"\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]
