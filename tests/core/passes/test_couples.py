"""Couples on top of each other: what one takes, another one neither replaces nor takes again."""

from __future__ import annotations

from pollard.passes.couples import Couple, Found
from pollard.passes.subject import Subject
from pollard.syntax.edits import Edit
from tests.core.passes.support import Case, Loop, document

TEXT = b"f(x); g(y);\n"


def _found(text: bytes = TEXT) -> Found:
    return Found(Subject(document(text, "c"), Loop(Case(text, "c", lambda _: False))))


def _written(couple: Couple) -> bytes:
    found = _found()
    return found.document.edited(found.written(couple)).text


def test_what_is_replaced_in_what_goes_is_gone():
    couple = Couple((), (Edit(2, 3, b"0"),)) + Couple((), (Edit(0, 5),))
    assert _written(couple) == b"g(y);\n"
    assert couple.saved(TEXT) == 5


def test_of_two_replacements_the_outer_or_else_the_first_one_counts():
    inner, outer = Couple((), (Edit(0, 1, b"h"),)), Couple((), (Edit(0, 4, b"0"),))
    assert _written(inner + outer) == _written(outer + inner) == b"0; g(y);\n"
    assert (inner + outer).saved(TEXT) == 3
    assert _written(inner + Couple((), (Edit(0, 1, b"i"),))) == b"h(x); g(y);\n"


def test_neighbours_go_with_one_separator_also_where_a_part_of_one_goes_too():
    text = b"f(g(x), y, z);\n"
    found = _found(text)
    names = {found.names.name(branch): branch for branch in found.names.units}
    couple = Couple(tuple(found.unit(names[name]) for name in (b"y", b"x", b"g(x)")))
    assert found.document.edited(found.written(couple)).text == b"f(z);\n"
