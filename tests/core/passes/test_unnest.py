"""Very deep nesting: through it in few runs, without recursion, and nothing where it is shallow."""

from __future__ import annotations

import re

import pytest
from tree_sitter import Language, Parser

from pollard.engine.subject import Subject
from pollard.passes.strategy import default_strategy
from pollard.syntax.tree import document as tree_document
from tests.core.passes.support import SAMPLES, Case, Loop, document, in_order, reduced

_DEPTH = 20_000
#: A binary search for each of a few places; a level-by-level search takes as many runs as levels.
_FEW_RUNS = 200


def _nested(before: str, opening: str, middle: str, closing: str, after: str) -> bytes:
    return (before + opening * _DEPTH + middle + closing * _DEPTH + after).encode()


DEEP = {
    "json-arrays": ("json", _nested("", "[", "1", "]", "\n")),
    "c-parentheses": ("c", _nested("int x = ", "(", "1", ")", ";\n")),
    "c-blocks": ("c", _nested("int f() ", "{", "g(1);", "}", "\n")),
    "javascript-calls": ("javascript", _nested("", "f(", "1", ")", "\n")),
    "python-calls": ("python", _nested("", "f(", "1", ")", "\n")),
}


#: One recursive rule of each kind is enough for every run; the others repeat it.
_EVERY_TIME = ("json-arrays", "c-blocks")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in _EVERY_TIME else pytest.mark.exhaustive)
        for name in DEEP
    ],
)
def test_the_default_strategy_gets_through_20_000_levels_in_few_runs(name: str):
    language, text = DEEP[name]
    judge = Loop(lambda text: b"1" in text)
    subject = Subject(document(text, language), judge)
    default_strategy().run(subject)
    assert len(subject.document.text) < 20
    assert len(judge.asked) < _FEW_RUNS


def test_levels_that_are_needed_stay():
    """An oracle that fails from some depth on, as a stack overflow does."""
    _, text = DEEP["json-arrays"]
    result = reduced(Case(text, "json", lambda text: text.count(b"[") > 300), "unnest")
    assert result.text.count(b"[") == 301
    assert len(result.judge.asked) < _FEW_RUNS


def _depth(text: bytes, brackets: bytes = rb"[\[\]]") -> int:
    depth = deepest = 0
    for bracket in re.findall(brackets, text):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def test_what_stands_beside_needed_levels_goes_in_few_runs():
    """Values beside each level and an object below all of them, as in a fuzzer's file."""
    text = b'{"value": -0}'
    for number in range(1_000):
        text = b"[" + (b'"v%d", ' % number if number % 3 else b"") + text + b"]"
    result = reduced(Case(text, "json", lambda text: _depth(text) > 100), "default")
    assert result.text.strip() == b"[" * 101 + b"]" * 101
    assert len(result.judge.asked) < _FEW_RUNS // 2


def _nested_lists(levels: int) -> bytes:
    text = b"1"
    for number in range(levels):
        text = b"[" + (b'"v%d", ' % number if number % 3 else b"") + text + b"]"
    return text + b"\n"


NEEDED = {
    "json": _nested_lists(500),
    "python": _nested_lists(500),
    "c": b"int f() " + b"{ int a; " * 500 + b"g(1);" + b" b(); }" * 500 + b"\n",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "c" else pytest.mark.exhaustive) for name in NEEDED],
)
def test_needed_levels_take_some_tens_of_runs_and_no_parse_each(
    name: str, monkeypatch: pytest.MonkeyPatch
):
    """The parser is not asked about each of the levels, in each stage of the passes that follow."""
    parsers: list[Parser] = []  # one for each parse

    def parser(language: Language) -> Parser:
        parsers.append(Parser(language))
        return parsers[-1]

    monkeypatch.setattr(tree_document, "Parser", parser)
    brackets = rb"[{}]" if name == "c" else rb"[\[\]]"
    result = reduced(
        Case(NEEDED[name], name, lambda text: _depth(text, brackets) >= 280), "default"
    )
    assert _depth(result.text, brackets) == 280
    assert len(result.judge.asked) < 50
    assert len(parsers) < 5_000


def test_the_lower_end_of_needed_levels_goes_whatever_is_longest_there():
    """A path down the longest children leaves out what is short, here the innermost list."""
    text = _nested_lists(300)
    result = reduced(Case(text, "json", lambda text: _depth(text) >= 120), "unnest")
    assert result.text.strip() == b"[" * 120 + b"]" * 120


def test_only_inside_the_region():
    text = b"[" * 3_000 + b"1" + b"]" * 3_000 + b"\n"
    region = (1_000, len(text) - 1_000)
    result = reduced(Case(text, "json", lambda text: b"1" in text), "unnest", region=region)
    assert result.text.startswith(text[: region[0]])
    assert result.text.endswith(text[region[1] :])
    assert len(result.text) < 2_200


@pytest.mark.parametrize("name", SAMPLES)
def test_shallow_files_take_no_run(name: str):
    assert reduced(Case(SAMPLES[name], name, lambda _: True), "unnest").judge.asked == []


def test_files_without_a_grammar_take_no_run():
    assert reduced(Case(b"[" * 999, None, lambda _: True), "unnest").judge.asked == []


def test_what_is_beside_the_deep_path_can_be_kept():
    text = b"[" + b"7, " + b"[" * 500 + b"1" + b"]" * 500 + b", 8]\n"
    result = reduced(Case(text, "json", lambda text: in_order((b"7", b"1", b"8"), text)), "unnest")
    assert in_order((b"7", b"1", b"8"), result.text)
    assert result.text.count(b"[") < 70
