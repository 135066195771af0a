"""Hoisting over any number of levels, for large savings early in a reduction.

`unnest` is for fuzzers' files, which nest thousands of levels deep, mostly needlessly. The passes of
the papers need a run or more for each level. Here nodes on the longest path are hoisted over 2^k levels
at once, the furthest first, so that the number of runs is logarithmic.

`hoist_far` is a step of the pass `heaviest`. Figure 7 of hddh-2021 looks at the nearest compatible
descendants. In a long chain of nested nodes none of them saves much, and there are as many as the chain
has links. Here the candidates are the nearest descendants that are lighter by a given number of bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.engine.declaration import declare
from pollard.engine.hoisting import Elements, Hoister, Hoisting, hoist_with
from pollard.engine.needed import NeededPieces
from pollard.engine.subject import Candidate
from pollard.syntax.islands.islands import innermost
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Language

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch


# Trees of at most this many levels are left to the passes that look at every level.
_MAX_SHALLOW_LEVELS = 64


@declare("unnest", runs="O(log d) for each chain of d nested nodes")
def unnest(subject: Subject) -> None:
    """Hoist deeply nested nodes over as many levels as possible in one step."""
    top = 0
    while True:
        path = _longest_path(subject.root, subject.span)
        if len(path) - top <= _MAX_SHALLOW_LEVELS:
            return
        if subject.first(_far_hoistings(subject, path[top:])) is None:
            top = 2 * top + 1


def _far_hoistings(subject: Subject, path: Sequence[Branch]) -> Iterator[Candidate]:
    """Yield hoistings of later branches of the path into its first one, the furthest first."""
    base, target = subject.document, path[0]
    hoister = Hoister(subject)
    steps = 1 << (len(path) - 1).bit_length()
    while steps > _MAX_SHALLOW_LEVELS // 2:
        steps //= 2
        if steps < len(path):
            hoisting = Hoisting(target, path[steps])
            yield Candidate(base, hoister.edits([hoisting]))


def _longest_path(root: Branch, span: tuple[int, int]) -> list[Branch]:
    """Return the branches from the root down, each the longest child, that are inside the region."""
    path = [root]
    while named := [child for child in path[-1].children if not child.is_token]:
        path.append(max(named, key=lambda child: child.end - child.start))
    return [branch for branch in path if branch.is_within(span)]


# Ends statements and declarations in most languages with braces.
_SEMICOLON = b";"


@dataclass(frozen=True, slots=True)
class HoistingRules:
    """Rules for what `hoist_far` may hoist.

    A descendant must save `threshold` bytes other than white space. Unless `inner_saving` is 0,
    descendants of a candidate are candidates too if they save that many bytes more. With
    `keeps_endings` a descendant may also stand before the semicolon of the branch: `int x = f();`
    becomes `f();`. At most `max_candidates` are tried for a branch. `is_worth` returns whether to hoist
    into a branch at all. `on_failed` is called with each branch for which a candidate failed.
    """

    threshold: int
    inner_saving: int = 0
    keeps_endings: bool = False
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
            ordered = sorted(found, key=size, reverse=True)[: self._rules.max_candidates]
            self._known[target, source] = [found[text] for text in ordered]
        return self._known[target, source]

    def on_failed(self, hoisting: Hoisting) -> None:
        """Report a failure to the rules; candidates that were only read ahead are not reported."""
        if not isinstance(hoisting.source, Elements):
            self._rules.on_failed(hoisting.source)

    def _outermost(self, target: Branch, source: Branch) -> Iterator[Hoisting]:
        max_weight = size(self._text(source)) - self._rules.threshold
        waiting = [(child, max_weight) for child in self._heavy_children(source)]
        while waiting:
            branch, max_weight = waiting.pop()
            weight = size(self._text(branch))
            is_hopeful = weight <= max_weight and not self._needed.beside(source, branch)
            hoisting = self._fitting(target, branch) if is_hopeful else None
            if hoisting is not None:
                yield hoisting
                inner_saving = self._rules.inner_saving
                max_weight = weight - inner_saving if inner_saving else 0
            if max_weight > 0:
                waiting += [(child, max_weight) for child in self._heavy_children(branch)]

    def _fitting(self, target: Branch, branch: Branch) -> Hoisting | None:
        """Return how a branch may take the target's place: as it is, or before the target's ending."""
        if self._compatible(target, branch):
            return Hoisting(target, branch)
        ending = _ending(self._document.text, target) if self._rules.keeps_endings else None
        if ending is not None and self._compatible(target, branch, ending):
            return Hoisting(target, branch, ending)
        return None

    def _heavy_children(self, branch: Branch) -> list[Branch]:
        """Return the children that weigh the threshold, the last one first."""
        return [
            child
            for child in reversed(branch.children)
            if not child.is_token and size(self._text(child)) >= self._rules.threshold
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
