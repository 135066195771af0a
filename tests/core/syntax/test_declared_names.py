"""The places of names in a tree, and which names the text declares."""

from __future__ import annotations

import pytest

from pollard.syntax.grammars.languages import find
from pollard.syntax.names.definitions import declared_names, leaves
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.document import Document


def _document(name: str, text: bytes) -> Document:
    return Document(text, find(name).language)


def _names(name: str, text: bytes, declared: tuple[bytes, ...] = ()) -> dict[bytes, int]:
    """How often each name occurs; every place is checked against the text."""
    found = identifiers(_document(name, text), declared)
    for called, places in found.items():
        assert all(text[start:end] == called for start, end in places)
        assert places == sorted(places)
    return {called: len(places) for called, places in found.items()}


def test_keywords_strings_and_comments_are_no_names():
    text = b'int foo = 1; /* foo */ char *s = "foo"; int g() { return foo; }\n'
    assert _names("c", text) == {b"foo": 2, b"s": 1, b"g": 1}


def test_places_are_byte_offsets_in_any_alphabet_and_in_long_texts():
    text = "/* ééé */ int naïf = 1;\r\n".encode() + b"int x;\n" * 4000 + "int y = naïf;".encode()
    assert len(text) > 16_384
    assert _names("c", text) == {"naïf".encode(): 2, b"x": 4000, b"y": 1}


def test_a_declared_name_counts_in_leaves_of_any_kind_but_strings():
    text = b'typedef int int32_t; int32_t x; char *s = "int32_t";\n'
    assert b"int32_t" not in _names("c", text)
    assert _names("c", text, (b"int32_t",))[b"int32_t"] == 2


def test_names_in_islands_are_left_out():
    assert _names("html", b"<script>var foo = foo;</script>\n") == {}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("c", b"int f(int a) { int *b, c[a]; return d; }\n", {b"f", b"a", b"b", b"c"}),
        ("python", b"def f(a, b=d):\n    e = g\n", {b"f", b"a", b"b", b"e"}),
        ("javascript", b"function f(a) { let {b} = c; }\n", {b"f", b"a"}),
        ("rust", b"fn f(a: B) { let c = d; }\n", {b"f", b"a", b"c"}),
        ("javascript", b"import * as a from 'g';\n", {b"a"}),
        ("scss", b"$a-b: 1; c { d: $a-b }\n", {b"$a-b"}),
        ("ruby", b"def f?; end\n", {b"f?"}),
        ("scheme", b"(let* ((a 1) (b (c a))) (d (e b)))\n", {b"a", b"b"}),
        ("commonlisp", b"(let ((a 1)) (f (g 1)))\n", {b"a"}),
        ("scheme", b"(let f ((a 1)) (f a))\n", set()),  # a loop gives the name other values
        ("kotlin", b"fun f(a: B) { val c = d }\n", {b"f", b"c"}),  # no field for names
    ],
)
def test_functions_parameters_and_variables_are_declared(name, text, expected):
    found = declared_names(_document(name, text))
    assert expected <= found
    assert not found & {b"d", b"g", b"int"}


def test_a_word_in_a_string_is_not_declared():
    text = b'a = {"name": "b"}\n'
    assert b"b" not in declared_names(_document("python", text))


def test_trees_may_be_thousands_of_levels_deep():
    text = b"[" * 20_000 + b"1" + b"]" * 20_000
    found = [leaf.start_byte for leaf in leaves(_document("json", text).root)]
    assert found == list(range(40_001))
    assert identifiers(_document("json", text)) == {}
    assert declared_names(_document("json", text)) == frozenset()
