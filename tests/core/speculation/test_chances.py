"""How verdicts are foretold: what texts change, and what the answers so far teach."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.speculation.chances import Chances, OtherTexts
from pollard.speculation.changes import Change, change

_TEXTS = st.lists(st.sampled_from([b"a", b"b", b"c1", b"(", b")", b" ", b"\n", b"\xff"])).map(
    b"".join
)


def test_a_change_has_the_tokens_that_are_gone_and_where_their_words_still_are() -> None:
    found = change(b"int a = b + b;\nuse(a);", b"int a = b;\nuse(a);")
    assert set(found.removed) == {b"+", b"b"}
    assert found.removed_bytes == 4
    assert found.share == pytest.approx(4 / 22)
    assert found.elsewhere == 1.0
    assert change(b"one two", b"one").elsewhere == 0.0
    assert change(b"x = 10;", b"x = 1;").removed == (b"10",)


def test_changes_are_the_same_if_the_same_tokens_go() -> None:
    assert change(b"x; y; z;", b"x; y;").identity == change(b"x; z; q;", b"x; q;").identity
    assert change(b"x; y; z;", b"x; y;").identity != change(b"x; y; z;", b"y; z;").identity
    assert change(b"f(x)", b"x").identity != change(b"f(x)", b"0").identity


def test_changes_have_the_same_form_if_they_look_alike() -> None:
    def form(before: bytes, after: bytes) -> int:
        return change(before, after).form

    assert form(b"f(x, 1)", b"f(x)") == form(b"other(y, 22)", b"other(y)")
    assert form(b"f(x, 1)", b"f(x)") != form(b"f(x, y)", b"f(x)")
    assert form(b"{a; b;}", b"{a;}") == form(b"{a; c(); d;}", b"{a; c();}")
    assert form(b"f(x, 1)", b"f(x)") != form(b"f(x, 1)", b"f(1)")
    assert form(b"a = 10;", b"a = 0;") != form(b"a = 10;", b"a = b;")


def test_long_changes_are_bounded() -> None:
    words = b" ".join(b"w%d" % number for number in range(100_000))
    found = change(words, b"")
    assert len(found.removed) == 50
    assert found.removed_bytes == len(words)


@given(_TEXTS, _TEXTS)
def test_any_two_texts_can_be_compared(before: bytes, after: bytes) -> None:
    found = change(before, after)
    assert 0 <= found.share <= 1
    assert 0 <= found.elsewhere <= 1
    assert all(before.count(token) for token in found.removed)
    assert change(before, before) == change(b"", b"")
    assert 0 < Chances().chance(found) < 1


def _removal(*tokens: bytes) -> Change:
    return Change(tokens, removed_bytes=5, share=0.1, identity=hash(tokens))


def test_what_was_refused_without_a_token_makes_it_likely_that_the_token_is_needed() -> None:
    chances = Chances()
    before = chances.chance(_removal(b"needed"))
    for other in (b"one", b"two", b"three"):
        chances.note(_removal(b"needed", other), interesting=False)
        chances.note(_removal(other), interesting=True)
    assert chances.chance(_removal(b"needed")) < before / 2
    assert chances.chance(_removal(b"fresh")) > 2 * chances.chance(_removal(b"needed"))


def test_a_change_that_was_refused_is_less_likely_the_next_time() -> None:
    chances = Chances()
    chances.note(Change((), 5, 0.1, identity=7), interesting=False)
    again, other = (Change((), 5, 0.1, identity=number) for number in (7, 8))
    assert chances.chance(again) < chances.chance(other)


def test_a_form_of_changes_that_were_interesting_is_more_likely_to_be_so_again() -> None:
    chances = Chances()
    for number in range(4):
        chances.note(Change((), 5, 0.1, identity=number, form=1), interesting=True)
        chances.note(Change((), 5, 0.1, identity=number + 10, form=2), interesting=False)
    good, bad, unknown = (Change((), 5, 0.1, identity=-1, form=form) for form in (1, 2, 3))
    assert chances.chance(good) > chances.chance(unknown) > chances.chance(bad)


@pytest.mark.parametrize("kind", [1, 200])
def test_chances_adapt_to_an_oracle_that_accepts_one_kind_of_change(kind: int) -> None:
    chances, draw = Chances(), random.Random(3)
    for number in range(300):
        saved = draw.choice([1, 200])
        chances.note(Change((), saved, 0.1, identity=number), interesting=saved == kind)
    likely, unlikely = (Change((), size, 0.1, identity=-1) for size in (kind, 201 - kind))
    assert chances.chance(likely) > 0.7
    assert chances.chance(unlikely) < 0.3


def test_no_number_of_answers_makes_a_verdict_certain() -> None:
    chances = Chances()
    for interesting in [True] * 2000 + [False] * 4000:
        chances.note(_removal(b"same"), interesting=interesting)
        assert 0 < chances.chance(_removal(b"same")) < 1


def test_branches_learn_apart() -> None:
    chances = Chances()
    chances.note(_removal(b"a"), interesting=False)
    branch = chances.branch()
    assert branch.chance(_removal(b"a")) == chances.chance(_removal(b"a"))
    before = chances.chance(_removal(b"a"))
    for _ in range(3):
        branch.note(_removal(b"a"), interesting=False)
    assert chances.chance(_removal(b"a")) == before > branch.chance(_removal(b"a"))
    assert (chances.refusals(_removal(b"a")), branch.refusals(_removal(b"a"))) == (1, 4)


def test_what_became_of_a_change_elsewhere_foretells_what_becomes_of_it_here() -> None:
    others, same = OtherTexts(), _removal(b"a")
    others.note(_removal(b"b"), b"other", interesting=True)
    assert others.chance(0.2, same, b"here", 0) == 0.2
    others.note(same, b"there", interesting=False)
    once = others.chance(0.2, same, b"here", 0)
    others.note(same, b"also there", interesting=False)
    twice = others.chance(0.2, same, b"here", 0)
    others.note(same, b"behind", interesting=True)
    assert 0 < twice < once < 0.2 < others.chance(0.2, same, b"here", 0) < 1


def test_what_a_chance_was_estimated_from_does_not_count_as_elsewhere() -> None:
    others, same = OtherTexts(), _removal(b"a")
    others.note(same, b"before", interesting=False)
    others.note(same, b"here", interesting=False)
    assert others.chance(0.2, same, b"here", 1) == 0.2
    assert others.chance(0.2, same, b"here", 0) < 0.2
