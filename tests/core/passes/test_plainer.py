"""Inlining: pointers and arrays lose a level, types their header, and expressions their brackets."""

from __future__ import annotations

import pytest

from pollard.passes.coupling.inlining import inline
from pollard.syntax.names.plainer.bodies.typed_variables import with_typed_variables
from pollard.syntax.names.plainer.fewer_levels import with_fewer_levels
from pollard.syntax.names.plainer.objects.thin_classes import without_thin_classes
from tests.core.passes.support import Case, document, reduced, squeezed, turned

LEVELS = {
    "of an array": (b"int a[2]; int f() { return a[1]; }", b"int a; int f() { return a; }"),
    "of an array of arrays": (
        b"int a[2][3]; int f() { return a[1][0]; }",
        b"int a[3]; int f() { return a[0]; }",
    ),
    "of an array of pointers": (
        b"int *a[2]; int *f() { return a[1]; }",
        b"int *a; int *f() { return a; }",
    ),
    "of a pointer": (
        b"int **p; int *f() { g(); return *p; }",
        b"int *p; int *f() { g(); return p; }",
    ),
    "of a pointer to an array": (
        b"extern int (*p)[2]; int f() { return (*p)[1]; }",
        b"extern int (p)[2]; int f() { return (p)[1]; }",
    ),
    "of a pointer to a structure": (
        b"struct s *p; int f() { return p->x; }",
        b"struct s p; int f() { return p.x; }",
    ),
    "of a parameter": (b"int f(int *p) { return *p; }", b"int f(int p) { return p; }"),
    "with an address as its value": (
        b"int f() { int *p = &a; p = &b; return *p; }",
        b"int f() { int p = a; p = b; return p; }",
    ),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("language", ["c", "cpp"])
def test_a_level_goes_at_the_declaration_and_at_all_uses(level: str, language: str) -> None:
    text, wanted = LEVELS[level]
    assert turned(language, text, wanted, inline) == squeezed(wanted)


VARIABLES = {
    "a declared function": (
        "cpp",
        b"class A { std::optional<T> f(int x); };\nint h(A a) { a.f(7)->y; }\n",
        b"class A { std::optional<T> f; };\nint h(A a) { a.f->y; }\n",
    ),
    "C++": (
        "cpp",
        b"std::pair<int, T> *f(int x) const { return g(x); }\nint h(A a) { a.f(7)->y = f(8); }\n",
        b"std::pair<int, T> *f;\nint h(A a) { a.f->y = f; }\n",
    ),
    "Java": (
        "java",
        b"class A { static T f(int k) { return f(k - 1); } B h() { g(); f(7).y(); } }\n",
        b"class A { static T f; B h() { g(); f.y(); } }\n",
    ),
    "Python": (
        "python",
        b"class A:\n def f(self, k) -> list[B]: return g(k)\n def h(self): self.f(7).x\n",
        b"class A:\n f: list[B]\n def h(self): self.f.x\n",
    ),
    "TypeScript": (
        "typescript",
        b"function f(x: A): B | null { return h(x) }\nf(g(7)).y\n",
        b"let f: B | null\nf.y\n",
    ),
    "Go": (
        "go",
        b"func (a A) f(x int) B { return g(x) }\nfunc h(a A) { a.f(7).y = 8 }\n",
        b"var f B\nfunc h(a A) { f.y = 8 }\n",
    ),
}


@pytest.mark.parametrize("case", VARIABLES)
def test_a_function_becomes_a_variable_of_the_type_of_its_result(case: str) -> None:
    language, text, wanted = VARIABLES[case]
    assert turned(language, text, wanted, inline) == squeezed(wanted)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("cpp", b"void f(int x) {} void g() { f(7); }"),
        ("python", b"def f(x): return x\nf(7).y\n"),
        ("java", b"interface A { T f(); default int g() { f().y(); } }"),
        ("java", b"class A { T f() { return f(); } }"),
        ("php", b"<?php function f(): A { return g(); } f()->y;"),
    ],
    ids=[
        "of no result",
        "of no declared type",
        "without a body",
        "that nothing else calls",
        "where values have types",
    ],
)
def test_a_function_stays(language: str, text: bytes) -> None:
    assert list(with_typed_variables(document(text, language))) == []


@pytest.mark.parametrize(
    "text",
    [
        b"int f() { int *p; return *p; } int g() { int *p; return *p; }",
        b"int *f() { return f(); }",
        b"int a; int f() { return *&a; }",
    ],
    ids=["of two names that are the same", "of a function's result", "that no declaration has"],
)
def test_a_level_stays(text: bytes) -> None:
    assert list(with_fewer_levels(document(text, "c"))) == []


HEADERS = {
    "of a type": (b"#include <stdint.h>\nuint32_t x;\n", b"unsigned x;"),
    "of several types and a value": (
        b"#include <stddef.h>\n#include <stdint.h>\nint8_t *x = NULL; size_t y;\n",
        b"char *x = 0; unsigned long y;",
    ),
    "beside one that is needed": (
        b"#include <stdint.h>\n#include <x.h>\nint64_t x = X;\n",
        b"#include <x.h>\nlong x = X;",
    ),
}


@pytest.mark.parametrize("header", HEADERS)
def test_a_header_goes_where_its_names_are_spelled_out(header: str) -> None:
    text, wanted = HEADERS[header]
    assert turned("c", text, wanted, inline) == squeezed(wanted)


BRACKETS = {
    "c": (b"int f() { return ((a()) < b); }", b"int f() { return a() < b; }"),
    "javascript": (b"f((a), (b) + 1);", b"f(a, b + 1);"),
    "python": (b"x = ((a) or (b))\n", b"x = a or b\n"),
}


@pytest.mark.parametrize("language", BRACKETS)
def test_brackets_around_expressions_go_together(language: str) -> None:
    text, wanted = BRACKETS[language]
    assert turned(language, text, wanted, inline) == squeezed(wanted)


def test_brackets_that_are_needed_stay() -> None:
    text = b"x = (a + b) * (c);\n"
    wanted = b"x=(a+b)*c;"
    case = Case(text, "javascript", lambda new: squeezed(new) in (squeezed(text), wanted))
    assert squeezed(reduced(case, inline).text) == wanted


def test_of_thousands_of_nested_brackets_few_are_tried() -> None:
    text = b"x = " + b"(" * 1000 + b"y" + b")" * 1000 + b";\n"
    asked = reduced(Case(text, "javascript", lambda _: False), inline).judge.asked
    assert 0 < len(asked) < 20


def test_a_class_stays_that_has_an_object_of_itself_in_the_arguments_of_another() -> None:
    text = b"class A extends B { constructor(x) { super(x, 1) } }\nthrow new A(new A(7));\n"
    assert not list(without_thin_classes(document(text, "javascript")))
