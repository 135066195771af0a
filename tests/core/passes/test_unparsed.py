"""Lines are minimised where the grammar fails, and only there."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given

from pollard.passes.text.lines import lines, unparsed
from tests.core.passes.support import Case, cases, document, in_order, reduced, reduced_ahead
from tests.examples import examples

# A directive inside of a statement, and one that the grammar cannot tell from a declaration's end.
BROKEN = b"using\n#ifdef B\n#else\n    std::thing;\n#endif\nint needle;\nint other;\n}\n"


def test_lines_go_that_belong_to_no_unit() -> None:
    assert document(BROKEN, "cpp").errors
    case = Case(BROKEN, "cpp", lambda text: b"needle" in text and b"}" in text)
    assert reduced(case, unparsed).text == b"int needle;\n}\n"


def test_a_text_without_syntax_errors_costs_no_run() -> None:
    text = b"int needle;\nint other;\n"
    assert reduced(Case(text, "cpp", lambda _: True), unparsed).judge.asked == []


def test_the_tree_of_another_language_is_not_relied_on_either() -> None:
    text = b"int needle;\nint other;\n"
    case = Case(text, "cpp", lambda text: b"needle" in text)
    assert reduced(case, unparsed, foreign_grammar=True).text == b"needle"


def test_of_a_text_in_another_language_words_go_last() -> None:
    case = Case(
        b"(let needle-1 (be) 2)\n", "scheme", lambda text: in_order((b"needle", b"(", b"2"), text)
    )
    assert reduced(case, unparsed, foreign_grammar=True).text == b"needle(2"
    assert reduced(case, unparsed).text != b"needle(2"


def test_the_grammar_of_a_relative_is_relied_on_until_it_finds_an_error() -> None:
    """Without an error in the text, all that could go is a unit."""
    text, test = b"@a: { b: c };\n.d { needle: @a[b] }\n", partial(in_order, (b"needle",))
    assert document(text, "scss").errors
    case = Case(text, "scss", test)
    assert reduced(case, unparsed, borrowed_grammar=True).text == b"needle"
    assert reduced(case, unparsed).text != b"needle"
    sound = Case(b".d { needle: 0 }\n", "scss", test)
    assert reduced(sound, unparsed, borrowed_grammar=True).judge.asked == []


def test_the_words_of_a_longer_text_stay() -> None:
    text = b"word " * 40
    asked = reduced(
        Case(text, "scheme", lambda _: False), unparsed, foreign_grammar=True
    ).judge.asked
    assert asked in ([], [b""])


def test_words_cost_fewer_than_two_runs_each() -> None:
    text = b"one two three four five six seven eight\n"
    case = Case(text, "scheme", lambda _: False)
    assert len(reduced(case, unparsed, foreign_grammar=True).judge.asked) < 2 * 16


def test_many_lines_go_in_fewer_runs_than_there_are() -> None:
    text = BROKEN + b"int x;\n" * 400
    case = Case(text, "cpp", lambda text: b"needle" in text and b"}" in text)
    result = reduced(case, unparsed)
    assert result.text == b"int needle;\n}\n"
    assert len(result.judge.asked) < 100


def test_no_lines_are_tried_alone() -> None:
    """Most of what is left is needed by then."""
    asked = reduced(Case(BROKEN * 4, "cpp", lambda _: False), unparsed).judge.asked
    left = [text.count(b"\n") for text in asked if text]
    assert left
    assert min(left) >= BROKEN.count(b"\n") * 4 // 2


def test_the_lines_of_the_region_count_and_no_others_go() -> None:
    text = b"int x;\n" * 300 + BROKEN
    start = len(text) - len(b"int needle;\nint other;\n}\n")
    case = Case(text, "cpp", lambda text: b"}" in text)
    result = reduced(case, unparsed, region=(start, len(text)))
    assert result.text == text[:start] + b"}\n"


@pytest.mark.parametrize("needed", [b"needle", b"thing", b"other"])
def test_the_guard_holds(needed: bytes) -> None:
    result = reduced(Case(BROKEN, "cpp", lambda text: needed in text), unparsed)
    errors = [document(text, "cpp").errors for text in (BROKEN, *result.accepted)]
    assert errors == sorted(errors, reverse=True)


@examples(15)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case) -> None:
    broken = Case(case.text + b"\n} ) ]\n", case.language, case.test)
    result = reduced(broken, unparsed)
    assert reduced_ahead(broken, unparsed, 4) == (result.accepted, len(result.accepted))


def test_lines_go_that_can_only_go_together() -> None:
    """Some in a row, as a statement that a directive tears apart, and two with others in between."""
    torn = b"using b =\n#ifdef B\n#else\n    std::thing;\n#endif\n"
    text = b"int needles;\n" + torn + b"H\nint needle;\n}\n"

    def interesting(text: bytes) -> bool:
        whole = torn in text or not any(line in text for line in torn.splitlines())
        opened = text.count(b"H\n") == text.count(b"}")
        return whole and opened and in_order((b"needles", b"needle;"), text)

    case = Case(text, "cpp", interesting)
    assert reduced(case, lines).text == text
    assert reduced(case, unparsed).text == b"int needles;\nint needle;\n"
