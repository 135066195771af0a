"""The names of list minimisers, as strategies use them.

A name is a family followed by any of its suffixes, each at most once and in any order, joined by
hyphens: `ddmin-complement-backward-4`. A `*` at the end repeats it until nothing is removed. A
strategy writes a minimiser after a pass, so names contain no `:`, no `+` and no other `*`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pollard.errors import PollardError
from pollard.search.combine import by_weight, mirrored, star
from pollard.search.ddmin import DdminOptions, Order, backward, balanced_split, ddmin, forward, skip
from pollard.search.probabilistic import cdd, probdd
from pollard.search.sweeps import gallop, one_by_one, remove_each
from pollard.search.wdd import wdd

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pollard.search.combine import Minimiser

    Make = Callable[..., Minimiser]


@dataclass(frozen=True, slots=True)
class Suffix:
    """A part of a minimiser's name that sets one of its options."""

    pattern: str
    """A regular expression that matches the suffix as written."""

    option: str
    """The option to set; two suffixes of one name must not set the same option."""

    value: Callable[[str], object]
    """Converts the suffix as written to the option's value."""

    summary: str
    """The effect, as users read it."""

    label: str = ""
    """The suffix in lists for users; by default the pattern, which suits plain words."""

    def __str__(self) -> str:
        return self.label or self.pattern


@dataclass(frozen=True, slots=True)
class Family:
    """Minimisers with the same algorithm; `make` takes the options that the suffixes set."""

    name: str
    summary: str
    make: Make
    suffixes: tuple[Suffix, ...] = ()

    def option(self, written: str) -> Mapping[str, object] | None:
        """Return the option that the suffix *written* sets, or None for an unknown suffix."""
        matching = (s for s in self.suffixes if re.fullmatch(s.pattern, written))
        return next(({s.option: s.value(written)} for s in matching), None)


def _suffix(word: str, option: str, value: object, summary: str) -> Suffix:
    return Suffix(word, option, lambda _: value, summary)


def _maker(search: Callable[..., tuple[Any, ...]], *, weighted: bool = False) -> Make:
    """Return a function that makes a minimiser from *search* and its options."""

    def make(*, backward: bool = False, **options: object) -> Minimiser:
        configured = partial(search, **options)
        minimise = by_weight(configured) if weighted else configured
        return mirrored(minimise) if backward else minimise

    return make


def _make_ddmin(
    *, only_kind: str = "both", backward_kind: str = "none", **options: object
) -> Minimiser:
    def order(kind: str) -> Order:
        if only_kind not in (kind, "both"):
            return skip
        return backward if backward_kind in (kind, "both") else forward

    ddmin_options = DdminOptions(
        subsets=order("subsets"),
        complements=order("complements"),
        **options,  # type: ignore[arg-type]
    )
    return partial(ddmin, options=ddmin_options)


_BACKWARD = _suffix("backward", "backward", True, "from the last item to the first")
_PROBABILITY = Suffix(
    r"0?\.0*[1-9][0-9]*",
    "p0",
    float,
    "the initial probability that an item is needed (0 to 1)",
    "0.1",
)

FAMILIES: tuple[Family, ...] = (
    Family(
        "ddmin",
        "Each piece of the list alone, then all but one piece; then more and smaller pieces.",
        _make_ddmin,
        (
            _suffix("complement", "only_kind", "complements", "try only all but one piece"),
            _suffix("subset", "only_kind", "subsets", "try only pieces alone"),
            _suffix("backward", "backward_kind", "both", "from the last piece to the first"),
            _suffix("backsubsets", "backward_kind", "subsets", "backward for pieces alone"),
            _suffix(
                "backcomplements", "backward_kind", "complements", "backward for all but one piece"
            ),
            _suffix("last", "subsets_first", False, "try pieces alone after all but one piece"),
            _suffix(
                "interleaved", "interleaved", True, "alternate pieces alone and all but one piece"
            ),
            _suffix(
                "balanced", "split", balanced_split, "spread longer pieces evenly instead of last"
            ),
            _suffix("uncached", "cached", False, "try again what was uninteresting before"),
            Suffix(
                r"[2-9]|[1-9][0-9]+",
                "factor",
                int,
                "how many pieces to cut a piece into (2 or more)",
                "2",
            ),
        ),
    ),
    Family(
        "remove-each",
        "All but one piece, for pieces of half the list, a quarter, down to single items.",
        _maker(remove_each),
        (
            _suffix("whole", "whole", True, "start with a piece as long as the list"),
            _suffix("backward", "backward", True, "from the last item to the first"),
            _suffix("once", "repeat", False, "halve the pieces even after a removal"),
        ),
    ),
    Family("one-by-one", "Single items, until none can go.", _maker(one_by_one), (_BACKWARD,)),
    Family(
        "gallop",
        "Single items; after each success twice as many at a time.",
        _maker(gallop),
        (_BACKWARD,),
    ),
    Family(
        "probdd",
        "The items with the largest expected saving, judging by the runs so far.",
        _maker(probdd),
        (_PROBABILITY, _BACKWARD),
    ),
    Family(
        "wprobdd",
        "As probdd, with the expected saving in bytes.",
        _maker(probdd, weighted=True),
        (_PROBABILITY, _BACKWARD),
    ),
    Family(
        "cdd",
        "As many items at a time as probdd would try, fixed in advance for each round.",
        _maker(cdd),
        (_PROBABILITY, _BACKWARD),
    ),
    Family(
        "wdd",
        "As ddmin, but pieces are halved by size; finally single items until none can go.",
        _maker(wdd, weighted=True),
        (_BACKWARD,),
    ),
)
"""Every family, in the order in which users see them."""


def summaries() -> Iterator[tuple[str, str]]:
    """Yield each family's name and summary, followed by those of its suffixes, indented."""
    for family in FAMILIES:
        yield family.name, family.summary
        for suffix in family.suffixes:
            yield f"  -{suffix}", suffix.summary


def minimiser(name: str) -> Minimiser:
    """Return the minimiser called *name*.

    Raises PollardError, which lists the alternatives, for an unknown family or suffix, a repeated
    suffix, and suffixes that contradict each other.
    """
    plain = name.removesuffix("*")
    minimise = _without_star(plain)
    return minimise if plain == name else star(minimise)


def _without_star(name: str) -> Minimiser:
    family = _family(name)
    options: dict[str, object] = {}
    for suffix in name[len(family.name) :].split("-")[1:]:
        option = family.option(suffix)
        if option is None:
            known = ", ".join(f"-{known}" for known in family.suffixes)
            message = f"The list minimiser '{family.name}' has no suffix '-{suffix}', only {known}."
            raise PollardError(message)
        if options.keys() & option.keys():
            message = f"In '{name}' the suffix '-{suffix}' repeats or contradicts one before it."
            raise PollardError(message)
        options.update(option)
    return family.make(**options)


def _family(name: str) -> Family:
    families = [family for family in FAMILIES if f"{name}-".startswith(f"{family.name}-")]
    if not families:
        known = ", ".join(family.name for family in FAMILIES)
        raise PollardError(f"There is no list minimiser '{name}': choose one of {known}.")
    return families[0]
