"""Texts of which pieces are missing, as candidates and drafts are, make no way to inline fail."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.passes.coupling.inlining import MARKUP, PLAINER
from pollard.syntax.names.definitions import nodes
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import apply
from tests.core.passes.test_inlining import ALL
from tests.core.syntax.samples import parsed
from tests.examples import examples

_TEXTS = [case[:2] for case in ALL.values()]
_MAX_PIECES, _MAX_CHANGES = 4, 40


@st.composite
def damaged(draw: st.DrawFn) -> Document:
    """Draw a text in which something else, or nothing, stands in the place of some nodes."""
    name, text = draw(st.sampled_from(_TEXTS))
    for _ in range(draw(st.integers(0, _MAX_PIECES))):
        found = list(nodes(parsed(name, text).root))
        node = found[draw(st.integers(0, len(found) - 1))]
        other = draw(st.sampled_from([b"", b"x", b"7"]))
        text = text[: node.start_byte] + other + text[node.end_byte :]
    return parsed(name, text)


@examples(500)
@given(damaged())
def test_every_change_of_a_damaged_text_can_be_made(document: Document) -> None:
    make_all(document)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", b"for (const {} of [{a: 1}]) f();\n"),
        ("javascript", b"class A { x; constructor() { this.x = 1 } }\nf(new A);\n"),
        ("javascript", b"class A { a = 1; u); f() {} }\nf(new A());\n"),
        ("csharp", b"class A { T x; A(T t) { this.x = t; } void F7) { G(new A(kx); } }\n"),
    ],
)
def test_what_stands_in_brackets_may_be_missing(language: str, text: bytes) -> None:
    make_all(parsed(language, text))


def make_all(document: Document) -> None:
    """Make every change that a way to inline finds."""
    for way in (*PLAINER, *MARKUP):
        for edits in islice(way(document), _MAX_CHANGES):
            apply(document.text, list(edits), (0, len(document.text)))
