"""What a formatter printed: one candidate like any other, in the file's own line ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.formatting import lay_out, with_line_ends_of
from pollard.engine.subject import Subject
from pollard.errors import FormatterError
from tests.core.passes.support import Loop, document

TEXT = b'{"a":1,"b":[2]}\n'
TIDY = b'{\n  "a": 1,\n  "b": [2]\n}\n'


def subject(text: bytes, test=lambda _: True, **options) -> tuple[Subject, Loop]:
    judge = Loop(test)
    return Subject(document(text, "json"), judge, **options), judge


def refusal(text: bytes, printed: bytes, test=lambda _: True, **options) -> tuple[str, Loop]:
    """Why what was printed is refused; the document stays as it was then."""
    of, judge = subject(text, test, **options)
    with pytest.raises(FormatterError) as refused:
        lay_out(of, printed, text)
    assert of.document.text == text
    assert of.tally.accepted == 0
    return str(refused.value), judge


def test_an_interesting_text_is_taken_for_one_run_though_it_is_larger():
    of, judge = subject(TEXT)
    lay_out(of, TIDY, TEXT)
    assert of.document.text == TIDY
    assert judge.asked == [TIDY]
    assert of.tally.accepted == 1


def test_one_that_is_not_interesting_is_refused():
    told, judge = refusal(TEXT, TIDY, lambda text: b" " not in text)
    assert "not interesting" in told
    assert judge.asked == [TIDY]


def test_the_text_itself_costs_no_run():
    of, judge = subject(TEXT)
    lay_out(of, TEXT, TEXT)
    lay_out(of, TEXT.replace(b"\n", b"\r\n"), TEXT)
    assert judge.asked == []


def test_new_syntax_errors_are_guarded_against():
    told, judge = refusal(TEXT, TIDY.replace(b"]", b""))
    assert "syntax errors" in told
    assert judge.asked == []


def test_it_may_add_a_quarter_and_sixteen_bytes_and_no_more():
    text = b'["%b"]\n' % (b"x" * 36)  # 40 bytes that are no white space, with room for 26
    of, _ = subject(text)
    lay_out(of, b'[ "%b" ]\n' % (b"x" * 62), text)
    assert of.tally.accepted == 1
    told, judge = refusal(text, b'["%b"]\n' % (b"x" * 63))
    assert "much larger" in told
    assert judge.asked == []


def test_only_the_region_may_change():
    start, end = TEXT.index(b"["), TEXT.index(b"]") + 1
    told, judge = refusal(TEXT, TIDY, region=(start, end))
    assert "more than the region" in told
    assert judge.asked == []
    of, _ = subject(TEXT, region=(start, end))
    lay_out(of, TEXT.replace(b"[2]", b"[\n  2\n]"), TEXT)
    assert of.document.text == b'{"a":1,"b":[\n  2\n]}\n'
    assert of.span == (start, end + 4)


def test_what_surrounds_the_region_may_not_overlap():
    """Else bytes that are in it once would count for both sides."""
    text = b"[1, 1, 1]"
    told, _ = refusal(text, b"[1, 1]", region=(4, 5))
    assert "more than the region" in told


@pytest.mark.parametrize(
    ("original", "printed", "expected"),
    [
        (b"a\r\nb\r\n", b"a\nb\n", b"a\r\nb\r\n"),
        (b"a\r\nb\r\n", b"a\r\nb\r\n", b"a\r\nb\r\n"),
        (b"a\nb\n", b"a\r\nb\r\n", b"a\nb\n"),
        (b"a\nb", b"a\nb\n", b"a\nb"),
        (b"a\r\nb", b"a\nb\n\n", b"a\r\nb"),
        (b"a\n", b"a", b"a\n"),
        (b"a\r\n", b"a", b"a\r\n"),
        (b"a", b"a\nb\n", b"a\nb"),
        (b"a\r\nb\r\nc\n", b"a\nb\n", b"a\r\nb\r\n"),
    ],
)
def test_line_ends_stay_those_of_the_original(original: bytes, printed: bytes, expected: bytes):
    assert with_line_ends_of(original, printed) == expected


@given(st.text("a\n", max_size=6), st.text("a\r\n", max_size=6), st.booleans())
def test_no_other_line_ends_are_left(lines: str, printed: str, windows: bool):
    original = (lines + "\n").replace("\n", "\r\n" if windows else "\n").encode()
    text = with_line_ends_of(original, printed.replace("\r", "\r\n").encode())
    ends = text.count(b"\r\n")
    assert ends == text.count(b"\n") * windows
    assert text.endswith(b"\n")
