"""A list of declarations goes with its last element, in languages that refuse it empty."""

from __future__ import annotations

import pytest

from pollard.syntax.layout.empty_sections import left_empty
from pollard.syntax.tree.edits import Edit, apply, join
from tests.core.syntax.samples import parsed


def _without(name: str, text: bytes, *parts: bytes, new: bytes = b"") -> list[bytes]:
    edits = [
        Edit(text.index(part), text.index(part) + len(part), new if part == parts[-1] else b"")
        for part in parts
    ]
    document = parsed(name, text)
    return apply(text, join([*edits, *left_empty(document, edits)])).split()


@pytest.mark.parametrize(
    ("parts", "new", "left"),
    [
        ([b"a: T;"], b"", b"type T = U; var b: V; begin end."),
        ([b"T = U;"], b"", b"var a: T; b: V; begin end."),
        ([b"a: T;", b"b: V;"], b"", b"type T = U; begin end."),
        ([b"T = U; var a: T;"], b"", b"b: V; begin end."),
        ([b"T = U;"], b"W = X;", b"type W = X; var a: T; b: V; begin end."),
    ],
)
def test_a_section_of_pascal_goes_with_its_last_element(
    parts: list[bytes], new: bytes, left: bytes
) -> None:
    text = b"program p; type T = U; var a: T; b: V; begin end."
    assert _without("pascal", text, *parts, new=new) == (b"program p; " + left).split()


def test_other_languages_have_no_sections() -> None:
    assert _without("c", b"struct s { int a; };", b"int a;") == [b"struct", b"s", b"{", b"};"]
