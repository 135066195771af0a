"""Hoisting over any number of steps, of what takes much away: for the first rounds of a reduction.

Figure 7 of hddh-2021 looks at the nearest compatible descendants. In a long chain of nested nodes
none of them takes much away, and there are as many of them as the chain has links. Here the nearest
is asked for that is lighter by some number of bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.engine.hoisting import Elements, Hoister, Hoisting, hoist_with
from pollard.syntax.islands.islands import innermost
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Language

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch


@dataclass(frozen=True, slots=True)
class Terms:
    """What may be hoisted: what takes at least `least` bytes away that are no white space.

    Unless `inner` is 0, those inside of a descendant are tried too that are lighter than it by so many
    bytes. Only branches that `is_worth` says yes to are looked at; `is_missed` is asked of a branch and
    what would stand in its place, and says no to that with a yes. `tried` is told of those branches for
    which a candidate failed.
    """

    least: int
    inner: int = 0
    is_worth: Callable[[Branch], bool] = lambda _: True
    is_missed: Callable[[Branch, Branch], bool] = lambda _branch, _instead: False
    tried: Callable[[Branch], None] = lambda _: None


def hoist_far(
    subject: Subject, branches: Sequence[Branch], terms: Callable[[], Terms]
) -> list[Branch]:
    """Hoist what the terms allow into `branches`; return the level after it.

    They are asked for whenever the branches are of a new document, as it is then: while candidates are
    found it may already have been reduced, or not yet, by how far they are read ahead.
    """
    return hoist_with(subject, branches, lambda: FarHoister(subject, terms()))


class FarHoister(Hoister):
    """Finds the outermost compatible descendants that are as many bytes lighter as the terms ask for.

    The heaviest are tried first: what is needed is likeliest to be in them. Each weighs so much too:
    there are no more of them than the weight of a branch over that, however deep they are.
    """

    def __init__(self, subject: Subject, terms: Terms) -> None:
        super().__init__(subject)
        self._terms = terms
        self._known: dict[tuple[Branch, Branch], list[Hoisting]] = {}
        self._languages: dict[Branch, Language | None] = {}

    def candidates(self, hoisting: Hoisting) -> list[Hoisting]:
        """Return what may stand in the target's place next, the heaviest first."""
        target, source = hoisting.target, hoisting.source
        if isinstance(source, Elements) or not self._terms.is_worth(source):
            return []
        if (target, source) not in self._known:
            found = {
                self._text(branch): Hoisting(target, branch)
                for branch in self._outermost(target, source)
            }
            ordered = sorted(found, key=size, reverse=True)
            self._known[target, source] = [found[text] for text in ordered]
        return self._known[target, source]

    def on_failed(self, hoisting: Hoisting) -> None:
        """Tell who asked of it; only then, since candidates are read ahead that are never tried."""
        if not isinstance(hoisting.source, Elements):
            self._terms.tried(hoisting.source)

    def _outermost(self, target: Branch, source: Branch) -> Iterator[Branch]:
        most = size(self._text(source)) - self._terms.least
        waiting = [(child, most) for child in self._heavy_children(source)]
        while waiting:
            branch, most = waiting.pop()
            weight = size(self._text(branch))
            if weight <= most and self._may_stand(target, branch):
                yield branch
                most = weight - self._terms.inner if self._terms.inner else 0
            waiting += [(child, most) for child in self._heavy_children(branch) if most > 0]

    def _heavy_children(self, branch: Branch) -> list[Branch]:
        """Return the children that weigh enough, the last one first."""
        return [
            child
            for child in reversed(branch.children)
            if not child.is_token and size(self._text(child)) >= self._terms.least
        ]

    def _may_stand(self, target: Branch, branch: Branch) -> bool:
        return not self._terms.is_missed(target, branch) and self._compatible(target, branch)

    def _compatible(self, target: Branch, branch: Branch) -> bool:
        """Ask the parser, but across the border of an island only where the language stays the same.

        All of a script would be parsed in the place of every element above it.
        """
        if branch.home is not target.home:
            language = branch.home_in(self._document).language
            if self._language_in(target) != language:
                return False
        return super()._compatible(target, branch)

    def _language_in(self, target: Branch) -> Language | None:
        """Return what is read as the text of a branch: an island's language where one is in it."""
        if target not in self._languages:
            found = innermost(self._document, target.start, target.end)
            self._languages[target] = found.language
        return self._languages[target]
