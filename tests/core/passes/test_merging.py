"""Merging: another name in the place of one whose definition goes."""

from __future__ import annotations

import pytest
from hypothesis import given

from pollard.engine.memory import branch_key
from pollard.engine.subject import Subject
from pollard.passes.coupling.replacing import merge
from pollard.syntax.branches.branches import all_below
from tests.core.passes.support import Case, cases, reduced, reduced_ahead, squeezed, turned
from tests.examples import examples


def _comes_to(name: str, text: bytes, wanted: bytes) -> bool:
    """Whether that very text is among the candidates, white space left out."""
    return turned(name, text, wanted, merge) == squeezed(wanted)


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        ("c", b"int a; int b;\nint f() { return a + b; }\n", b"int b; int f() { return b + b; }"),
        ("c", b"int a = 3;\nint f() { return a; }\n", b"int f() { return 0; }"),
        (
            "c",
            b"struct s { int x; }; struct t { int y; };\nstruct s v; struct t w;\n",
            b"struct s { int x; }; struct s v; struct s w;",
        ),
        ("python", b"a = 1\nb = a\nprint(b, a)\n", b"a = 1\nprint(a, a)\n"),
        ("javascript", b"let p = 1; let q = 2;\nf(p, q);\n", b"let p = 1; f(p, p);"),
    ],
)
def test_a_definition_goes_and_another_name_or_zero_takes_its_place(name, text, wanted):
    assert _comes_to(name, text, wanted)


def test_failed_attempts_are_remembered_under_the_other_name() -> None:
    """Hardly ever does a name decide, and all would be tried again in vain."""
    text = b"int a; int b;\nint f() { return a + 1; }\nint g() { return b + 2; }\n"

    def run(subject: Subject) -> None:
        for branch in all_below(subject.root, subject.span):
            if branch.node.type == "function_definition":
                subject.memory.attempts.note(
                    "remove", branch_key(subject.document.text, branch), 40
                )
        merge(subject)
        for branch in all_below(subject.root, subject.span):
            found = branch_key(subject.document.text, branch)
            is_function = branch.node.type == "function_definition"
            assert subject.memory.attempts.knows("remove", found, 40) == is_function

    result = reduced(Case(text, "c", lambda text: b"+ 1" in text and b"+ 2" in text), run)
    assert result.text == b"int f() { return f + 1; }\nint g() { return f + 2; }\n"


def test_a_name_inside_the_removed_definition_is_no_replacement():
    text = b"int f(int inner) { return inner; }\nint g() { return f(1); }\n"
    asked = reduced(Case(text, "c", lambda _: False), merge).judge.asked
    assert asked
    assert not any(b"inner" in candidate for candidate in asked if b"int f" not in candidate)


def test_each_declaration_costs_four_runs_at_most():
    text = b"int a, b, c, d, e, f; int g() { return a + b + c + d + e + f; }\n"
    asked = reduced(Case(text, "c", lambda _: False), merge).judge.asked
    assert 6 <= len(asked) <= 24


def test_it_ends_where_everything_is_interesting_and_every_step_is_smaller():
    text = b"int a, b, c; int f() { return a + b + c; } int g() { return f() + f() + a; }\n"
    result = reduced(Case(text, "c", lambda _: True), merge)
    sizes = [len(squeezed(text)) for text in (text, *result.accepted)]
    assert len(sizes) > 2
    assert sizes == sorted(set(sizes), reverse=True)


def test_a_longer_name_is_not_tried_where_the_text_would_grow():
    text = b"int a, a_longer_name; int f() { return a + a + a + a_longer_name; }\n"
    asked = reduced(Case(text, "c", lambda _: False), merge).judge.asked
    assert asked
    assert all(len(squeezed(one)) < len(squeezed(text)) for one in asked)


def test_names_that_are_defined_or_used_outside_of_the_region_stay():
    text = b"int a; int b;\nint f() { return a + b; }\n"
    inside = (text.index(b"int f"), len(text))
    assert reduced(Case(text, "c", lambda _: True), merge, region=inside).text == text
    assert reduced(Case(text, "c", lambda _: True), merge, region=(0, 14)).text == text


@pytest.mark.parametrize("text", [b"int name;\n" * 7000, b"[1, 2]\n" * 10])
def test_long_texts_and_texts_without_names_are_left_alone(text):
    assert reduced(Case(text, "c", lambda _: True), merge).judge.asked == []


@examples(15)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case):
    result = reduced(case, merge)
    assert set(result.accepted) <= result.judge.interesting
    assert reduced_ahead(case, merge, 4) == (result.accepted, len(result.accepted))
