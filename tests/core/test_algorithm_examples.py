"""The examples of docs/algorithms.md are what the passes do.

An example is a `diff`. Its first line names the strategy, the language and the oracle, as in
`@@ hddh* | C | contains "f(" "g(" @@`; lines with a minus are the text before, those with a plus after.
The oracles are `contains "..."` (all of these), `prints "..."` (the Python program, when it runs) and
`matches "..."` (a regular expression). `after 100 runs` says how many runs were made on a longer text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pollard.engine.subject import Subject
from pollard.passes.catalogue import PASSES
from pollard.passes.strategy import Strategy
from tests.core.passes.support import Case, Test, reduced

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "algorithms.md"
_EXAMPLE = re.compile(r"```diff\n@@ ([^|\n]+) \| ([^|\n]+) \| (.+) @@\n((?:.*\n)*?)```")
_BUDGET = re.compile(r" after (\d+) runs$")
_REPEATED = re.compile(r"(.)⟨(\d+)⟩")
_NO_EXAMPLE = {
    "early-coupled",
    "early-inline",
    "early-shorten",
    "hddr-depth",
    "hddr-depth-backward",
}

_EXAMPLES = _EXAMPLE.findall(_PAGE.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("strategy", "language", "oracle", "lines"), _EXAMPLES, ids=[one[0] for one in _EXAMPLES]
)
def test_the_pass_makes_of_the_example_what_the_page_shows(
    strategy: str, language: str, oracle: str, lines: str
) -> None:
    before, after = _text(lines, "-"), _text(lines, "+")
    test = _test(_BUDGET.sub("", oracle))
    assert test(before), "the example must be interesting"
    case = Case(before, language.lower().replace("c++", "cpp"), test)
    assert reduced(case, _run(strategy, oracle)).text.strip(b"\n") == after.strip(b"\n")


def test_every_pass_has_an_example() -> None:
    shown = {step.name for example in _EXAMPLES for step in Strategy.parse(example[0]).steps}
    assert set(PASSES) - shown == _NO_EXAMPLE


def _text(lines: str, sign: str) -> bytes:
    """The text of one side of a diff; `x⟨9⟩` is x nine times."""
    chosen = [line[2:] for line in lines.splitlines() if line[:1] == sign]
    text = "".join(f"{line}\n" for line in chosen)
    return _REPEATED.sub(lambda found: found[1] * int(found[2]), text).encode()


def _test(oracle: str) -> Test:
    kind, _, rest = oracle.partition(" ")
    words = [word.encode() for word in re.findall(r'"([^"]*)"', rest.replace(r"\"", "”"))]
    words = [word.replace("”".encode(), b'"') for word in words]
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
    except Exception:  # the example's own
        return None
    return " ".join(printed)


def _run(strategy: str, oracle: str) -> Callable[[Subject], None]:
    budget = _BUDGET.search(oracle)

    def run(subject: Subject) -> None:
        if budget is not None:
            runs = int(budget[1])
            subject.tally.runs = runs
            subject.memory.progress[:] = [(0, 100 * subject.weight), (runs, subject.weight)]
        Strategy.parse(strategy).run(subject)

    return run
