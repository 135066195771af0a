"""The smallest test around a statement, where something outside of the program runs its tests.

A test runner reports only what fails in a test. So a statement that shall fail as before needs one
around it: `def test_tax():`, `class TaxTest(TestCase):` with `def test_tax(self):`, or
`it("taxes", () => {`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions, word_places
from pollard.syntax.names.definitions import child_in, inside, is_in, nodes, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from pollard.syntax.tree.document import Document


# Runners find functions by their names, which nothing else in the program mentions.
_TEST_NAME = re.compile(rb"test\w*")
# Functions of runners that get a test as a function or a block.
_TEST_CALLS = frozenset({b"it", b"specify", b"test"})
_COMMENT = "comment"


@dataclass(frozen=True, slots=True)
class EnclosingTest:
    """What stands before and after the statement of a test.

    `inherits`: the statement is in a class with a base.
    """

    before: bytes
    after: bytes
    inherits: bool = False


def enclosing_test(statement: Node, document: Document) -> EnclosingTest | None:
    """Return the frame of the test around a statement, or of the first one; None without tests."""
    tests = document.once(_tests)
    around = (test for test in tests if is_in(statement, test))
    test = next(around, next(iter(tests), None))
    return _frame(test, statement, document) if test is not None else None


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


def _frame(test: Node, statement: Node, document: Document) -> EnclosingTest | None:
    known, text = conventions(document.language), document.text
    body = _body_of(test, document)
    if body is None:
        return None
    start, end = inside(body)
    holder = next(_classes_around(test, document), None)
    parameters = child_in(test, known.fields.parameter_lists)
    head = text[test.start_byte : start]
    if parameters is not None and len(parameters.children) > 1:
        names = [text_of(each, text) for each in parameters.named_children[:1]]
        kept = b"".join(name for name in names if holder and name in known.tokens.receivers)
        opened, closed = inside(parameters)
        head = text[test.start_byte : opened] + kept + text[closed:start]
    tail = text[end : test.end_byte]
    if holder is None:
        return EnclosingTest(head, tail)
    members = child_in(holder, known.fields.bodies)
    first, last = inside(members) if members is not None else holder.byte_range
    before, after = text[holder.start_byte : first], text[last : holder.end_byte]
    return EnclosingTest(before + head, tail + after, is_in(statement, holder))


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
