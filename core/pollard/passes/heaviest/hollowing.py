"""Hollowing: the bodies of many functions at once give way to the least that a function may do.

Compilers want every function that something calls, and of most a result. So what functions do can go
long before they can: each body becomes one that never returns, which is right whatever the result
(rustc's former `everybody_loops` did that to a whole crate). Imports that nothing else uses go with it.

Bodies of functions, and the least that may be in their place.

Where they are not between braces, that is told of those languages of which a style is known.
"""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from pollard.engine.memory import GroupAttempts, branch_key
from pollard.engine.subject import Candidate
from pollard.passes.coupling.by_use import Orphans
from pollard.passes.coupling.couples import Couple, Found
from pollard.syntax.branches.branches import below
from pollard.syntax.grammars.languages import grammar_of
from pollard.syntax.names.kinds import FUNCTION, IMPORT, has_kind
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch

    Group = frozenset[int]


#: In bytes that are no white space: shorter bodies would hardly get shorter.
LEAST = 24
# What never returns, by the language's name; elsewhere an empty body between braces does.
_STUBS = {
    "csharp": b"{ throw null; }",
    "d": b"{ assert(0); }",
    "dart": b"{ throw 0; }",
    "go": b"{ panic(0) }",
    "haxe": b"{ throw 0; }",
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
    """How a language writes functions, and what may be in the place of a body.

    A body begins with `opening` and is the last of a function, or is the first of its kind in one.
    """

    stub: bytes
    opening: bytes = b""
    function: str = FUNCTION.pattern
    """The kinds of functions."""
    body: str = ""
    """The kinds of bodies, where they need not be the last of a function."""
    beside: str = ""
    """The kinds of what must be beside a body; in OCaml what has no parameters is a value."""
    local: str = "$^"
    """The kinds of what is beside a body and goes with it, as the function has it for itself."""


_BRACES = _Style(b"{}", b"{")
_ADA = _Style(
    b"null;",
    function="^subprogram_body$",
    body="^handled_sequence_of_statements$",
    local="^non_empty_declarative_part$",
)
_OTHERS = {
    "ada": (
        _ADA._replace(stub=b"return raise Program_Error;", beside="^function_specification$"),
        _ADA,
    ),
    "erlang": (_Style(b"-> 0", b"->"),),
    "haskell": (_Style(b"= undefined", body="^match$", local="^(where|local_binds|match)$"),),
    "ocaml": (_Style(b"assert false", function="^let_binding$", beside="parameter"),),
    "pascal": (_Style(b"begin end", b"begin", local="^decl(Consts|Labels|Types|Vars)$|^defProc$"),),
    "python": (_Style(b"0", function="^function_definition$", beside="parameter"),),
}


class Body(NamedTuple):
    """What a function does, the `edits` that make it do nothing, and its weight.

    The weight is in bytes that are no white space, with what goes with it.
    """

    branch: Branch
    edits: tuple[Edit, ...]
    weight: int


def bodies(subject: Subject) -> Iterator[Body]:
    """Yield the outermost bodies of functions, inside the region, that are worth replacing."""
    text = subject.document.text
    level = below([subject.root], subject.span) if has_kind(subject.document, FUNCTION) else []
    while level:
        around: list[Branch] = []
        for branch in level:
            if size(text[branch.start : branch.end]) < LEAST:
                continue
            body = _body(subject, branch)
            if body is None:
                around.append(branch)
            else:
                yield body
        level = below(around, subject.span)


def _body(subject: Subject, branch: Branch) -> Body | None:
    text = subject.document.text
    style = next((one for one in _styles(subject, branch) if _is_body(branch, text, one)), None)
    if style is None:
        return None
    local = [other for other in branch.siblings if other is not branch and _is(other, style.local)]
    if not all(one.is_within(subject.span) for one in (branch, *local)):
        return None
    going = tuple(Edit(other.start, other.end) for other in local)
    edits = (*going, Edit(branch.start, branch.end, style.stub))
    return Body(branch, edits, sum(size(text[edit.start : edit.end]) for edit in edits))


def _styles(subject: Subject, branch: Branch) -> tuple[_Style, ...]:
    language = branch.home_in(subject.document).language
    grammar = grammar_of(language) if language is not None else None
    name = grammar.name if grammar else ""
    return _OTHERS.get(name) or (_BRACES._replace(stub=_STUBS.get(name, _BRACES.stub)),)


def _is_body(branch: Branch, text: bytes, style: _Style) -> bool:
    """Tell whether a branch is the body of a function; not all have a field.

    A semicolon may follow.
    """
    if not text.startswith(style.opening, branch.start):
        return False
    above = branch.parent
    if style.body:
        is_it = _is(branch, style.body) and not any(
            _is(other, style.body) for other in branch.siblings[: branch.index]
        )
    else:
        is_it = all(other.is_token for other in branch.siblings[branch.index + 1 :])
    inside = is_it and above is not None and re.search(style.function, above.trunk.type)
    if style.beside:
        return bool(inside) and any(_is(other, style.beside) for other in branch.siblings)
    return bool(inside or (style.opening and re.search(style.function, branch.node.type)))


def _is(branch: Branch, kinds: str) -> bool:
    return re.search(kinds, branch.node.type) is not None


_STEP = "hollow"
# In longer texts imports stay: to find their uses takes seconds then, and some hundred megabytes.
_LONGEST = 256_000
# After five failures in a row, if nothing was accepted before, it is left for the next stage.
_LEAST_CHANCE = 0.3


def hollow(subject: Subject, threshold: int, again: float) -> None:
    """Replace groups of bodies that weigh `threshold` bytes at least, from the last to the first.

    First all bodies that are in no other one. What failed is tried again once `again` times less of
    the text is left. At most as many runs as the bodies have weight over the threshold, and two.
    """
    found = list(bodies(subject)) if threshold >= LEAST else []
    if sum(body.weight for body in found) >= threshold:
        _Hollowing(subject, found, threshold, again).run()


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
        traces = [branch_key(text, body.branch) for body in found]
        self._attempts = GroupAttempts(subject.memory.attempts, _STEP, traces)
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
                self._subject.memory.rates.note(_STEP, accepted=False)
            if hit is None:
                return
            self._subject.memory.rates.note(_STEP, accepted=True)
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
            if self._subject.memory.rates.chance(_STEP, len(asked)) < _LEAST_CHANCE:
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
        instead = tuple(edit for place in sorted(places) for edit in self._bodies[place].edits)
        without = tuple(Edit(edit.start, edit.end) for edit in instead)
        imports = self._imports.of(Couple((), without)) if self._imports else Couple()
        return Couple((), instead) + imports

    @cached_property
    def _imports(self) -> Orphans | None:
        document = self._subject.document
        looked_for = len(document.text) <= _LONGEST and has_kind(document, IMPORT)
        return Orphans(self._found, imports=True) if looked_for else None
