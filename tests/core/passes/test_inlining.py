"""Inlining: the content of a definition in the place of its uses."""

from __future__ import annotations

import pytest
from hypothesis import given

from pollard.passes.coupling.inlining import MARKUP, PLAINER, inline
from pollard.syntax.names.markup.referred_elements import with_referred_elements
from pollard.syntax.names.markup.referred_values import with_referred_values
from pollard.syntax.names.markup.template_values import with_template_values
from pollard.syntax.names.members import with_initial_values
from pollard.syntax.names.plainer.single_fields import unboxed
from tests.core.passes.body_inlining_cases import BODY_CASES
from tests.core.passes.element_inlining_cases import ELEMENT_CASES
from tests.core.passes.inlining_cases import CASES
from tests.core.passes.loop_inlining_cases import LOOP_CASES
from tests.core.passes.member_inlining_cases import MEMBER_CASES
from tests.core.passes.object_inlining_cases import OBJECT_CASES
from tests.core.passes.shell_inlining_cases import SHELL_CASES
from tests.core.passes.shorter_inlining_cases import SHORTER_CASES
from tests.core.passes.stored_inlining_cases import STORED_CASES
from tests.core.passes.support import (
    Case,
    cases,
    document,
    reduced,
    reduced_ahead,
    squeezed,
    turned,
)
from tests.core.passes.typed_inlining_cases import TYPED_CASES
from tests.examples import examples

ALL = {
    **CASES,
    **BODY_CASES,
    **ELEMENT_CASES,
    **LOOP_CASES,
    **MEMBER_CASES,
    **OBJECT_CASES,
    **SHELL_CASES,
    **SHORTER_CASES,
    **STORED_CASES,
    **TYPED_CASES,
}


@pytest.mark.parametrize("case", ALL)
def test_the_content_of_a_definition_replaces_the_name(case):
    name, text, wanted = ALL[case]
    assert turned(name, text, wanted, inline) == squeezed(wanted)


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "a value in itself": ("json", b'{"d": {"n": {"a": {"$ref": "#/d/n"}}}}'),
        "a reference to another document": ("json", b'{"a": {"$ref": "b.json#/n"}, "n": 1}'),
        "a reference to nothing": ("json", b'{"a": {"$ref": "#/n"}, "d": {"n": 1}}'),
        "a name in itself": ("yaml", b"a: &x [*x]\n"),
        "a name that is not given": ("yaml", b"a: &x 1\nb: *y\n"),
    }.values(),
)
def test_no_value_takes_the_place_of(name, text):
    assert list(with_referred_values(document(text, name))) == []


