"""What must stand around a statement for its failure to be the same: a test, or a function.

A test runner reports only what fails in a test. So a statement that shall fail as before needs one
around it: `def test_tax():`, `class TaxTest(TestCase):` with `def test_tax(self):`, or
`it("taxes", () => {`.

And where a criterion asks for a function in the list of calls, the statement stands in that function,
which gets no arguments and is called: `def load():`, and then `load()`. So does a statement that
returns a value, where a function refuses one of another type than it declares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions, word_places
from pollard.syntax.names.definitions import child_in, inside, is_in, leaves, nodes, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document

    FrameOf = Callable[[Node, Document], "Frame | None"]
    """Returns what must stand around a statement of a document; None if it cannot stand there."""


# Runners find functions by their names, which nothing else in the program mentions.
_TEST_NAME = re.compile(rb"test\w*")
# Functions of runners that get a test as a function or a block.
_TEST_CALLS = frozenset({b"it", b"specify", b"test"})
_COMMENT = "comment"
# In the kinds of what may stand before a method but not before a function, such as `private`.
_MODIFIERS = ("modifier", "attribute")


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands before and after a statement.

    `inherits`: the statement is in a class with a base. `checks`: what it returns must have a type.
    """

    before: bytes
    after: bytes
    inherits: bool = False
    checks: bool = False


def enclosing_test(statement: Node, document: Document) -> Frame | None:
    """Return the frame of the test around a statement, or of the first one; None without tests."""
    tests = document.once(_tests)
    around = (test for test in tests if is_in(statement, test))
    test = next(around, next(iter(tests), None))
    return _frame(test, statement, document) if test is not None else None


def called_function(statement: Node, document: Document, names: Collection[bytes]) -> Frame | None:
    """Return the frame of the innermost function of some names around a statement, and its call.

    Without one around it, that is the first such function; None if there is none. A method stays in
    its class only if that has one of the names, too.
    """
    functions = [each for each in document.once(_functions) if _name_of(each, document) in names]
    around = [each for each in functions if is_in(statement, each)]
    chosen = [*around[-1:], *functions]
    return _called(chosen[0], document, names) if chosen else None


def checking_function(statement: Node, document: Document) -> Frame | None:
    """Return the frame of the function around a statement that returns a value, and its call.

    None unless the function declares the type of that, in a language that checks it as it runs.
    """
    known = conventions(document.language)
    if not known.checks_results or statement.type not in known.kinds.returns:
        return None
    around = [each for each in document.once(_functions) if is_in(statement, each)]
    function = around[-1] if around else None
    if function is None or not child_in(function, known.fields.results):
        return None
    frame = _called(function, document, ()) if _name_of(function, document) else None
    return replace(frame, checks=True) if frame else None


def _functions(document: Document) -> list[Node]:
    """Return the functions of a document."""
    kinds = conventions(document.language).kinds.functions
    return [node for node in nodes(document.root) if node.type in kinds]


def _called(function: Node, document: Document, names: Collection[bytes]) -> Frame | None:
    known, name = conventions(document.language), _name_of(function, document)
    body, style = child_in(function, known.fields.bodies), known.loose_methods
    holders = [*_holders(function, document)]
    holder = next((each for each in holders if _name_of(each, document) in names), None)
    made = known.tokens.new_object
    if body is None or (holder is not None and not made):
        return None
    head, tail = _emptied(function, body, document, keeps_receiver=holder is not None)
    end = style.end if style else b""
    if holder is None:
        opening = style.opening if style and holders else b""
        head = head[_modifiers_end(function) - function.start_byte :] if holders else head
        return Frame(opening + head, tail + b"\n" + name + b"()" + end)
    before, after = _ends(holder, document)
    sign = style.members[0] if style else b"."
    call = made[0] + _name_of(holder, document) + made[1] + sign + name + b"()" + end
    return Frame(before + head, tail + after + b"\n" + call)


def _modifiers_end(method: Node) -> int:
    """Return where a method begins without words such as `private`."""
    others = (child for child in method.children if not any(w in child.type for w in _MODIFIERS))
    return next(others, method).start_byte


def _name_of(node: Node, document: Document) -> bytes:
    """Return the name that a node declares, without the path before it; empty if it has none."""
    name = child_in(node, conventions(document.language).fields.names)
    return text_of([*leaves(name)][-1], document.text) if name is not None else b""


def _tests(document: Document) -> list[Node]:
    """Return the functions and calls that are tests."""
    return [node for node in nodes(document.root) if _is_test(node, document)]


def _is_test(node: Node, document: Document) -> bool:
    known, text = conventions(document.language), document.text
    if node.type in known.kinds.functions:
        name, body = (child_in(node, each) for each in (known.fields.names, known.fields.bodies))
        if name is None or body is None or _TEST_NAME.fullmatch(text_of(name, text)) is None:
            return False
        return len(word_places(document).get(text_of(name, text), ())) == 1
    called = child_in(node, known.fields.called)
    is_call = called is not None and text_of(called, text) in _TEST_CALLS
    return is_call and _body_of(node, document) is not None


def _body_of(test: Node, document: Document) -> Node | None:
    """Return the body of a test, or of the function or block that a call of a runner gets."""
    fields = conventions(document.language).fields
    found = (child_in(node, fields.bodies) for node in nodes(test))
    return next((each for each in found if each is not None and each.named_children), None)


def _frame(test: Node, statement: Node, document: Document) -> Frame | None:
    body = _body_of(test, document)
    if body is None:
        return None
    holder = next(_classes_around(test, document), None)
    head, tail = _emptied(test, body, document, keeps_receiver=holder is not None)
    if holder is None:
        return Frame(head, tail)
    before, after = _ends(holder, document)
    return Frame(before + head, tail + after, is_in(statement, holder))


def _emptied(
    function: Node, body: Node, document: Document, *, keeps_receiver: bool
) -> tuple[bytes, bytes]:
    """Return what stands around the inside of a function's body, without its parameters."""
    known, text = conventions(document.language), document.text
    start, end = inside(body)
    parameters = child_in(function, known.fields.parameter_lists)
    head = text[function.start_byte : start]
    if parameters is not None and len(parameters.children) > 1:
        names = [text_of(each, text) for each in parameters.named_children[:1]]
        kept = [name for name in names if keeps_receiver and name in known.tokens.receivers]
        opened, closed = inside(parameters)
        head = text[function.start_byte : opened] + b"".join(kept) + text[closed:start]
    return head, text[end : function.end_byte]


def _ends(holder: Node, document: Document) -> tuple[bytes, bytes]:
    """Return what stands around the members of a class."""
    members = child_in(holder, conventions(document.language).fields.bodies)
    first, last = inside(members) if members is not None else holder.byte_range
    return document.text[holder.start_byte : first], document.text[last : holder.end_byte]


def _holders(function: Node, document: Document) -> Iterator[Node]:
    """Yield the classes around a function, the innermost first."""
    known, above = conventions(document.language), function.parent
    while above is not None:
        is_function = above.type in known.kinds.functions
        if not is_function and child_in(above, known.fields.bodies) and _name_of(above, document):
            yield above
        above = above.parent


def _classes_around(test: Node, document: Document) -> Iterator[Node]:
    """Yield the classes around a test that have a base: without one, the class is only a group."""
    known, above = conventions(document.language), test.parent
    while above is not None:
        parts = [child_in(above, each) for each in (known.fields.names, known.fields.bodies)]
        others = [
            child
            for child in above.named_children
            if child not in parts and _COMMENT not in child.type
        ]
        if None not in parts and others and above.type not in known.kinds.functions:
            yield above
        above = above.parent
