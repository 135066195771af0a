"""Hoisting over any number of levels, for large savings early in a reduction.

`unnest` is for fuzzers' files, which nest thousands of levels deep, mostly needlessly. The passes of
the papers need a run or more for each level. Here nodes on the longest path are hoisted over 2^k levels
at once, the furthest first, so that the number of runs is logarithmic. Where many levels are needed,
as for a stack overflow, the same goes for what stands beside the path, and for its lower end.

`hoist_far` is a step of the pass `heaviest`. Figure 7 of hddh-2021 looks at the nearest compatible
descendants. In a long chain of nested nodes none of them saves much, and there are as many as the chain
has links. Here the candidates are the nearest descendants that are lighter by a given number of bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from itertools import filterfalse, groupby, islice
from typing import TYPE_CHECKING, TypeVar

from pollard.engine.declaration import declare
from pollard.engine.hoisting import Elements, Hoister, Hoisting, hoist_with
from pollard.engine.memory import branch_key, digest
from pollard.engine.needed import HOIST_INNER_STEP, HOIST_STEP, REMOVE_STEP, NeededPieces
from pollard.engine.pruning import Units, prune, removing
from pollard.engine.subject import Candidate
from pollard.search.sweeps import sweep
from pollard.syntax.islands.islands import innermost
from pollard.syntax.names.definitions import with_fields
from pollard.syntax.tree.sizes import size, weighs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tree_sitter import Language

    from pollard.engine.subject import Subject
    from pollard.search.first import First
    from pollard.syntax.branches.branches import Branch


T = TypeVar("T")

# Trees of at most this many levels are left to the passes that look at every level.
_MAX_SHALLOW_LEVELS = 64
# How many parts of what stands beside a deep path are tried, before they are halved.
_MAX_PARTS_BESIDE = 8


@declare("unnest", runs="O(log d) for each chain of d nested nodes")
def unnest(subject: Subject) -> None:
    """Hoist deeply nested nodes over as many levels as possible in one step.

    Where levels stay, remove what stands beside them, and what they enclose.
    """
    if not _deep_path(subject, 0):
        return
    hoisted = _hoist_over_levels(subject, 0)
    _remove_beside(subject)
    top = 0 if hoisted else 1
    while _deep_path(subject, top):
        if not _hoist_over_levels(subject, top):
            top = 2 * top + 1
    while _cut_lower_end(subject):
        pass


def _deep_path(subject: Subject, top: int) -> list[Branch]:
    """Return the longest path from its branch number `top` on; empty if that is shallow."""
    path = _longest_path(subject.root, subject.span)[top:]
    return path if len(path) > _MAX_SHALLOW_LEVELS else []


def _hoist_over_levels(subject: Subject, top: int) -> bool:
    """Hoist later branches of the longest path into number `top`; return whether one was accepted.

    The furthest go first. After a success the search goes on with half as many levels, down to one.
    """
    path = _deep_path(subject, top)
    powers = [1 << exponent for exponent in reversed(range((len(path) - 1).bit_length()))]
    steps = [power for power in powers if power >= _MAX_SHALLOW_LEVELS // 2]
    hoisted = False
    while (hit := subject.first(_hoistings(subject, path, steps))) is not None:
        hoisted = True
        path = _longest_path(subject.root, subject.span)[top:]
        steps = [power for power in powers if power < min(steps[hit.index], len(path))]
    return hoisted


def _hoistings(
    subject: Subject, path: Sequence[Branch], steps: Sequence[int]
) -> Iterator[Candidate]:
    """Yield the hoisting of a branch of the path into its first one, for each number of steps."""
    base, hoister = subject.document, Hoister(subject)
    for step in steps:
        yield Candidate(base, hoister.edits([Hoisting(path[0], path[step])]))


def _remove_beside(subject: Subject) -> None:
    """Remove the units beside a deep path: all, then halves to eighths, and smaller parts of few."""
    path = _deep_path(subject, 0)
    beside = sorted(
        (
            sibling
            for branch in path
            for sibling in branch.siblings
            if sibling is not branch and not sibling.is_token
        ),
        key=lambda branch: branch.start,
    )
    if beside:
        prune(subject, beside, _sweep_large_parts)


def _sweep_large_parts(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
    """Halve the parts as long as what is left consists of a few: 15 runs where many are needed."""
    rest, parts = tuple(items), 1
    while parts <= len(items) and len(rest) * parts <= _MAX_PARTS_BESIDE * len(items):
        rest = sweep(rest, first, len(items) // parts, backward=True)
        parts *= 2
    return rest


def _cut_lower_end(subject: Subject) -> bool:
    """Remove the lower end of a deep path, found by a binary search; return whether any of it went.

    If nothing went, note that the path is needed: what cannot go without the branches below it cannot
    go with them either.
    """
    base, path, units = subject.document, _deep_path(subject, 0), Units(subject)
    found = units.of(path)
    needed, cut = -1, len(found)
    while cut - needed > 1:
        middle = (needed + cut) // 2 if cut < len(found) else cut - 1
        edits = units.layout.tidy(removing([found[middle]], units.layout))
        if subject.first([Candidate(base, edits)]) is None:
            needed = middle
        else:
            cut = middle
    if needed >= 0 and cut == len(found):
        _note_needed(subject, path[: path.index(found[needed][0]) + 1])
    return cut < len(found)


def _note_needed(subject: Subject, branches: Iterable[Branch]) -> None:
    """Note that branches can neither go nor be replaced by what is below them.

    Other passes would try both at every level. That takes runs, and time that grows with the square of
    the number of levels.
    """
    for branch in branches:
        key = branch_key(subject.document.text, branch)
        for step in (REMOVE_STEP, HOIST_STEP, HOIST_INNER_STEP):
            subject.memory.attempts.note(step, key, subject.weight)


def _longest_path(root: Branch, span: tuple[int, int]) -> list[Branch]:
    """Return the branches from the root down, each the longest child, that are inside the region."""
    path = [root]
    while named := [child for child in path[-1].children if not child.is_token]:
        path.append(max(named, key=lambda child: child.end - child.start))
    return [branch for branch in path if branch.is_within(span)]


# Ends statements and declarations in most languages with braces.
_SEMICOLON = b";"
# Between statements; a line break may be a token of its own.
_SEPARATORS = (b"", _SEMICOLON)
_MIN_STATEMENTS = 2
# Before the name of a member.
_MEMBER_SIGN = re.compile(rb"\s*\??(\.(?!\.)|->|::)")


@dataclass(frozen=True, slots=True)
class HoistingRules:
    """Rules for what `hoist_far` may hoist.

    A descendant must save `threshold` bytes other than white space. Unless `inner_saving` is 0,
    descendants of a candidate are candidates too if they save that many bytes more, and those whose
    text was refused before do not count. With `keeps_endings` a descendant may also stand before the
    semicolon of the branch: `int x = f();` becomes `f();`. A descendant that saves `losing_saves` bytes
    may lose a piece that could not go alone: only the branch may need it, as it needs its condition.
    At most `max_candidates` are tried for a branch. `is_worth` returns whether to hoist into a branch
    at all. `on_failed` is called with each branch for which a candidate failed.
    """

    threshold: int
    inner_saving: int = 0
    keeps_endings: bool = False
    losing_saves: int | None = None
    max_candidates: int | None = None
    is_worth: Callable[[Branch], bool] = lambda _: True
    on_failed: Callable[[Branch], None] = lambda _: None


def hoist_far(
    subject: Subject, branches: Sequence[Branch], new_rules: Callable[[], HoistingRules]
) -> list[Branch]:
    """Hoist what the rules allow into `branches`; return the level afterwards.

    `new_rules` is called once per document, since candidates may be generated ahead of acceptance.
    """
    return hoist_with(subject, branches, lambda: FarHoister(subject, new_rules()))


def lists_of_statements(branch: Branch, text: bytes) -> Iterator[Elements]:
    """Yield the lists of several statements directly in a branch, each after a word or a sign.

    Such are those after the colon of a case or after `then`, in grammars without a node for them all.
    The grammar gives all statements of a list the same name, or none. All that is between two brackets
    is left out: the pass `coupled` removes the brackets around it.
    """
    if len(branch.children) <= _MIN_STATEMENTS:
        return
    for may_be_list, run in groupby(branch.children, partial(_may_be_in_list, text)):
        listed = tuple(run)
        if not may_be_list or listed[0].index == 0:
            continue
        if listed[-1].is_token:
            listed = listed[:-1]
        statements = [each.node.id for each in listed if not each.is_token]
        is_between_brackets = listed == branch.children[1:-1]
        if len(statements) >= _MIN_STATEMENTS and not is_between_brackets:
            fields = {node.id: field for field, node in with_fields(branch.inner_node)}
            if len({fields.get(each) for each in statements}) == 1:
                yield Elements(listed)


def _may_be_in_list(text: bytes, child: Branch) -> bool:
    return not child.is_token or text[child.start : child.end].strip() in _SEPARATORS


def _ending(text: bytes, branch: Branch) -> Branch | None:
    """Return the semicolon that ends a branch; None without one."""
    last = branch.children[-1] if branch.children else None
    return last if last is not None and text[last.start : last.end] == _SEMICOLON else None


class FarHoister(Hoister):
    """Finds the outermost compatible descendants that the rules allow.

    The heaviest are tried first: what is needed is likeliest to be in them. Each must also weigh
    `threshold` bytes, which bounds their number however deep they are.
    """

    def __init__(self, subject: Subject, rules: HoistingRules) -> None:
        super().__init__(subject)
        self._rules = rules
        self._known: dict[tuple[Branch, Branch], list[Hoisting]] = {}
        self._needed = NeededPieces(subject)
        self._languages: dict[Branch, Language | None] = {}

    def candidates(self, hoisting: Hoisting) -> list[Hoisting]:
        """Return what may stand in the target's place next, the heaviest first."""
        target, source = hoisting.target, hoisting.source
        if isinstance(source, Elements) or not self._rules.is_worth(source):
            return []
        if (target, source) not in self._known:
            found = {self._text(each.source): each for each in self._outermost(target, source)}
            ordered = [found[text] for text in sorted(found, key=size, reverse=True)]
            untried = (
                filterfalse(self._is_refused, ordered) if self._rules.inner_saving else ordered
            )
            self._known[target, source] = list(islice(untried, self._rules.max_candidates))
        return self._known[target, source]

    def _is_refused(self, hoisting: Hoisting) -> bool:
        """Return whether the text after a hoisting was refused before; such texts need no run."""
        text = self._document.edited(self.edits([hoisting])).text
        return self._subject.memory.texts.is_refused(digest(text))

    def on_failed(self, hoisting: Hoisting) -> None:
        """Report a failure to the rules; candidates that were only read ahead are not reported."""
        if not isinstance(hoisting.source, Elements):
            self._rules.on_failed(hoisting.source)

    def _outermost(self, target: Branch, source: Branch) -> Iterator[Hoisting]:
        max_weight = size(self._text(source)) - self._rules.threshold
        yield from self._statements(target, source, source, max_weight)
        waiting = [(child, max_weight) for child in self._heavy_children(source)]
        while waiting:
            branch, max_weight = waiting.pop()
            weight = size(self._text(branch))
            is_hopeful = weight <= max_weight and self._may_lose_rest(source, branch)
            hoisting = self._fitting(target, branch) if is_hopeful else None
            if hoisting is None:
                yield from self._statements(target, source, branch, max_weight)
            else:
                yield hoisting
                inner_saving = self._rules.inner_saving
                max_weight = weight - inner_saving if inner_saving else 0
            if max_weight > 0:
                waiting += [(child, max_weight) for child in self._heavy_children(branch)]

    def _may_lose_rest(self, source: Branch, kept: Branch | Elements) -> bool:
        """Return whether what is beside `kept` may be superfluous, as earlier failures say."""
        least = self._rules.losing_saves
        if least is not None and (
            size(self._text(source)) - size(self._text(kept)) >= least
            or self._is_link(source, kept)
        ):
            return True
        return not self._needed.beside(source, kept)

    def _is_link(self, source: Branch, kept: Branch | Elements) -> bool:
        """Return whether only a member between two others goes: `.b()` of `a.b().c()`.

        That its name could not go alone says nothing.
        """
        text, above = self._document.text, source.parent
        return (
            above is not None
            and kept.start == source.start == above.start
            and _MEMBER_SIGN.match(text, kept.end) is not None
            and _MEMBER_SIGN.match(text, source.end) is not None
        )

    def _fitting(self, target: Branch, branch: Branch) -> Hoisting | None:
        """Return how a branch may take the target's place: as it is, or before the target's ending."""
        if self._compatible(target, branch):
            return Hoisting(target, branch)
        ending = _ending(self._document.text, target) if self._rules.keeps_endings else None
        if ending is not None and self._compatible(target, branch, ending):
            return Hoisting(target, branch, ending)
        return None

    def _statements(
        self, target: Branch, source: Branch, branch: Branch, max_weight: int
    ) -> Iterator[Hoisting]:
        """Yield how the lists of statements directly in a branch may take the target's place."""
        for elements in lists_of_statements(branch, self._document.text):
            weight = size(self._text(elements))
            if (
                self._rules.threshold <= weight <= max_weight
                and self._may_lose_rest(source, elements)
                and self._fits(target, elements)
            ):
                yield Hoisting(target, elements)

    def _heavy_children(self, branch: Branch) -> list[Branch]:
        """Return the children that weigh the threshold, the last one first."""
        return [
            child
            for child in reversed(branch.children)
            if weighs(self._document.text, child.start, child.end, self._rules.threshold)
            and not child.is_token
        ]

    def _compatible(self, target: Branch, branch: Branch, ending: Branch | None = None) -> bool:
        """Ask the parser, but between islands only where the language stays the same.

        Otherwise the whole script would be parsed in the place of every element above it.
        """
        if branch.own_document is not target.own_document:
            language = branch.own_document_in(self._document).language
            if self._language_in(target) != language:
                return False
        return super()._compatible(target, branch, ending)

    def _language_in(self, target: Branch) -> Language | None:
        """Return the language of a branch's text: that of the innermost island around it, if any."""
        if target not in self._languages:
            innermost_document = innermost(self._document, target.start, target.end)
            self._languages[target] = innermost_document.language
        return self._languages[target]
