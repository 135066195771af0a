"""The examples of docs/algorithms.md are what the passes do.

An example is a `diff`. Its first line names strategies, the language and the oracle, as in
`@@ hddh*, gtr* | C | contains "f(" "g(" @@`. Lines with a minus are the text before, those with a plus
the text after. `@@ hdd* @@` and more lines with a plus may follow: what other strategies leave.

The oracles are `contains "..."` (all of these), `prints "..."` (the Python program, when it runs) and
`matches r"..."` (a regular expression). `after 100 runs` says how many were made on a longer text, and
`naming line 4` that the failure's output names a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pollard.engine.subject import Subject
from pollard.passes.catalogue import PASSES
from pollard.passes.strategy import Strategy
from tests.core.passes.support import Case, Test, reduced

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "algorithms.md"
_DIFF = re.compile(r"```diff\n@@ ([^|\n]+) \| ([^|\n]+) \| (.+) @@\n((?:.*\n)*?)```")
_OTHERS = re.compile(r"^@@ (.+) @@\n", re.MULTILINE)
_BUDGET = re.compile(r" after (\d+) runs$")
_NAMED = re.compile(r" naming line (\d+)$")
_REPEATED = re.compile(r"(.)⟨(\d+)⟩")


class _Example(NamedTuple):
    strategy: str
    language: str
    oracle: str
    before: bytes
    after: bytes


def _examples() -> Iterator[_Example]:
    for first, language, oracle, lines in _DIFF.findall(_PAGE.read_text(encoding="utf-8")):
        parts = [first, *_OTHERS.split(lines)]
        before = _text(lines, "-")
        for strategies, after in zip(parts[::2], parts[1::2], strict=True):
            for strategy in strategies.split(", "):
                yield _Example(strategy, language, oracle, before, _text(after, "+"))


def _text(lines: str, sign: str) -> bytes:
    """The text of one side of a diff; `x⟨9⟩` is x nine times."""
    text = "".join(f"{line[2:]}\n" for line in lines.splitlines() if line[:1] == sign)
    return _REPEATED.sub(lambda found: found[1] * int(found[2]), text).encode()


_EXAMPLES = list(_examples())


@pytest.mark.parametrize("example", _EXAMPLES, ids=[one.strategy for one in _EXAMPLES])
def test_the_pass_makes_of_the_example_what_the_page_shows(example: _Example) -> None:
    test = _test(_NAMED.sub("", _BUDGET.sub("", example.oracle)))
    assert test(example.before), "the text before must be interesting"
    case = Case(example.before, example.language.lower().replace("c++", "cpp"), test)
    assert reduced(case, _run(example)).text.strip(b"\n") == example.after.strip(b"\n")


def test_every_pass_has_an_example() -> None:
    shown = {step.name for one in _EXAMPLES for step in Strategy.parse(one.strategy).steps}
    assert shown >= set(PASSES)


def _test(oracle: str) -> Test:
    kind, _, rest = oracle.partition(" ")
    words = [eval(word).encode() for word in re.findall(r'r?"(?:\\.|[^"\\])*"', rest)]
    assert words, oracle
    tests: dict[str, Test] = {
        "contains": lambda text: all(word in text for word in words),
        "prints": lambda text: _printed(text) == words[0].decode(),
        "matches": lambda text: re.search(words[0], text, re.DOTALL) is not None,
    }
    return tests[kind]


def _printed(program: bytes) -> str | None:
    """What a small program prints, with a space between its lines; None if it fails."""
    printed: list[str] = []
    names = {"print": lambda *values: printed.append(" ".join(map(str, values)))}
    try:
        exec(compile(program, "example", "exec"), {"__builtins__": names})
    except Exception:  # whatever the program raises
        return None
    return " ".join(printed)


def _run(example: _Example) -> Callable[[Subject], None]:
    budget = _BUDGET.search(example.oracle)

    named = _NAMED.search(example.oracle)

    def run(subject: Subject) -> None:
        if named is not None:
            subject.failing_lines = [example.before.split(b"\n")[int(named[1]) - 1]]
        if budget is not None:
            runs = int(budget[1])
            subject.tally.runs = runs
            subject.memory.progress[:] = [(0, 100 * subject.weight), (runs, subject.weight)]
        Strategy.parse(example.strategy).run(subject)

    return run
