"""Perses: the heaviest node first, its children a list, itself replaced by what is below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given

from pollard.engine.hoisting import Choice, Elements, Hoister, Hoisting
from pollard.engine.subject import Subject
from pollard.passes.papers.prioritised import COMPATIBLE
from pollard.syntax.branches.branches import Branch, all_below
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import (
    SAMPLES,
    Case,
    Loop,
    cases,
    document,
    in_order,
    reduced,
    reduced_ahead,
    removable,
)
from tests.examples import examples


def _json(run: str, text: bytes, *tokens: bytes):
    return reduced(Case(text, "json", lambda text: in_order(tokens, text)), run)


def test_lists_are_minimised_from_the_heaviest_node_down_and_replaced_by_the_smallest_below():
    """The root's list, by ddmin; the outer list; its place; and the same for what took it."""
    assert _json("perses", b"[1, [2, 3, 4], [5, 6]]\n", b"3").judge.asked == [
        b"",
        b"[1]\n",
        b"[[2, 3, 4], [5, 6]]\n",
        b"[[2, 3, 4]]\n",
        b"[]\n",
        b"[2, 3, 4]\n",
        b"2\n",
        b"3\n",
    ]


def test_after_a_reduction_units_are_found_in_the_text_that_is_left():
    text = b'[100, "2", {"a": 1, "b": [2, "x", 7], "c": 3}]\n'
    assert _json("perses", text, b"[{", b'"b"', b"[", b'"x"').text == b'[{"b": ["x"]}]\n'


def test_a_heavy_node_comes_before_a_lighter_one_of_the_level_above():
    """By levels, all elements of both lists would come before anything that is deeper."""
    text = b"[[1, 2], [[3, 4, 5, 6]]]\n"
    asked = _json("perses", text, b"[[1, 2", b"[[3", b"6").judge.asked
    deep, shallow = asked.index(b"[[1, 2], [[3, 6]]]\n"), asked.index(b"[[1], [[3, 6]]]\n")
    assert deep < shallow


@pytest.mark.parametrize(
    ("name", "text", "tokens", "expected"),
    [
        ("json", b"[1, [2, [3, 4]], 5]\n", (b"1", b"3", b"4", b"5"), b"[1, 3, 4, 5]\n"),
        (
            "c",
            b"int f() { if (x) { a(); b(); } c(); }\n",
            (b"f()", b"a()", b"b()", b"c()", b"}"),
            b"int f() { a(); b(); c(); }\n",
        ),
        (
            "html",
            b"<p><em><b>one</b> <i>two</i></em><s>three</s></p>\n",
            (b"<p>", b"<b>", b"one", b"</b>", b"<i>", b"</i>", b"<s>", b"</s>", b"</p>"),
            b"<p><b>one</b> <i></i><s></s></p>\n",
        ),
    ],
)
def test_a_list_is_spliced_into_the_list_around_it(name, text, tokens, expected):
    case = Case(text, name, lambda text: in_order(tokens, text))
    assert reduced(case, "perses*").text == expected


def test_the_example_of_the_notebook():
    """Two parentheses around something: 1+((2*3/4)), and the one that a grammar without lists resists.

    The notebook's simplified Perses cannot make a factor of `factor * term`.
    """
    for text in (b"1+((2*3/4))\n", b"1+((2*3/4))*5\n"):
        case = Case(
            text, "javascript", lambda text: re.search(rb"[(][(].*[)][)]", text) is not None
        )
        assert reduced(case, "perses*").text == b"((2))\n"


def _descendants(branch: Branch, steps: int = 1) -> Iterator[tuple[int, Branch]]:
    for child in branch.children:
        if not child.is_token:
            yield steps, child
            yield from _descendants(child, steps + 1)


def _by_definition(hoister: Hoister, subject: Subject, target: Branch) -> Iterator[bytes]:
    """The texts of the nearest compatible descendants on each path, no more than four steps below."""
    text = subject.document.text

    def fits(branch: Branch) -> bool:
        return subject.fits(subject.document, hoister.edits([Hoisting(target, branch)]))

    for steps, branch in _descendants(target):
        above, between = branch.parent, []
        while above is not target:
            between.append(above)
            above = above.parent
        if steps <= 4 and fits(branch) and not any(map(fits, between)):
            yield text[branch.start : branch.end]


@pytest.mark.parametrize("name", SAMPLES)
def test_the_compatible_are_the_nearest_on_each_path_within_four_steps_the_smallest_first(
    name: str,
):
    subject = Subject(document(SAMPLES[name], name), Loop(lambda _: False))
    hoister = Hoister(subject, choice=COMPATIBLE)
    for target in all_below(subject.root, subject.span):
        found = [hoisting.source for hoisting in hoister.candidates(Hoisting(target, target))]
        texts = [subject.document.text[source.start : source.end] for source in found]
        assert [size(text) for text in texts] == sorted(map(size, texts))
        singles = {
            text for text, source in zip(texts, found, strict=True) if isinstance(source, Branch)
        }
        if not target.is_token:
            own = size(subject.document.text[target.start : target.end])
            wanted = {t for t in _by_definition(hoister, subject, target) if size(t) < own}
            runs = set(texts) - singles
            assert singles <= wanted <= singles | runs


def test_only_those_that_splice_offer_the_elements_of_lists():
    subject = Subject(document(b"[1, [2, 3]]\n", "json"), Loop(lambda _: False))
    target = all_below(subject.root, subject.span)[4]

    def runs(choice: Choice) -> list[tuple[int, int]]:
        hoister = Hoister(subject, choice=choice)
        sources = [h.source for h in hoister.candidates(Hoisting(target, target))]
        return [(source.start, source.end) for source in sources if isinstance(source, Elements)]

    assert runs(COMPATIBLE) == [(5, 9)]
    assert runs(Choice()) == []


@examples(15)
@given(case=cases())
def test_at_the_fixpoint_no_unit_can_be_removed(case: Case):
    result = reduced(case, "perses*")
    assert removable(result, case) == []


@examples(8)
@given(case=cases())
def test_reading_ahead_changes_nothing(case: Case):
    accepted = reduced(case, "perses*").accepted
    for workers in (2, 5):
        assert reduced_ahead(case, "perses*", workers) == (accepted, len(accepted))


REGION = b"[[1, [2, 3]],\n [4, [5, [6, 7]], 8],\n [9, [10]]]\n"


@pytest.mark.parametrize("run", ["perses*", "pardis*", "pardis-hybrid*", "gtr*"])
def test_a_region_is_never_left(run: str):
    start, end = REGION.index(b"[4"), REGION.index(b",\n [9")
    case = Case(REGION, "json", lambda text: b"6" in text)
    result = reduced(case, run, region=(start, end))
    assert result.text.startswith(REGION[:start])
    assert result.text.endswith(REGION[end:])
    assert size(result.text) < size(REGION)
    assert all(text.startswith(REGION[:start]) for text in result.judge.asked)
    assert all(text.endswith(REGION[end:]) for text in result.judge.asked)


@pytest.mark.parametrize("run", ["perses*", "pardis*", "pardis-hybrid*", "gtr*"])
def test_without_the_guard_what_does_not_parse_is_tried_too(run: str):
    case = Case(b'{"a": [1, 2, 3], "b": 4}\n', "json", lambda text: b"[" in text and b"2" in text)
    result = reduced(case, run, guard=False)
    assert size(result.text) <= size(reduced(case, run).text)
    assert set(result.accepted) <= result.judge.interesting
    assert any(document(text, "json").errors for text in result.judge.asked)
