"""The declaration of a pass: all that users, documents and strategies need to know about it.

A pass is a function of a subject, and `declare` stands beside it in its module. From there come what
`pollard strategies` prints, the settings' schema, the option `--no-renaming` and the table in
docs/algorithms.md; `pollard.passes.catalogue` collects the declarations.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser


class Needs(Enum):
    """What a pass needs of a text; where it is missing, the pass does nothing."""

    TEXT = "any text"
    TREE = "a tree"
    SHORT_TREE = "a tree, at most 64,000 bytes"


ONE_TREE_MINIMAL = "with `*`: 1-tree-minimal"


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass with what its author declares about it.

    `runs` bounds the oracle runs of one round, for n units unless it says otherwise. `guarantee` is
    what holds of the result, `source` where the idea was published; both may be empty. `renames` says
    that it gives things other names than the author of the text did.
    """

    name: str
    run: Callable[..., None]
    runs: str
    needs: Needs = Needs.TREE
    guarantee: str = ""
    source: str = ""
    renames: bool = False

    @property
    def summary(self) -> str:
        """One sentence: the first line of the function's docstring."""
        return (inspect.getdoc(self.run) or "").partition("\n")[0]

    @property
    def minimises_lists(self) -> bool:
        """Whether its function takes the list minimiser to use."""
        return "minimise" in inspect.signature(self.run).parameters

    def __call__(self, subject: Subject, minimise: Minimiser | None = None) -> None:
        """Run one round, with another than its usual list minimiser if one is given."""
        if minimise is None:
            self.run(subject)
        else:
            self.run(subject, minimise)


F = TypeVar("F", bound="Callable[..., None]")

_DECLARED: list[Pass] = []


def declare(
    name: str,
    *,
    runs: str,
    needs: Needs = Needs.TREE,
    guarantee: str = "",
    source: str = "",
    renames: bool = False,
) -> Callable[[F], F]:
    """Declare a function as the pass `name`; the other arguments are the fields of `Pass`."""

    def register(function: F) -> F:
        _DECLARED.append(Pass(name, function, runs, needs, guarantee, source, renames))
        return function

    return register


def declared_in(module: ModuleType) -> list[Pass]:
    """Return the passes that a module declares, in the order of its text."""
    return [one for one in _DECLARED if one.run.__module__ == module.__name__]
