"""The declaration of a pass: all that users, documents and strategies need to know about it.

A pass is a function of a subject, and `declare` stands beside it in its module. It supplies what
`pollard strategies` prints, the settings' schema, the option `--no-renaming` and the table in
docs/algorithms.md; `pollard.passes.catalogue` collects the declarations.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from pollard.engine.subject import Subject
    from pollard.search.combine import Minimiser


class Needs(Enum):
    """What a text must have for a pass to run on it."""

    TEXT = "any text"
    TREE = "a tree"
    SHORT_TREE = "a tree, at most 64,000 bytes"

    def are_met_by(self, subject: Subject) -> bool:
        """Return whether a subject meets the need."""
        if self is Needs.SHORT_TREE:
            return subject.is_ready_for_late_passes()
        return self is Needs.TEXT or subject.document.language is not None


ONE_TREE_MINIMAL = "with `*`: 1-tree-minimal"


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass and what its author declares about it.

    `runs` bounds the oracle runs of one round, for n units unless it says otherwise. `guarantee` is
    what holds of the result, `source` where the idea was published; both may be empty. `renames` says
    whether the pass changes names.
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
        """Whether its function takes a list minimiser."""
        return "minimise" in inspect.signature(self.run).parameters

    def __call__(self, subject: Subject, minimise: Minimiser | None = None) -> None:
        """Run one round, with the given list minimiser or the usual one."""
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
    """Declare a function as the pass `name`; the other arguments are the fields of `Pass`.

    The function then does nothing to a subject that does not meet its needs.
    """

    def register(function: F) -> F:
        @wraps(function)
        def run(subject: Subject, *arguments: Any, **options: Any) -> None:
            if needs.are_met_by(subject):
                function(subject, *arguments, **options)

        _DECLARED.append(Pass(name, run, runs, needs, guarantee, source, renames))
        return cast("F", run)

    return register


def declared_in(module: ModuleType) -> list[Pass]:
    """Return the passes that a module declares, in source order."""
    return [each for each in _DECLARED if each.run.__module__ == module.__name__]
