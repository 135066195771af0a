"""Which kinds there may be in a document: what its grammar knows, or other languages inside."""

from __future__ import annotations

import re

import pytest

from pollard.syntax.names.kinds import has_forward, has_kind
from pollard.syntax.tree.document import Document
from tests.core.passes.support import document

FUNCTION = re.compile("function")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("c", b"", True),
        ("json", b"[1]", False),
        ("html", b"<p>function</p>", False),
        ("html", b"<script>f()</script>", True),
        (None, b"function", False),
    ],
)
def test_what_a_document_may_have(language: str | None, text: bytes, expected: bool) -> None:
    assert has_kind(document(text, language), FUNCTION) == expected


def test_islands_that_nobody_looks_for_count_for_nothing() -> None:
    html = document(b"<script>f()</script>", "html")
    assert not has_kind(Document(html.text, html.language, has_islands=False), FUNCTION)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("go", b"package p\nfunc f() { g(); h() }\n", False),
        ("go", b"package p\nfunc f()\n", True),
        ("rust", b"trait T { fn f(); }", True),
        ("rust", b"trait T { fn f() { g(); } }", False),
        ("pascal", b"unit u; interface procedure p; implementation end.", True),
        ("kotlin", b"fun f() { }", True),  # its grammar has no field for bodies
        ("json", b"[1]", False),
        ("html", b"<script>f();</script>", True),
        (None, b"func f();", False),
    ],
)
def test_where_forward_declarations_are_looked_for(
    language: str | None, text: bytes, expected: bool
) -> None:
    assert has_forward(document(text, language)) == expected
