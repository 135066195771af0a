"""Several statements that the grammar has no node for: hoisted together, and nothing else is."""

from __future__ import annotations

import re

import pytest

from pollard.passes.heaviest.descent import lists_of_statements
from pollard.syntax.branches.branches import all_below
from tests.core.passes.support import Case, Loop, reduced, squeezed, subject_of

_C_SWITCH = b"switch (h(a)) { case 7: f(1); g(2); break; default: e(3); }"
#: A text with the statements f(1) and g(2), and what `heaviest*` leaves of it.
IN_THE_MIDDLE = {
    "c-case": ("c", b"int main() { %b }" % _C_SWITCH, b"f(1); g(2);"),
    "cpp-case": ("cpp", b"int main() { %b }" % _C_SWITCH, b"f(1); g(2);"),
    "csharp-case": ("csharp", b"class A { void b() { %b } }" % _C_SWITCH, b"f(1); g(2);"),
    "dart-case": ("dart", b"a() { %b }" % _C_SWITCH, b"a() { f(1); g(2); }"),
    "java-case": ("java", b"class A { void b() { %b } }" % _C_SWITCH, b"f(1); g(2);"),
    "javascript-case": ("javascript", _C_SWITCH, b"f(1); g(2);"),
    "php-case": ("php", b"<?php " + _C_SWITCH, b"f(1); g(2);"),
    "bash-case": ("bash", b"case $a in\n7)\n  f 1\n  g 2\n  ;;\nesac\n", b"f 1 g 2"),
    "ada-case": (
        "ada",
        b"procedure A is begin case B is when 1 => F (1); G (2); when others => H (3); end case; end;",
        b"F (1); G (2);",
    ),
    "ada-if": (
        "ada",
        b"procedure A is begin if B > 1 then F (1); G (2); else H (3); end if; end;",
        b"F (1); G (2);",
    ),
}


_BOTH = re.compile(rb"f ?\(?1.*g ?\(?2", re.DOTALL | re.IGNORECASE)


def _has_both(text: bytes) -> bool:
    return _BOTH.search(text) is not None


@pytest.mark.parametrize("name", IN_THE_MIDDLE)
def test_statements_take_the_place_of_what_is_around_them(name: str):
    language, text, wanted = IN_THE_MIDDLE[name]
    case = Case(text, language, _has_both)
    left = reduced(case, "heaviest*").text
    assert squeezed(left).rstrip(b";") == squeezed(wanted).rstrip(b";")


#: A text, and the lists in it.
LISTS = {
    "statements of a case": ("javascript", b"switch (a) { case 1: f(); g() }", [b"f(); g()"]),
    "both branches": (
        "ada",
        b"procedure A is begin if B then F; G; else H; I; end if; end;",
        [b"F; G;", b"H; I;"],
    ),
    "semicolons between": ("bash", b"for a in 1; do f; g; done", [b"f; g"]),
    "one statement": ("javascript", b"switch (a) { case 1: f() }", []),
    "all between brackets": ("javascript", b"if (a) { f(); g() }", []),
    "parts with names of their own": ("java", b"a.f(1);", []),
    "parts with commas between": ("javascript", b"f(a, b)", []),
}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_has_several_statements_after_a_word_or_a_sign(name: str):
    language, text, wanted = LISTS[name]
    subject = subject_of(Case(text, language, lambda _: True), Loop(lambda _: False), [])
    branches = all_below(subject.root, subject.span)
    found = [each for branch in branches for each in lists_of_statements(branch, text)]
    assert sorted(text[each.start : each.end] for each in found) == wanted
