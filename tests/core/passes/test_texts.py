"""Lines, characters and bytes of files that no grammar knows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.subject import Subject
from pollard.passes.text import lines as texts
from pollard.search.ddmin import ddmin
from tests.core.passes.support import Case, Loop, document, in_order, reduced


def _needs(*tokens: bytes):
    return lambda text: in_order(tokens, text)


def _lines(text: bytes, *tokens: bytes) -> bytes:
    return reduced(Case(text, None, _needs(*tokens)), "lines").text


def _characters(text: bytes, *tokens: bytes) -> bytes:
    return reduced(Case(text, None, _needs(*tokens)), "characters*").text


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_go_whole_with_their_ends(end: bytes):
    lines = [b"one", b"two", b"", b"three", b"four", b""]
    assert _lines(end.join(lines), b"two", b"four") == b"two" + end + b"four" + end


def test_a_last_line_without_a_newline_stays_without():
    assert _lines(b"one\ntwo\nthree", b"two", b"three") == b"two\nthree"
    assert _lines(b"one\ntwo\nthree", b"two") == b"two\n"


def test_line_ends_may_be_mixed():
    assert _lines(b"a\r\nb\nc\rd\n\re", b"b", b"d") == b"b\nd\n"


@given(st.text(alphabet="aé漢𝄞\r\n", min_size=1, max_size=12), st.data())
def test_utf_8_characters_are_never_split_and_the_result_is_1_minimal(text, data):
    needed = data.draw(st.sets(st.sampled_from(text), max_size=2))
    case = Case(text.encode(), None, lambda text: needed <= set(text.decode(errors="ignore")))
    result = reduced(case, "characters*")
    for asked in result.judge.asked:
        assert asked.decode().encode() == asked
    rest = result.text.decode()
    without = [(rest[:i] + rest[i + 1 :]).encode() for i in range(len(rest))]
    assert [less for less in without if less != case.text and case(less)] == []


@given(st.text(min_size=1, max_size=12), st.integers(2, 5), st.integers(0, 4))
def test_any_text_is_reduced_to_a_1_minimal_one(text: str, modulus: int, rest: int):
    """The oracle is not monotone: it likes sums of bytes."""
    case = Case(text.encode(), None, lambda text: sum(text) % modulus == rest)
    units = reduced(case, "characters*").text.decode()
    without = [(units[:i] + units[i + 1 :]).encode() for i in range(len(units))]
    assert [less for less in without if less != case.text and case(less)] == []


def test_what_need_not_be_there_at_all_goes_in_one_run():
    result = reduced(Case(b"a\nb\nc\n", None, lambda _: True), "ddmin")
    assert result.text == b""
    assert result.judge.asked == [b""]


def test_files_with_a_grammar_are_reduced_by_lines_too_and_guarded():
    text = b'{\n"a": 1,\n"b": [\n],\n"c": 2\n}\n'
    result = reduced(Case(text, "json", _needs(b'"a"')), "lines*")
    assert result.text == b'{\n"a": 1,\n"c": 2\n}\n'
    assert all(document(text, "json").errors == 0 for text in result.judge.asked)


def _one_long_line(length: int) -> bytes:
    return b"x" * (length // 3) + b"<" + b"y" * (length // 3) + b">" + b"z" * (length // 3)


def test_one_line_of_300_kb_is_cut_into_pieces_that_fit_the_window(monkeypatch: pytest.MonkeyPatch):
    """Never is a list of all its characters minimised: each candidate would be as long a list."""
    longest = 0

    def watched(items, first):
        nonlocal longest
        longest = max(longest, len(items))
        return ddmin(items, first)

    monkeypatch.setattr(texts, "_MAX_WINDOW_PIECES", 512)
    monkeypatch.setattr(texts, "ddmin", watched)
    judge = Loop(_needs(b"<", b">"))
    subject = Subject(document(_one_long_line(300_000), None), judge)
    texts.characters(subject)
    assert subject.document.text == b"<>"
    assert longest <= 512
    assert len(judge.asked) < 500


def test_the_longest_lists_are_cut_into_windows(monkeypatch: pytest.MonkeyPatch):
    """A window for every four lines: the same lines stay as without windows."""
    text = b"".join(b"line %d\n" % number for number in range(50))
    needed = (b" 3\n", b" 17\n", b" 18\n", b" 49\n")
    whole = _lines(text, *needed)
    monkeypatch.setattr(texts, "_MAX_WINDOW_PIECES", 4)
    assert _lines(text, *needed) == whole == b"line 3\nline 17\nline 18\nline 49\n"


def test_only_the_region_is_cut_into_lines():
    case = Case(b"keep 1\ncut 2\ncut 3\nkeep 4\n", None, lambda _: True)
    start = case.text.index(b"cut")
    result = reduced(case, "ddmin", region=(start, case.text.index(b"keep 4")))
    assert result.text == b"keep 1\nkeep 4\n"