@pytest.mark.parametrize("structure", ["int p; int q;", "int p, q;", "int p : 2;", ""], ids=repr)
def test_a_structure_of_several_fields_or_a_type_around_the_name_stays(structure):
    text = b"struct S { %s } s;\nint f() { return s.p; }\n" % structure.encode()
    assert list(unboxed(document(text, "c"))) == []


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "a list of imports": ("rust", b"use a::{B, C};\nfn f(b: B) {}\n"),
        "an import under another name": ("rust", b"use a::B as C;\nfn f(c: C) {}\n"),
        "an import of all": ("java", b"import a.*;\nclass B { C c; }\n"),
        "an import of a member's name": ("rust", b"use a::b;\nfn f() { c::b(); }\n"),
        "a function without a value": ("rust", b"fn f() { g(); }\n"),
        "a result that a call keeps": (
            "python",
            b"def f():\n    return 1, 2\nx, y = f()\nprint(x, y)\n",
        ),
        "a result of a call that goes elsewhere": (
            "python",
            b"def f():\n    return 1, 2\nx, y = f()\ng(f())\n",
        ),
        "an object of PHP that goes elsewhere": (
            "php",
            b"<?php class A { function f() { return 1; } }\n$a = new A;\nx($a->f(), $a);\n",
        ),
        "a class with several objects": (
            "python",
            b"class A:\n    def f(self):\n        1\na = A()\nb = A()\na.f()\n",
        ),
        "a class that is named elsewhere, or has a base": (
            "python",
            b"class A:\n  def m(self):\n    f(7)\nclass B(A):\n  def m(self):\n    f(8)\nk(A)\n",
        ),
        "a list of a decorator that is for no parameter": (
            "python",
            b"@mark.one('n', [1])\ndef test(a):\n    assert n == a\n",
        ),
        "an object that goes elsewhere": (
            "python",
            b"class A:\n    def f(self):\n        1\na = A()\na.f(a)\n",
        ),
        "an object that is an argument": (
            "python",
            b"class A:\n    def f(self):\n        return 1\nx(A())\n",
        ),
        "functions of several tables with one name": (
            "lua",
            b"function A.f() return 1 end\nfunction B.f() return 2 end\nprint(A.f(), B.f())\n",
        ),
        "a constructor that does more, or has several calls": (
            "java",
            (
                b"class A { int x; A(int y) { x = y; f(); } void f() { g(new A(1)); } }\n"
                b"class B { int x; B(int y) { x = y; } void f() { g(new B(1), new B(2)); } }\n"
            ),
        ),
        "a field that has a value": (
            "java",
            b"class A { int x = 2; A(int y) { x = y; } void f() { g(new A(1)); } }\n",
        ),
        "an interface in a class": (
            "java",
            b"class A { interface B { int f(); } void m(B b) { b.f(); } }\n",
        ),
        "an object that is made in its own class": (
            "javascript",
            b"class A { f() { new A().f() } }\n",
        ),
    }.values(),
    ids=repr,
)
def test_what_cannot_be_said_more_plainly_stays(name, text):
    assert all(not any(way(document(text, name))) for way in PLAINER)


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "a default namespace": ("xml", b'<a xmlns="u">b</a>'),
        "attributes without elements below": ("xml", b'<a b="c">d</a><e f="g"/>'),
        "elements without attributes": ("html", b"<ul><li><b>c</b></li></ul>"),
        "an element without content": ("xml", b'<r><a id="f"/><b ref="f"/></r>'),
        "lists of types": ("cpp", b"A<B<C>> f(D<E> x) { return x < 1 && x > 2; }"),
        "comparisons with division": ("javascript", b"a < b, c / d > e;"),
    }.values(),
    ids=repr,
)
def test_other_markup_and_other_brackets_stay(name, text):
    assert all(not any(way(document(text, name))) for way in MARKUP)


def test_an_element_that_refers_to_itself_stays():
    text = b'<r><a name="f"><b name="f"/></a><c name="f"/></r>'
    assert not any(with_referred_elements(document(text, "xml")))


@pytest.mark.parametrize(
    "text",
    [
        b"{% set x = 1 %}{{ x }}{% set x = 2 %}",
        b"{% set x = 1 %}{{ a.x }}",
        b"{% set x == 1 %}{{ x }}",
        b"{{ x = 1 }}{{ x }}",
        b"x = 1 {{ x }}",
    ],
)
def test_what_is_no_variable_of_a_template_or_is_assigned_again_stays(text: bytes):
    assert not any(with_template_values(document(text, "html")))


def test_what_does_not_refer_to_an_element_around_it_takes_the_place_of_references():
    """Such as the message that ends a template of XSLT which calls itself."""
    text = b"""<r>
<a name="f"><w t="1"><c name="f"/></w><w t="2"><m>needed</m></w></a>
<b><c name="f"/></b>
</r>
"""
    wanted = b"<r><b><m>needed</m></b></r>"
    assert turned("xml", text, wanted, inline) == wanted


def test_each_declaration_costs_thirty_runs_at_most():
    text = b"class A { m() { a(); return [1, 2]; } n() { return {}; } }\nf(new A().m(), A.n());\n"
    names = 3
    asked = reduced(Case(text, "javascript", lambda _: False), inline).judge.asked
    assert 0 < len(asked) <= 30 * names


def test_statements_of_several_lines_get_the_indentation_of_their_new_place():
    text = b"def f(x):\n        a(x)\n        b(x)\nif c:\n    f(7)\n"
    wanted = b"if c:\n    a(7)\n    b(7)\n"
    assert reduced(Case(text, "python", lambda text: text == wanted), inline).text == wanted


