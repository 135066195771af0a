"""Inlining: the content of a definition in the place of its uses."""

from __future__ import annotations

import pytest
from hypothesis import given

from pollard.passes.coupling.replacing import inline
from tests.core.passes.support import Case, cases, reduced, reduced_ahead
from tests.examples import examples


def _squeezed(text: bytes) -> bytes:
    return b"".join(text.split())


def _inlined(name: str, text: bytes, wanted: bytes, **options) -> bytes:
    case = Case(text, name, lambda text: _squeezed(text) == _squeezed(wanted))
    return _squeezed(reduced(case, inline, **options).text)


CASES = {
    "C: a variable": ("c", b"int x = 7;\nint y = x + 1;\n", b"int y = 7 + 1;"),
    "C: a type": ("c", b"typedef long T;\nT x;\n", b"long x;"),
    "C: a function": (
        "c",
        b"int f(int a, int b) { return a * b; }\nint x = f(1, 2);\n",
        b"int x = 1 * 2;",
    ),
    "C: a parameter of a type with a name": (
        "c",
        b"int f(T a) { return a; }\nint main() { g(f(1)); }\n",
        b"int main() { g(1); }",
    ),
    "C: a parameter after one without a name": (
        "c",
        b"int f(int, int b) { return b; }\nint x = f(1, 2);\n",
        b"int x = 2;",
    ),
    "C: a statement": (
        "c",
        b"void f(int a) { g(a); }\nint main() { f(1); }\n",
        b"int main() { g(1); }",
    ),
    "C: every use": ("c", b"int x = 7;\nint y = x + x;\n", b"int y = 7 + 7;"),
    "JavaScript: a variable": ("javascript", b"let a = [1];\nf(a);\n", b"f([1]);"),
    "JavaScript: a function": (
        "javascript",
        b"function f(p, q) { return q - p; }\ng(f(1, 2));\n",
        b"g(2 - 1);",
    ),
    "Python: a variable": ("python", b"a = (1, 2)\nprint(a)\n", b"print((1, 2))\n"),
    "Python: a function": (
        "python",
        b"def f(x, y=1):\n    return y + x\nprint(f(2, 3))\n",
        b"print(3 + 2)\n",
    ),
    "Lua: a variable": ("lua", b"local a = 12\nprint(a)\n", b"print(12)\n"),
    "Lua: a function": (
        "lua",
        b"function f(s) return s:rep(2) end\nprint(f(x))\n",
        b"print(x:rep(2))\n",
    ),
    "Rust: a variable": (
        "rust",
        b"fn main() { let a = 12; g(a); }\n",
        b"fn main() { g(12); }",
    ),
    "Rust: a type": ("rust", b"type T = u8;\nfn f(x: T) {}\n", b"fn f(x: u8) {}"),
    "Rust: a function": (
        "rust",
        b"fn f(x: u8) -> u8 { x + 1 }\nfn main() { g(f(2)); }\n",
        b"fn main() { g(2 + 1); }",
    ),
    "other alphabets": (
        "c",
        "int é = 7; /* ü */\r\nint y = é;\r\n".encode(),
        "/* ü */ int y = 7;".encode(),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_content_of_a_definition_replaces_the_name(case):
    name, text, wanted = CASES[case]
    assert _inlined(name, text, wanted) == _squeezed(wanted)


def test_each_declaration_costs_nine_runs_at_most():
    text = b"void f(int a) { g(a); h(a); i(a); j(a); k(a); }\nint main() { f(1); }\n"
    assert 0 < len(reduced(Case(text, "c", lambda _: False), inline).judge.asked) <= 9


def test_it_ends_where_everything_is_interesting_and_every_step_is_smaller():
    text = b"int a = 1; int b = a; int f(int x) { return x + b; } int c = f(f(b));\n"
    result = reduced(Case(text, "c", lambda _: True), inline)
    sizes = [len(_squeezed(text)) for text in (text, *result.accepted)]
    assert len(sizes) > 2
    assert sizes == sorted(set(sizes), reverse=True)


def test_a_statement_takes_the_place_of_a_call_with_its_semicolon():
    """Otherwise the call's own semicolon would stay behind, as an empty statement."""
    text = b"void f() { assert(0); }\nint main() { f(); }\n"
    asked = reduced(Case(text, "c", lambda _: False), inline).judge.asked
    assert b"int main() { assert(0); }\n" in asked
    assert not any(b";;" in candidate for candidate in asked)


def test_nested_calls_are_not_both_replaced():
    text = b"function f(a) { return (a); }\ng(f(f(1)));\n"
    asked = reduced(Case(text, "javascript", lambda _: False), inline).judge.asked
    assert asked
    assert all(candidate.count(b"1") <= 1 for candidate in asked)


def test_names_that_are_defined_or_used_outside_of_the_region_stay():
    text = b"int x = 7;\nint y = x + 1;\n"
    second = (text.index(b"int y"), len(text))
    assert reduced(Case(text, "c", lambda _: True), inline, region=second).text == text
    assert reduced(Case(text, "c", lambda _: True), inline, region=(0, 10)).text == text


def test_brackets_nested_thousands_of_levels_deep_are_no_problem():
    text = b"int y = 1; int x = " + b"(" * 3000 + b"y" + b")" * 3000 + b";\n"
    wanted = text.replace(b"int y = 1;", b"").replace(b"y", b"1")
    assert _inlined("c", text, wanted) == _squeezed(wanted)


def test_a_long_text_is_left_alone():
    text = b"int x = 7; int y = x;\n" + b"int z;\n" * 10_000
    assert reduced(Case(text, "c", lambda _: True), inline).judge.asked == []


@examples(15)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case):
    result = reduced(case, inline)
    assert set(result.accepted) <= result.judge.interesting
    assert reduced_ahead(case, inline, 4) == (result.accepted, len(result.accepted))
