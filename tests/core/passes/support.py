"""Small inputs, drawn oracles that need no process, and ways to reduce the one for the other."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from zlib import crc32

from hypothesis import strategies as st

from pollard.engine.pruning import removing
from pollard.engine.subject import Subject
from pollard.passes.strategy import Strategy
from pollard.syntax.branches.branches import Preprocessing, all_below, root_branch
from pollard.syntax.branches.units import reaches, removal
from pollard.syntax.grammars.languages import find
from pollard.syntax.islands.islands import IslandGuard
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit
from tests.core.search.support import speculative

Test = Callable[[bytes], bool]

C = b"""#include <stdio.h>
static int a = 1, b;
int f(int x, int y) {
  if (x > 1) { return f(x - 1, y); } else b = y;
  return a + (b * (x));
}
int main(void) { printf("%d", f(2, 3)); }
"""
JSON = b"""{
  "a": [1, [2, [3, {"b": null}]], true],
  "c": {"d": {"e": "f"}},
  "g": []
}
"""
PYTHON = b"""import os, sys
# comment
class A(B):
    def f(self, x=1, *args):
        if x:
            return [y for y in args if y]
        else:
            pass

print(A().f(1, (2)), os)
"""
JAVASCRIPT = b"""const a = {x: 1, y: [2, 3]};
function f(p, q = 0) { return p ? f(q, p - 1) : a.x; }
for (let i of a.y) { if (i > 2) console.log(`t${f(i)}`); }
export default f
"""
HTML = b"""<!DOCTYPE html>
<html><body class="a" id=b>
<ul><li>one<li>two <b>three</b></ul>
<p>four<br/><script>var x = 1;</script></p>
</body></html>
"""
USED = b"""int unused() { return 1; }
int used() { return 2; }
int user() { return used() + 3; }
int needed() { return 4; }
"""
SAMPLES = {
    "c": C,
    "json": JSON,
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "html": HTML,
}
_WORD = re.compile(rb"\w+")
TOKEN = re.compile(rb"\w+|[^\w\s]")


@cache
def language(name: str | None):
    return None if name is None else find(name).language


def document(text: bytes, name: str | None) -> Document:
    return Document(text, language(name))


def plain(text: bytes) -> bytes:
    """The text with single spaces for its white space, and none at its ends."""
    return b" ".join(text.split())


def squeezed(text: bytes) -> bytes:
    """The text without its white space."""
    return b"".join(text.split())


def in_order(tokens: tuple[bytes, ...], text: bytes) -> bool:
    """Monotone: the tokens occur, one after the other."""
    place = 0
    for token in tokens:
        place = text.find(token, place) + len(token)
        if place < len(token):
            return False
    return True


def any_in_order(choices: tuple[tuple[bytes, ...], ...], text: bytes) -> bool:
    """Monotone, with several minima to end in."""
    return any(in_order(tokens, text) for tokens in choices)


def even_again(tokens: tuple[bytes, ...], byte: bytes, rest: int, text: bytes) -> bool:
    """Not monotone: a byte occurs an even, or an odd, number of times, as in the original."""
    return in_order(tokens, text) and text.count(byte) % 2 == rest


def declared(tokens: tuple[bytes, ...], name: str, text: bytes) -> bool:
    """Not monotone, like a compiler: it parses, and what has a name has it at two places or more."""
    words = _WORD.findall(text)
    return (
        in_order(tokens, text)
        and all(words.count(word) > 1 for word in {b"a", b"f", b"x", b"y"}.intersection(words))
        and not document(text, name).errors
    )


def scattered(seed: int, rate: int, text: bytes) -> bool:
    """Adversarial: no structure at all, one text in `rate` is interesting."""
    return crc32(b"%d %b" % (seed, text)) % rate == 0


@dataclass
class Case:
    """A text of some language and an oracle; the text is interesting."""

    text: bytes
    language: str | None
    test: Test = field(repr=False)
    note: str = ""

    def __call__(self, text: bytes) -> bool:
        return text == self.text or self.test(text)


@st.composite
def cases(draw: st.DrawFn, adversarial: bool = True) -> Case:
    """Draw one of the samples and an oracle that holds for it."""
    name = draw(st.sampled_from(sorted(SAMPLES)))
    text = SAMPLES[name]
    tokens = TOKEN.findall(text)
    places = st.sets(st.integers(0, len(tokens) - 1), min_size=0, max_size=4)
    some = places.map(lambda chosen: tuple(tokens[i] for i in sorted(chosen)))
    byte = draw(st.sampled_from([b"(", b"a", b" ", b"\n", b"1"]))
    tests = [
        st.builds(partial, st.just(in_order), some),
        st.builds(partial, st.just(any_in_order), st.tuples(some, some)),
        st.builds(partial, st.just(even_again), some, st.just(byte), st.just(text.count(byte) % 2)),
        st.builds(partial, st.just(declared), some, st.just(name)),
    ]
    if adversarial:
        rates = st.sampled_from([2, 5, 30])
        tests.append(st.builds(partial, st.just(scattered), st.integers(0, 999), rates))
    test = draw(st.one_of(tests))
    return Case(text, name, test, repr(test))


class Loop:
    """A judge with one worker; keeps what it was asked and what it found interesting."""

    def __init__(self, test: Test) -> None:
        self._test = test
        self.asked: list[bytes] = []
        self.interesting: set[bytes] = set()

    def first(self, texts: Iterable[bytes | None]) -> int | None:
        for index, text in enumerate(texts):
            if text is not None and self._holds(text):
                return index
        return None

    def _holds(self, text: bytes) -> bool:
        self.asked.append(text)
        holds = self._test(text)
        if holds:
            self.interesting.add(text)
        return holds


class Ahead:
    """A judge that reads ahead with threads; the first interesting text in order wins."""

    def __init__(self, first) -> None:
        self._first = first

    def first(self, texts: Iterable[bytes | None]) -> int | None:
        hit = self._first(texts)
        return None if hit is None else hit.index


@dataclass
class Reduced:
    """What came of a case: the subject at its end, all accepted texts, and the judge."""

    subject: Subject
    accepted: list[bytes]
    judge: Loop

    @property
    def text(self) -> bytes:
        return self.subject.document.text


def subject_of(case: Case, judge, accepted: list[bytes], **options) -> Subject:
    """A subject that notes in `accepted` what it accepts."""
    made = Subject(
        document(case.text, case.language),
        judge,
        on_reduced=lambda: accepted.append(made.document.text),
        **options,
    )
    return made


def reduced(case: Case, run: str | Callable[[Subject], None], **options) -> Reduced:
    """Reduce a case by a strategy or a pass, with one worker."""
    judge, accepted = Loop(case), []
    subject = subject_of(case, judge, accepted, **options)
    _run(run, subject)
    return Reduced(subject, accepted, judge)


def turned(
    name: str, text: bytes, wanted: bytes, run: str | Callable[[Subject], None], **options
) -> bytes:
    """What a pass makes of a text if only `wanted` is interesting, both without white space."""
    case = Case(text, name, lambda new: squeezed(new) == squeezed(wanted))
    return squeezed(reduced(case, run, **options).text)


def reduced_ahead(
    case: Case, run: str | Callable[[Subject], None], workers: int, **options
) -> tuple[list[bytes], int]:
    """Reduce a case with a judge that reads ahead; return the accepted texts and the reductions."""
    lock = threading.Lock()

    def test(text: bytes | None) -> bool:
        with lock:
            return text is not None and case(text)

    accepted: list[bytes] = []
    with speculative(test, workers) as first:
        subject = subject_of(case, Ahead(first), accepted, **options)
        _run(run, subject)
    return accepted, subject.tally.accepted


def after(tried: int, run: Callable[[Subject], None]) -> Callable[[Subject], None]:
    """A pass, after so many candidates were tried: its budget depends on how many that were."""

    def later(subject: Subject) -> None:
        subject.tally.runs += tried
        run(subject)

    return later


def _run(run: str | Callable[[Subject], None], subject: Subject) -> None:
    if callable(run):
        run(subject)
    else:
        Strategy.parse(run).run(subject)


def _fits(base: Document, edits: Sequence[Edit]) -> bool:
    """Whether the guard lets the edits of a document pass."""
    edited = base.edited(edits)
    islands = IslandGuard()
    return not edited.has_more_errors_than(base.errors) and not islands.rejects(base, edits, edited)


def removable(result: Reduced, case: Case) -> list[bytes]:
    """The texts without one unit, among them those that are interesting: none if 1-tree-minimal.

    This is a definition, not an algorithm: for each branch the first run of siblings around it that
    the guard lets go is its unit.
    """
    base = result.subject.document
    span = result.subject.span
    layout = Layout(base, span)
    found: list[bytes] = []
    for branch in all_below(root_branch(base.root, Preprocessing(), base), span):
        if not (span[0] <= branch.start and branch.end <= span[1]):
            continue
        for reach in reaches(branch):
            edit = removal(branch, reach)
            if _fits(base, layout.tidy((edit,))):
                edits = layout.tidy(removing([(branch, reach)], layout))
                less = base.edited(edits)
                if not _fits(base, edits):
                    break
                inside = span[0] <= edit.start and edit.end <= span[1]
                if inside and less.text != base.text and case(less.text):
                    found.append(less.text)
                break
    return found
