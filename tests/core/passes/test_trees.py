"""HDD and its family: what one pass over the levels does, and in which order."""

from __future__ import annotations

import pytest

from pollard.engine.subject import Subject
from pollard.passes.papers import hdd as trees
from tests.core.passes.support import SAMPLES, C, Case, in_order, reduced
from tests.core.search.support import MINIMISERS

TREE_PASSES = [
    trees.coarse_hdd,
    trees.hdd,
    trees.hdd_plus,
    trees.hddr,
    trees.hoisting,
    trees.hddh,
]


def _case(name: str, text: bytes, *tokens: bytes) -> Case:
    return Case(text, name, lambda text: in_order(tokens, text))


def _text(run, name: str, text: bytes, *tokens: bytes) -> bytes:
    return reduced(_case(name, text, *tokens), run).text


@pytest.mark.parametrize("run", TREE_PASSES)
def test_without_a_grammar_nothing_is_done(run):
    assert reduced(Case(b"some text", None, lambda _: True), run).judge.asked == []


@pytest.mark.parametrize("run", [trees.coarse_hdd, trees.hdd, trees.hddr, trees.hddh])
def test_list_elements_go_with_their_separators(run):
    """An element takes the comma with it that an author would take."""
    text = b"int a, b, c;\nint f(int x, int y) { return g(x, y, 1); }\n"
    found = _text(run, "c", text, b"b", b"f(", b"y", b"return", b"1")
    assert b",," not in found
    assert b"(," not in found
    assert b", )" not in found
    assert b"x" not in found


def test_optional_parts_go_with_their_keywords():
    text = b"int f(int x) {\n  if (x) {\n    a();\n  } else {\n    b();\n  }\n  return 1;\n}\n"
    found = _text(trees.coarse_hdd, "c", text, b"f(", b"if", b"a(")
    assert b"else" not in found
    assert b"return" not in found


def test_hdd_puts_a_minimal_replacement_where_nothing_can_be_removed():
    """Of `return f(1, 2) + 3;` only the statement is needed, and it needs some expression."""
    text = b"int g(void) { return f(1, 2) + 3 * (4 - 5); }\n"

    def returns_something(text: bytes) -> bool:
        return b"return " in text and b"return ;" not in text

    found = reduced(Case(text, "c", returns_something), "hdd*").text
    assert b"f(1, 2)" not in found
    assert len(found) < 30


def test_coarse_hdd_replaces_nothing():
    """No byte occurs in a candidate more often than in the original."""
    result = reduced(_case("c", C, b"printf"), trees.coarse_hdd)
    for text in result.judge.asked:
        assert all(C.count(bytes([byte])) >= text.count(bytes([byte])) for byte in set(text))


@pytest.mark.parametrize("name", sorted(MINIMISERS))
@pytest.mark.parametrize("run", [trees.hdd, trees.hddr, trees.hddh, trees.coarse_hdd])
def test_any_list_minimiser_can_be_used(run, name: str):
    case = _case("json", SAMPLES["json"], b'"b"', b'"e"')

    def with_minimiser(subject: Subject) -> None:
        run(subject, MINIMISERS[name])

    result = reduced(case, with_minimiser)
    assert in_order((b'"b"', b'"e"'), result.text)
    assert len(result.text) < len(case.text)


def test_the_level_is_told_while_a_pass_is_on_it():
    seen: list[int] = []
    subject: Subject

    def test(text: bytes) -> bool:
        seen.append(subject.level)
        return b"null" in text

    def run(of: Subject) -> None:
        nonlocal subject
        subject = of
        trees.hdd(of)

    reduced(Case(SAMPLES["json"], "json", test), run)
    assert seen[0] == 1
    assert len(set(seen)) > 1
    assert seen == sorted(seen)


@pytest.mark.parametrize("run", [trees.coarse_hdd, trees.hdd, trees.hddh])
def test_passes_that_tried_every_unit_say_so(run):
    result = reduced(_case("json", b"[1, 2]\n", b"1"), run)
    assert result.subject.memory.every_unit_tried


def test_hoisting_alone_has_not_tried_every_unit():
    assert not reduced(
        _case("json", b"[1, 2]\n", b"1"), trees.hoisting
    ).subject.memory.every_unit_tried


@pytest.mark.parametrize(
    ("depth_first", "backward", "first"),
    [(False, False, b"1"), (False, True, b"3"), (True, False, b"3"), (True, True, b"1")],
)
def test_hddr_visits_nodes_in_the_order_asked_for(depth_first: bool, backward: bool, first: bytes):
    """Into which of two arrays it looks first, where nothing can go."""

    def run(subject: Subject) -> None:
        trees.hddr(subject, MINIMISERS["one-by-one"], depth_first=depth_first, backward=backward)

    asked = reduced(Case(b"[[1, 2], [3, 4]]\n", "json", lambda _: False), run).judge.asked
    gone = [[number for number in (b"1", b"2", b"3", b"4") if number not in text] for text in asked]
    assert next(numbers for numbers in gone if len(numbers) == 1) == [first]