def test_what_goes_into_a_line_stays_indented():
    """In Haskell a line that begins as far to the left as a declaration is another one."""
    text = b"f m =\n  [ x\n  , m\n  ]\nmain = g (f y)\n"
    wanted = b"main = g [ x\n  , y\n  ]\n"
    assert reduced(Case(text, "haskell", {text, wanted}.__contains__), inline).text == wanted


def test_no_text_grows_by_indentation():
    """Users watch the text shrink, byte by byte."""
    lines = b"".join(b" f%d(x)\n" % number for number in range(5))
    text = b"def f(x):\n" + lines + b"if e:\n" + b" " * 40 + b"f(7)\n"
    result = reduced(Case(text, "python", lambda _: True), inline)
    assert all(len(accepted) <= len(text) for accepted in result.accepted)
    assert b"f4(7)" not in b"".join(result.judge.asked)


def test_it_ends_where_everything_is_interesting_and_every_step_is_smaller():
    text = b"int a = 1; int b = a; int f(int x) { return x + b; } int c = f(f(b));\n"
    result = reduced(Case(text, "c", lambda _: True), inline)
    sizes = [len(squeezed(text)) for text in (text, *result.accepted)]
    assert len(sizes) > 2
    assert sizes == sorted(set(sizes), reverse=True)


def test_a_statement_takes_the_place_of_a_call_with_its_semicolon():
    """Otherwise the call's own semicolon would stay behind, as an empty statement."""
    text = b"void f() { assert(0); }\nint main() { f(); }\n"
    asked = reduced(Case(text, "c", lambda _: False), inline).judge.asked
    assert b"int main() { assert(0); }\n" in asked
    assert not any(b";;" in candidate for candidate in asked)


def test_a_method_that_returns_anything_but_its_object_stays():
    text = (
        b"class A { int x; int f(int y) { x = y; return y; } int g() { return this.f(1) + x; } }\n"
    )
    assert not any(with_initial_values(document(text, "java")))


def test_a_member_that_is_assigned_twice_stays():
    text = b"class A { m() { this.x = 7; this.x = 8; f(this.x); } }\n"
    asked = reduced(Case(text, "javascript", lambda _: False), inline).judge.asked
    assert not any(b"f(7)" in each or b"f(8)" in each for each in asked)


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
    assert turned("c", text, wanted, inline) == squeezed(wanted)


def test_a_long_text_is_left_alone():
    text = b"int x = 7; int y = x;\n" + b"int z;\n" * 10_000
    assert reduced(Case(text, "c", lambda _: True), inline).judge.asked == []


@examples(15)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case):
    result = reduced(case, inline)
    assert set(result.accepted) <= result.judge.interesting
    assert reduced_ahead(case, inline, 4) == (result.accepted, len(result.accepted))


@pytest.mark.parametrize(
    ("name", "text", "unwanted"),
    {
        "a literal that is called": ("javascript", b"f = x => [x]\ng(f(), f)\n", b"[x]()"),
        "a type in the place of a member": (
            "c",
            b"struct { int a; } t; int f() { return t.a; }\n",
            b"t.int",
        ),
        "a return outside of a function": (
            "javascript",
            b"function f() { a(); b(); return c() }\nd = f()\n",
            b"d = a(); b(); return",
        ),
        "an object in the place of a member": (
            "javascript",
            b"class A extends B { x() { return this } }\nnew A().x()\n",
            b".this()",
        ),
    }.values(),
)
def test_no_run_is_for(name: str, text: bytes, unwanted: bytes) -> None:
    asked = reduced(Case(text, name, lambda _: False), inline).judge.asked
    assert asked
    assert not any(unwanted in each for each in asked)


@pytest.mark.parametrize(
    ("name", "text"),
    {
        "Python": ("python", b"for x in {}:\n    f(x)\n"),
        "Java": ("java", b"class A { void g() { for (int x : List.of()) f(x); } }\n"),
        "JavaScript": ("javascript", b"[].forEach(x => f(x));\n"),
    }.values(),
)
def test_a_loop_over_nothing_has_no_round(name, text):
    assert reduced(Case(text, name, lambda new: new == text), inline).text == text
