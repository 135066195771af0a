"""Heaviest first: large steps before small ones, uses with what they use, nothing hopeless twice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from pollard.engine.subject import Subject
from pollard.passes.heaviest.descent import HoistingRules, hoist_far
from pollard.passes.heaviest.heaviest import heaviest, heavy
from pollard.syntax.branches.branches import Preprocessing, below
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import (
    SAMPLES,
    USED,
    Case,
    Loop,
    cases,
    document,
    in_order,
    reduced,
    reduced_ahead,
    removable,
    squeezed,
    subject_of,
    turned,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


def case(text: bytes, language: str, *needed: bytes) -> Case:
    return Case(text, language, partial(in_order, needed))


UNEVEN = (
    b"int a;\nint b;\nint f() { "
    + b"g(1, 2, 3); " * 30
    + b"}\nint c;\nint h() { "
    + b"k(4); " * 12
    + b"}\nint d;\n"
)


class Watched(Subject):
    """Counts how often a walk through the levels begins."""

    walks = -1

    @property
    def level(self) -> int:
        return self._level

    @level.setter
    def level(self, level: int) -> None:
        self._level = level
        self.walks += not level


def test_a_comment_that_must_stay_loses_its_words_before_light_units_are_tried():
    text = b"int a;\nint b;\n/* " + b"words " * 30 + b"*/\nint c;\n"
    asked = reduced(case(text, "c", b"a", b"b", b"/*", b"c"), heaviest).judge.asked
    bare = asked.index(b"int a;\nint b;\n/**/\nint c;\n")
    assert not any(b"words" in one for one in asked[:bare]), "only it, and what goes with it"


def test_each_stage_has_a_lower_threshold() -> None:
    """Each stage walks all levels, for units a quarter as heavy as those of the stage before."""
    asked: list[tuple[int, int]] = []

    def test(text: bytes) -> bool:
        asked.append((subject.walks, size(UNEVEN) - size(text)))
        return False

    subject = Watched(document(UNEVEN, "c"), Loop(test))
    heaviest(subject)
    threshold = size(UNEVEN) // 2
    for walk in range(1, subject.walks + 1):
        assert threshold >= 1
        assert all(less >= threshold for at, less in asked if at == walk)
        threshold //= 4
    assert threshold == 0
    assert min(less for _, less in asked) < 4


def test_the_heaviest_unit_is_tried_first_wherever_it_is() -> None:
    asked = reduced(Case(UNEVEN, "c", lambda text: False), heaviest).judge.asked
    heavy = next(i for i, text in enumerate(asked) if b"int f()" not in text)
    light = next(i for i, text in enumerate(asked) if b"int f()" in text and b"int h()" not in text)
    single = next(i for i, text in enumerate(asked) if b"int f()" in text and b"int c" not in text)
    assert heavy < light < single


def test_no_text_is_tried_twice_and_no_failed_step_again() -> None:
    """Steps that failed on a piece are not repeated in other texts either."""
    result = reduced(case(UNEVEN, "c", b"f() {", b"g(1, 2, 3)", b"}"), heaviest)
    assert len(result.judge.asked) == len(set(result.judge.asked))
    lines = [b"int x%d;\n" % number for number in range(64)]
    text = b"".join(lines)
    needed = {5, 23, 60}
    kept = Case(text, "c", lambda text: all(lines[n].strip() in text for n in needed))
    result = reduced(kept, heaviest)
    assert result.text.split() == b"".join(lines[n] for n in sorted(needed)).split()
    alone = [one for one in result.judge.asked if size(result.text) - size(one) > 0]
    assert len(alone) <= 3 * len(needed) + 3


def test_declarations_in_use_are_tried_together_with_their_uses() -> None:
    """Never without: an oracle that is a compiler would refuse it."""
    result = reduced(case(USED, "c", b"needed() { return", b"}"), heaviest)
    assert b"used" not in result.text
    assert b"needed" in result.text
    for text in result.judge.asked:
        assert b"used() + 3" not in text or b"int used()" in text


FLAT = b"".join(b"int x%d;\n" % number for number in range(16))


def test_once_all_was_explored_it_takes_single_steps_only() -> None:
    """One walk; no group is tried where nothing can go."""
    asked: list[int] = []
    subject = Watched(
        document(FLAT, "c"), Loop(lambda text: bool(asked.append(size(FLAT) - size(text))))
    )
    subject.memory.every_unit_tried = True
    heaviest(subject)
    assert subject.walks == 1
    assert len(asked) >= 16
    assert max(asked) == size(b"int x15;")


def test_the_first_time_it_tries_groups_and_has_explored_all_then() -> None:
    result = reduced(Case(FLAT, "c", lambda text: False), heaviest)
    assert result.subject.memory.every_unit_tried
    assert size(FLAT) - size(result.judge.asked[0]) >= size(FLAT) // 2


@pytest.mark.parametrize(("left", "again"), [(1, False), (0.1, True)])
def test_once_explored_only_what_may_have_changed_is_tried_again(left: float, again: bool) -> None:
    """What failed is taken to fail again while most of the text is left, hidden or not."""
    text, rest = FLAT + b'char s[] = "%b";\n' % (b"s" * 400), size(FLAT) + len(b'chars[]="";')
    judge = Loop(lambda text: False)
    subject = subject_of(
        Case(text, "c", lambda text: True), judge, [], preprocessing=Preprocessing(hide=False)
    )
    heaviest(subject)
    judge.asked.clear()
    shorter = b"s" * int(size(text) * left - rest)
    subject.document = document(FLAT + b'char s[] = "%b";\n' % shorter, "c")
    heaviest(subject)
    without = [FLAT.replace(b"int x%d;\n" % number, b"") + b"char" for number in range(16)]
    retried = [one for one in without if any(asked.startswith(one) for asked in judge.asked)]
    assert bool(retried) == again


def test_where_no_removal_helps_a_descendant_is_hoisted() -> None:
    text = b"while (a) { needle(b, c); }\n"
    result = reduced(case(text, "javascript", b"needle(b, c)"), heaviest)
    assert not {*b"{}"} & {*result.text}


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("c", b"void f() {\n  int x = g(1);\n}\n", b"  g(1);\n"),
        ("cpp", b"void f() {\n  auto n = [] { g(1); };\n}\n", b"  [] { g(1); };\n"),
        ("java", b"class A { void f() {\n  int x = g(1);\n} }\n", b"  g(1);\n"),
    ],
)
def test_what_a_variable_holds_becomes_a_statement(language: str, text: bytes, kept: bytes) -> None:
    """Where compilers demand the semicolon that the declaration ended with."""
    around = text.partition(b"\n")[0]
    case = Case(text, language, lambda text: around in text and kept.strip() in text)
    assert kept in reduced(case, "heaviest*").text


def test_far_descendants_are_hoisted_at_once() -> None:
    """Over more steps than the four of the other passes: the first one that takes enough away."""
    text = b"if (a) while (a) " * 3 + b"{ needle(e, e, e, e, e, e, e, e, e, e, e, e, e, e); }\n"
    judge = Loop(lambda text: True)
    subject = subject_of(Case(text, "javascript", lambda text: True), judge, [])
    hoist_far(subject, below([subject.root], subject.span), lambda: HoistingRules(35))
    assert judge.asked == [text[text.index(b"{") :]]
    judge.asked.clear()
    hoist_far(subject, below([subject.root], subject.span), lambda: HoistingRules(60))
    assert judge.asked == []


def test_the_heaviest_descendants_are_hoisted_first() -> None:
    """They are more likely to contain what is needed."""
    text = b"if (a) { f(1); needle(1, 2, 3, 4); g(1, 2); }\n"
    judge = Loop(lambda text: False)
    subject = subject_of(Case(text, "javascript", lambda text: True), judge, [])
    hoist_far(
        subject, below(below([subject.root], subject.span), subject.span), lambda: HoistingRules(4)
    )
    hoisted = [text for text in judge.asked if b"{" not in text]
    assert hoisted[:2] == [b"if (a) needle(1, 2, 3, 4);\n", b"if (a) g(1, 2);\n"]


#: A text, and the only other that is interesting: its outermost descendants fail.
FURTHER_INSIDE = {
    "javascript": (b"keep(outer('and a text', inner(2, 3)));", b"keep(inner(2, 3));"),
    "python": (b"print(outer('and a text', inner(2, 3)))", b"print(inner(2, 3))"),
    "ocaml": (b'let _ = b (F ("and a longer text", V ""))', b'let _ = b (V "")'),
}


@pytest.mark.parametrize("language", FURTHER_INSIDE)
def test_where_the_outermost_descendants_failed_those_inside_have_their_turn(language: str) -> None:
    """That all else in the branch could not go alone does not keep them: the branch needed it."""
    text, wanted = FURTHER_INSIDE[language]
    assert turned(language, text, wanted, "heaviest*") == squeezed(wanted)


#: A text, and the only other that is interesting.
LINKS = {
    "javascript": [b"new A(12).b().c();", b"new A(12).c();"],
    "rust": [b"fn f() { A::d(12).b().c(); }", b"fn f() { A::d(12).c(); }"],
}


@pytest.mark.parametrize("language", LINKS)
def test_a_member_between_two_others_goes(language: str) -> None:
    """That its name could not go alone does not keep it, however light it is."""
    text, wanted = LINKS[language]
    assert turned(language, text, wanted, "heaviest*") == squeezed(wanted)


class Eager:
    """A judge that reads its whole stream before it says that the first text of it will do."""

    def __init__(self, *, interesting: bool) -> None:
        self._interesting = interesting

    def first(self, texts: Iterable[bytes | None]) -> int | None:
        read = list(texts)
        return 0 if read and self._interesting else None


@pytest.mark.parametrize("interesting", [True, False])
def test_only_candidates_that_failed_are_remembered_as_tried(interesting: bool) -> None:
    """Candidates that were only read ahead must still be tried later."""
    text = b"if (a) { needle(b, c, d); }\nwhile (a) { needle(b, c, d, e); }\n"
    judge = Eager(interesting=interesting)
    subject = subject_of(Case(text, "javascript", lambda text: True), judge, [])
    failed: list[str] = []
    level = below([subject.root], subject.span)
    hoist_far(
        subject,
        level,
        lambda: HoistingRules(1, on_failed=lambda branch: failed.append(branch.node.type)),
    )
    assert set(failed) == (set() if interesting else {"if_statement", "while_statement"})
    assert (subject.document.text == text) != interesting


@pytest.mark.parametrize("name", SAMPLES)
def test_a_region_is_never_left(name: str) -> None:
    text = SAMPLES[name]
    region = (len(text) // 4, len(text) * 3 // 4)
    result = reduced(Case(text, name, lambda text: True), heaviest, region=region)
    assert result.judge.asked
    for one in result.judge.asked:
        assert one.startswith(text[: region[0]])
        assert one.endswith(text[region[1] :])


@given(cases())
def test_reading_ahead_changes_nothing(case: Case) -> None:
    alone = reduced(case, heaviest)
    assert reduced_ahead(case, heaviest, 2)[0] == alone.accepted


@given(cases(adversarial=False))
def test_with_hddh_the_result_is_1_tree_minimal(case: Case) -> None:
    result = reduced(case, "heaviest+hddh*")
    assert case(result.text)
    assert removable(result, case) == []


def test_a_text_without_a_grammar_is_left_alone() -> None:
    assert reduced(Case(b"a b\n", None, lambda text: True), heaviest).judge.asked == []


def test_the_script_of_a_page_goes_statement_by_statement() -> None:
    text = SAMPLES["html"].replace(
        b"var x = 1;", b"function f() { g(1) }\nfunction h() { f() }\nneedle(2, 3);"
    )
    result = reduced(case(text, "html", b"<script>", b"needle(", b"</script>"), heaviest)
    assert b"function" not in result.text
    for one in result.judge.asked:
        assert b"f() }" not in one.partition(b"h()")[2] or b"function f()" in one


def test_blocks_of_templates_go_first() -> None:
    """No grammar knows them, so nothing else would remove a block around what is needed."""
    inner = b"{{#each b}}{{#if c}}<p>unneeded</p>{{else}}<p>{{needed}}</p>{{/if}}{{/each}}"
    text = b"{{#with a}}" + inner + b"{{/with}}{{#if d}}" + b"<p>unneeded</p>" * 9 + b"{{/if}}"
    result = reduced(Case(text, "html", lambda each: b"{{needed}}" in each), heavy)
    assert b"#" not in result.text
    assert result.judge.asked.index(b"<p>{{needed}}</p>") < 8
