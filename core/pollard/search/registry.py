"""The list minimisers by name, for the passes to choose from."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from pollard.errors import PollardError
from pollard.search.combine import Minimiser, star
from pollard.search.ddmin import ddmin
from pollard.search.one_by_one import one_by_one
from pollard.search.options import DdminOptions, backward, skip
from pollard.search.remove_each import remove_each

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pollard.search.first import First

T = TypeVar("T")


def ddmin_with(options: DdminOptions) -> Minimiser:
    """Make a minimiser of `ddmin` with *options*."""

    def minimise(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        return ddmin(items, first, options=options)

    return minimise


def remove_each_with(
    *, whole: bool = False, backward: bool = False, repeat: bool = True
) -> Minimiser:
    """Make a minimiser of `remove_each` with its options."""

    def minimise(items: Sequence[T], first: First[tuple[T, ...]], /) -> tuple[T, ...]:
        return remove_each(items, first, whole=whole, backward=backward, repeat=repeat)

    return minimise


MINIMISERS: Mapping[str, Minimiser] = MappingProxyType(
    {
        "ddmin": ddmin,
        "ddmin-backward": ddmin_with(DdminOptions(subsets=backward, complements=backward)),
        "ddmin-complement": ddmin_with(DdminOptions(subsets=skip)),
        "ddmin-complement-backward": ddmin_with(
            DdminOptions(subsets=skip, complements=backward),
        ),
        "remove-each": remove_each,
        "remove-each-backward": remove_each_with(backward=True),
        "remove-each-whole": remove_each_with(whole=True),
        "remove-each-whole-backward": remove_each_with(whole=True, backward=True),
        "one-by-one": one_by_one,
    }
)
"""Every list minimiser by the name that settings and passes use for it."""


def minimiser(name: str) -> Minimiser:
    """Find a minimiser by *name*; a `*` at its end makes a fixpoint of it, as in `ddmin*`.

    Raises PollardError, which lists the known names, if there is none of that name.
    """
    plain = name.removesuffix("*")
    if plain not in MINIMISERS:
        known = ", ".join(MINIMISERS)
        raise PollardError(f"There is no list minimiser '{name}': choose one of {known}.")
    return MINIMISERS[plain] if plain == name else star(MINIMISERS[plain])
