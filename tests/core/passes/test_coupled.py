"""Coupled deletion: what only goes together goes in one candidate, for oracles like compilers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.subject import Subject
from pollard.passes.coupling import by_use
from pollard.passes.coupling import coupled as passes
from pollard.passes.coupling.coupled import coupled
from pollard.syntax.tree.sizes import size
from tests.core.passes.coupling_cases import ALL
from tests.core.passes.support import (
    SAMPLES,
    Case,
    cases,
    document,
    reduced,
    reduced_ahead,
    squeezed,
    turned,
)


def _into(name: str, text: bytes, wanted: bytes) -> bool:
    """Whether the pass makes a text of another in one step, white space aside."""
    return turned(name, text, wanted, coupled) == squeezed(wanted)


@pytest.mark.parametrize("what", ALL)
def test_parts_that_need_each_other_go_in_one_candidate(what: str):
    assert _into(*ALL[what])


# In Go every pass takes along what a deletion leaves unused.
_BY_ANY_PASS = {what for what in ALL if ALL[what][0] == "go"}


@pytest.mark.parametrize(
    "what", [what for what in ALL if "macros" not in what and what not in _BY_ANY_PASS]
)
def test_single_deletions_cannot_remove_them(what: str):
    """Else the test above would show nothing."""
    name, text, wanted = ALL[what]
    case = Case(text, name, lambda text: squeezed(text) == squeezed(wanted))
    assert reduced(case, "hdd*").text == text


def _calls_agree(text: bytes) -> bool:
    """Like a compiler: it parses, what is called is defined, and arguments are as many."""
    counts = {len(found.split(b",")) for found in re.findall(rb"f\(([^()]*)\)", text)}
    return b"f(" in text and len(counts) == 1 and not document(text, "c").errors


def test_accepted_deletions_add_up_in_one_sweep():
    text = b"int f(int a, int b, int c) { }\nint main() { f(1, 2, 3); }\n"
    result = reduced(Case(text, "c", lambda t: _calls_agree(t) and b"main" in t), coupled)
    assert result.subject.tally.accepted > 1
    assert re.search(rb"f\([^,()]*\)", result.text)


def test_only_the_same_argument_of_all_calls_moves():
    text = b"function f(x) { g(x); }\nf(7);\nf(8);\n"
    asked = reduced(Case(text, "javascript", lambda _: False), coupled).judge.asked
    assert asked
    assert not any(b"g(7)" in each or b"g(8)" in each for each in asked)


def test_where_a_value_moved_what_held_it_may_go():
    """The query needs no table any more."""
    text = b"create table t (name);\ninsert into t values ('seven');\nselect name from t;\n"
    result = reduced(Case(text, "sql", _shows_seven), coupled)
    assert squeezed(result.text) == b"select'seven';"


def _shows_seven(text: bytes) -> bool:
    """Like a database: the column or the literal is shown, and no table is missing."""
    lines = [squeezed(line) for line in text.strip(b";\n").split(b";")]
    table = [b"createtablet(name)", b"insertintotvalues('seven')", b"selectnamefromt"]
    moved = [b"createtablet(name)", b"insertintotvalues(0)", b"select'seven'fromt"]
    return lines in (table, moved, [b"select'seven'"])


@pytest.mark.parametrize("late", [True, False])
def test_once_every_unit_was_tried_not_more_than_half_of_the_text_goes(late: bool):
    text = b"int f(int a) { return a; }\nint main() { return f(1) + f(2); }\n"

    def late_or_not(subject: Subject) -> None:
        subject.memory.every_unit_tried = late
        coupled(subject)

    asked = reduced(Case(text, "c", lambda _: False), late_or_not).judge.asked
    assert asked
    assert all(2 * size(each) >= size(text) for each in asked) == late


def test_tags_of_a_template_go_however_long_they_are():
    """They are no units, so nothing has tried them before."""

    def late(subject: Subject) -> None:
        subject.memory.every_unit_tried = True
        coupled(subject)

    text = b"{% for product in products %}{{ 0 | f }}{% endfor %}\n"
    assert reduced(Case(text, "html", lambda text: b"f }" in text), late).text == b"{{ 0 | f }}\n"


def test_a_definition_with_many_uses_is_left_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(by_use, "MAX_USES", 4)
    for uses, tried in ((3, True), (4, False)):
        text = b"int x;\nint main() { " + b"f(x); " * uses + b"}\n"
        asked = reduced(Case(text, "c", lambda _: False), coupled).judge.asked
        assert any(b"int x" not in text and b"main" in text for text in asked) == tried


def test_a_sweep_tries_a_limited_number_of_candidates(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(passes, "_MAX_CANDIDATES", 3)
    asked = reduced(Case(SAMPLES["c"], "c", lambda _: False), coupled).judge.asked
    assert 0 < len(asked) <= 3


def test_only_some_neighbours_of_a_long_list_are_joined():
    text = b"[" + b", ".join(b"[%d]" % number for number in range(50)) + b"]\n"
    asked = reduced(Case(text, "json", lambda _: False), coupled).judge.asked
    joins = [each for each in asked if each.count(b"[") == 50]
    assert 0 < len(joins) < 49


def test_lists_of_different_lengths_have_no_columns():
    asked = reduced(Case(b"a,b,c\n1,2\n", "csv", lambda _: False), coupled).judge.asked
    assert asked == []


def test_what_saves_most_comes_first():
    asked = reduced(Case(SAMPLES["c"], "c", lambda _: False), coupled).judge.asked
    sizes = [size(text) for text in asked]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("name", "text"),
    [("json", SAMPLES["json"]), ("c", b"int main() { return 1; }\n"), (None, b"a")],
)
def test_nothing_is_tried_where_nothing_belongs_together(name: str | None, text: bytes):
    asked = reduced(Case(text, name, lambda _: False), coupled).judge.asked
    assert len(asked) <= 4
    assert name == "json" or not asked


@pytest.mark.parametrize("name", SAMPLES)
def test_text_outside_of_the_region_stays(name: str):
    text = SAMPLES[name]
    for start, end in ((0, len(text) // 2), (len(text) // 4, 3 * len(text) // 4)):
        result = reduced(Case(text, name, lambda _: True), coupled, region=(start, end))
        assert result.text.startswith(text[:start])
        assert result.text.endswith(text[end:])


@given(cases())
def test_what_it_accepts_is_interesting_and_smaller_and_nothing_is_tried_twice(case: Case):
    result = reduced(case, "coupled*")
    assert all(map(case, result.accepted))
    sizes = [size(text) for text in (case.text, *result.accepted)]
    assert sizes == sorted(set(sizes), reverse=True)
    assert len(set(result.judge.asked)) == len(result.judge.asked)
    errors = document(case.text, case.language).errors
    assert all(document(text, case.language).errors <= errors for text in result.judge.asked)


@given(cases(), st.integers(1, 4))
def test_reading_ahead_accepts_the_same(case: Case, workers: int):
    accepted, _ = reduced_ahead(case, "coupled*", workers)
    assert accepted == reduced(case, "coupled*").accepted
