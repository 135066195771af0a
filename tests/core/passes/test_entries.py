"""Entries in lists of exports and forward declarations go with the functions that they name."""

from __future__ import annotations

import re

import pytest

from pollard.engine.pruning import Units
from pollard.engine.subject import Subject
from pollard.passes.heaviest.listed import Entries, NamedUnits, RemovingWithEntries
from pollard.syntax.branches.branches import below
from pollard.syntax.branches.units import Unit
from pollard.syntax.layout.layout import Layout
from tests.core.passes.support import Case, Loop, document, reduced, reduced_ahead

F, G, H = (b"subroutine %s()\nend subroutine\n" % name for name in (b"f", b"g", b"h"))

# Of each language how its function g begins, a text, and the text without the function g.
EXPORTED = {
    "erlang": (
        b"g(a, b)",
        b"-module(m).\n-export([f/1, g/2, h/3]).\nf(a) -> 1.\ng(a, b) -> 2.\nh(a, b, c) -> 3.\n",
        b"-module(m).\n-export([f/1, h/3]).\nf(a) -> 1.\nh(a, b, c) -> 3.\n",
    ),
    "haskell": (
        b"g x",
        b"module M (f, g, h) where\n\nf x = 1\n\ng x = 2\n\nh x = 3\n",
        b"module M (f, h) where\n\nf x = 1\n\nh x = 3\n",
    ),
    "javascript": (
        b"function g",
        b"function f() {}\nfunction g() {}\nfunction h() {}\nexport { f, g as default, h };\n",
        b"function f() {}\nfunction h() {}\nexport { f, h };\n",
    ),
    "fortran": (
        b"subroutine g",
        b"module m\npublic :: f, g, h\ncontains\n%s%s%send module\n" % (F, G, H),
        b"module m\npublic :: f, h\ncontains\n%s%send module\n" % (F, H),
    ),
}

# Likewise with forward declarations.
ANNOUNCED = {
    "pascal": (
        b"procedure T.G",
        (
            b"unit U;\ninterface\ntype\n  T = class\n    procedure F;\n    procedure G;\n  end;\n"
            b"implementation\nprocedure T.F;\nbegin\nend;\nprocedure T.G;\nbegin\nend;\nend.\n"
        ),
        (
            b"unit U;\ninterface\ntype\n  T = class\n    procedure F;\n  end;\n"
            b"implementation\nprocedure T.F;\nbegin\nend;\nend.\n"
        ),
    ),
    "vhdl": (
        b"procedure g is",
        (
            b"package p is\n  procedure f;\n  procedure g;\nend package;\n"
            b"package body p is\n  procedure f is\n  begin\n  end;\n"
            b"  procedure g is\n  begin\n  end;\nend;\n"
        ),
        (
            b"package p is\n  procedure f;\nend package;\n"
            b"package body p is\n  procedure f is\n  begin\n  end;\nend;\n"
        ),
    ),
    "ada": (
        b"procedure G is",
        (
            b"package P is\n   procedure F;\n   procedure G;\nend P;\n"
            b"package body P is\n   procedure F is\n   begin\n      null;\n   end F;\n"
            b"   procedure G is\n   begin\n      null;\n   end G;\nend P;\n"
        ),
        (
            b"package P is\n   procedure F;\nend P;\n"
            b"package body P is\n   procedure F is\n   begin\n      null;\n   end F;\nend P;\n"
        ),
    ),
    "rust": (
        b"fn g() {",
        (
            b"trait T {\n    fn f();\n    fn g();\n}\n"
            b"impl T for A {\n    fn f() {}\n    fn g() {}\n}\n"
        ),
        b"trait T {\n    fn f();\n}\nimpl T for A {\n    fn f() {}\n}\n",
    ),
    "java": (
        b"int g() {",
        (
            b"interface I {\n    int f();\n    int g();\n}\n"
            b"class A implements I {\n    int f() { return 1; }\n    int g() { return 2; }\n}\n"
        ),
        b"interface I {\n    int f();\n}\nclass A implements I {\n    int f() { return 1; }\n}\n",
    ),
}
TOGETHER = [*EXPORTED.items(), *ANNOUNCED.items()]


