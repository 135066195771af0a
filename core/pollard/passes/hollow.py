"""Hollowing: the bodies of many functions at once give way to the least that a function may do.

Compilers want every function that something calls, and of most a result. So what functions do can go
long before they can: each body becomes one that never returns, which is right whatever the result
(rustc's former `everybody_loops` did that to a whole crate). Imports that nothing else uses go with it.
Where bodies are not between braces, that is done in those languages of which a style is known.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pollard.passes.attempts import GroupAttempts, trace
from pollard.passes.couples import Couple, Found
from pollard.passes.orphans import Orphans
from pollard.passes.subject import Candidate
from pollard.syntax.branches import below
from pollard.syntax.edits import Edit
from pollard.syntax.kinds import FUNCTION, IMPORT, has_kind
from pollard.syntax.languages import grammar_of
from pollard.syntax.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.passes.subject import Subject
    from pollard.syntax.branches import Branch

    Group = frozenset[int]

_STEP = "hollow"
# In bytes that are no white space. Shorter bodies would hardly get shorter.
_LEAST = 24
# In longer texts imports stay: to find their uses takes seconds then, and some hundred megabytes.
_LONGEST = 256_000
# After five failures in a row, if nothing was accepted before, it is left for the next stage.
_LEAST_CHANCE = 0.3
# What never returns, by the language's name; elsewhere an empty body between braces does.
_STUBS = {
    "csharp": b"{ throw null; }",
    "d": b"{ assert(0); }",
    "dart": b"{ throw 0; }",
    "go": b"{ panic(0) }",
    "java": b"{ throw null; }",
    "kotlin": b"{ TODO() }",
    "rust": b"{ loop {} }",
    "scala": b"{ ??? }",
    "shellscript": b"{ :; }",
    "swift": b"{ fatalError() }",
    "typescript": b"{ throw 0 }",
    "typescriptreact": b"{ throw 0 }",
}


class _Style(NamedTuple):
    """How a language writes functions: their kinds, how a body begins, and one that does nothing.

    Where any text may be a body, only what has parameters is a function: in OCaml all else is a value.
    """

    function: re.Pattern[str]
    opening: bytes
    stub: bytes


_BRACES = _Style(FUNCTION, b"{", b"{}")
_OTHERS = {
    "erlang": _Style(FUNCTION, b"->", b"-> 0"),
    "haskell": _Style(FUNCTION, b"=", b"= undefined"),
    "pascal": _Style(FUNCTION, b"begin", b"begin end"),
    "ocaml": _Style(re.compile("^let_binding$"), b"", b"assert false"),
    "python": _Style(re.compile("^function_definition$"), b"", b"0"),
}
_PARAMETER = "parameter"


class Body(NamedTuple):
    """What a function does, what it may do instead, and its weight: bytes that are no white space."""

    branch: Branch
    stub: bytes
    weight: int


def hollow(subject: Subject, threshold: int, again: float) -> None:
    """Replace groups of bodies that weigh `threshold` bytes at least, from the last to the first.

    First all bodies that are in no other one. What failed is tried again once `again` times less of
    the text is left. At most as many runs as the bodies have weight over the threshold, and two.
    """
    found = list(bodies(subject)) if threshold >= _LEAST else []
    if sum(body.weight for body in found) >= threshold:
        _Hollowing(subject, found, threshold, again).run()


def bodies(subject: Subject) -> Iterator[Body]:
    """Yield the outermost bodies of functions that are worth replacing."""
    text = subject.document.text
    level = below([subject.root], subject.span) if has_kind(subject.document, FUNCTION) else []
    while level:
        around: list[Branch] = []
        for branch in level:
            weight = size(text[branch.start : branch.end])
            if weight < _LEAST:
                continue
            style = _style(subject, branch)
            if branch.is_within(subject.span) and _is_body(branch, text, style):
                yield Body(branch, style.stub, weight)
            else:
                around.append(branch)
        level = below(around, subject.span)


def _is_body(branch: Branch, text: bytes, style: _Style) -> bool:
    """Tell whether a branch begins as a body and is the last of a function; not all have a field.

    A semicolon may follow.
    """
    if not text.startswith(style.opening, branch.start):
        return False
    is_last = all(other.is_token for other in branch.siblings[branch.index + 1 :])
    above = branch.parent if is_last else None
    last = above is not None and style.function.search(above.trunk.type)
    if not style.opening:
        return bool(last) and any(_PARAMETER in other.node.type for other in branch.siblings)
    return bool(last or style.function.search(branch.node.type))


def _style(subject: Subject, branch: Branch) -> _Style:
    language = branch.home_in(subject.document).language
    grammar = grammar_of(language) if language is not None else None
    name = grammar.name if grammar else ""
    return _OTHERS.get(name) or _BRACES._replace(stub=_STUBS.get(name, _BRACES.stub))


class _Hollowing:
    """One walk over the bodies of the subject's document, which are known by their places."""

    def __init__(
        self, subject: Subject, found: Sequence[Body], threshold: int, again: float
    ) -> None:
        text = subject.document.text
        self._subject = subject
        self._bodies = found
        self._threshold = threshold
        self._again = again
        traces = [trace(text, body.branch) for body in found]
        self._attempts = GroupAttempts(subject.attempts, _STEP, traces)
        self._found = Found(subject, quick=True)

    def run(self) -> None:
        """Try every group once; after one that could go, first one twice as heavy."""
        left, stop = set(range(len(self._bodies))), len(self._bodies)
        least = sum(body.weight for body in self._bodies)
        while True:
            asked: list[Group] = []
            hit = self._subject.first(self._candidates(left, stop, least, asked))
            for group in asked[: None if hit is None else hit.index]:
                self._attempts.note(group, self._subject.weight)
                self._subject.odds.note(_STEP, accepted=False)
            if hit is None:
                return
            self._subject.odds.note(_STEP, accepted=True)
            gone = asked[hit.index]
            left -= gone
            stop = min(gone)
            least = 2 * (least if hit.index == 0 else self._threshold)

    def _candidates(
        self, left: set[int], stop: int, least: int, asked: list[Group]
    ) -> Iterator[Candidate]:
        """Yield texts without groups of those `left`, and without all that went; note the groups."""
        gone = set(range(len(self._bodies))) - left
        most = self._subject.weight * self._again
        for group in self._groups(left, stop, least):
            if self._subject.odds.chance(_STEP, len(asked)) < _LEAST_CHANCE:
                return
            if not self._attempts.knows(group, most):
                asked.append(group)
                couple = self._couple(gone | group)
                yield Candidate(self._found.document, self._found.written(couple))

    def _groups(self, left: set[int], stop: int, least: int) -> Iterator[Group]:
        """Yield one that weighs `least`, those before `stop`, and one from the beginning on."""
        places = sorted((place for place in left if place < stop), reverse=True)
        if least > self._threshold:
            yield from islice(self._of_weight(places, least), 1)
        yield from self._of_weight(places, self._threshold)
        yield from islice(self._of_weight(sorted(left), self._threshold), 1)

    def _of_weight(self, places: Iterable[int], least: int) -> Iterator[Group]:
        """Yield groups of neighbours, each of which weighs at least so much."""
        group: set[int] = set()
        weight = 0
        for place in places:
            group.add(place)
            weight += self._bodies[place].weight
            if weight >= least:
                yield frozenset(group)
                group, weight = set(), 0

    def _couple(self, places: set[int]) -> Couple:
        going = [self._bodies[place] for place in sorted(places)]
        without = tuple(Edit(branch.start, branch.end) for branch, _, _ in going)
        instead = tuple(Edit(branch.start, branch.end, stub) for branch, stub, _ in going)
        imports = self._imports.of(Couple((), without)) if self._imports else Couple()
        return Couple((), instead) + imports

    @cached_property
    def _imports(self) -> Orphans | None:
        document = self._subject.document
        looked_for = len(document.text) <= _LONGEST and has_kind(document, IMPORT)
        return Orphans(self._found, imports=True) if looked_for else None