def subject(text: bytes, language: str, **options: object) -> Subject:
    return Subject(document(text, language), Loop(lambda _: True), **options)


def units_of(found: Subject, beginning: bytes) -> tuple[list[Unit], int]:
    """The units of the first level on which one begins so, and its place among them."""
    text = found.document.text
    level = [found.root]
    while level:
        level = below(level, found.span)
        units = Units(found).of(branch for branch in level if not branch.is_token)
        for place, (branch, _) in enumerate(units):
            if text.startswith(beginning, branch.start):
                return units, place
    raise AssertionError(beginning)


def without(found: Subject, beginning: bytes) -> bytes:
    units, place = units_of(found, beginning)
    layout = Layout(found.document, found.span)
    edits = RemovingWithEntries(NamedUnits(found, units), layout)([place])
    return found.document.edited(layout.tidy(edits)).text


@pytest.mark.parametrize(("language", "texts"), TOGETHER)
def test_an_entry_goes_with_the_function_that_it_names(
    language: str, texts: tuple[bytes, bytes, bytes]
) -> None:
    beginning, before, after = texts
    assert without(subject(before, language), beginning) == after


def test_a_forward_declaration_takes_no_other_one_along() -> None:
    text = b"interface I {\n    int f();\n}\ninterface J {\n    int f();\n    int g();\n}\n"
    found = subject(text, "java")
    assert without(found, b"int f();\n    int g") == text.replace(
        b"    int f();\n    int g", b"    int g"
    )


def test_all_entries_go_at_once() -> None:
    text = b"function f() {}\nfunction g() {}\nexport { f, g, g as h, f as i };\n"
    found = subject(text, "javascript")
    units, place = units_of(found, b"function f")
    layout = Layout(found.document, found.span)
    edits = layout.tidy(RemovingWithEntries(NamedUnits(found, units), layout)([place, place + 1]))
    assert found.document.edited(edits).text == b"export { };\n"
    assert without(found, b"function g") == b"function f() {}\nexport { f, f as i };\n"


def test_entries_stay_as_long_as_anything_defines_the_name() -> None:
    """The clauses of a function in Erlang are beside each other, and each defines it."""
    text = b"-export([f/1, g/1]).\nf(1) -> a;\nf(2) -> b.\ng(1) -> c.\n"
    assert b"[f/1, g/1]" in without(subject(text, "erlang"), b"f(1)")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("javascript", b"function f() {}\nexport { f };\n"),  # it goes as a whole
        ("javascript", b"function f() {}\nconst x = [f, f];\n"),
        ("javascript", b"function f() {}\nexport const x = { a: f(() => 1111111111111), b: 2 };\n"),
        ("javascript", b"function f() {}\nexport { /* f */ a, b };\n"),
        ("json", b'["f", "f"]\n'),
    ],
)
def test_what_is_no_element_of_a_list_of_exports_is_no_entry(language: str, text: bytes) -> None:
    assert not Entries(subject(text, language)).of(b"f")


def test_entries_outside_of_the_region_stay() -> None:
    text = EXPORTED["javascript"][1]
    region = (0, text.index(b"export"))
    assert not Entries(subject(text, "javascript", region=region)).of(b"g")
    assert without(subject(text, "javascript", region=region), b"function g").endswith(
        b"export { f, g as default, h };\n"
    )


NAMES = [f"f{number}" for number in range(64)]
BODY = " + ".join(["1"] * 30)
MODULE = "".join(f"function {name}() {{ return {BODY} }}\n" for name in NAMES).encode()


def is_whole(text: bytes) -> bool:
    """As a bundler sees it: whatever is exported is there, and f5 is exported."""
    exported = re.findall(rb"\w+", (re.search(rb"export {(.*)}", text) or [b"", b""])[1])
    return b"f5" in exported and all(b"function %s(" % name in text for name in exported)


def test_functions_that_a_list_exports_go_in_large_groups() -> None:
    text = MODULE + f"export {{ {', '.join(NAMES)} }};\n".encode()
    case = Case(text, "javascript", is_whole)
    result = reduced(case, "heavy")
    assert result.text.count(b"function") <= 2
    assert len(result.judge.asked) < len(NAMES) / 2
    assert reduced_ahead(case, "heavy", workers=3)[0] == result.accepted
