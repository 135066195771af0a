"""The list minimisers by name, for the passes to choose from.

A name is that of a family, then any of its suffixes, each once and in any order, joined by hyphens:
`ddmin-complement-backward-4`. A `*` at the end makes a fixpoint. Strategies write a minimiser after
the pass that uses it, so no name has a `:`, a `+` or a `*` within.

What list minimisers there are, and the suffixes that set the options of each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
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
    """What it looks like, as a regular expression."""

    option: str
    """What it sets; two suffixes of one name must not set the same."""

    value: Callable[[str], object]
    """To what, given how it was written."""

    means: str
    """What that does, for users."""

    label: str = ""
    """What stands for it in a list of suffixes: its pattern if it is a mere word."""

    def __str__(self) -> str:
        return self.label or self.pattern


@dataclass(frozen=True, slots=True)
class Family:
    """Minimisers with the same algorithm; `make` takes the options that the suffixes set."""

    name: str
    summary: str
    make: Make
    suffixes: tuple[Suffix, ...] = ()

    def setting(self, written: str) -> Mapping[str, object] | None:
        """Return what the suffix *written* sets, or None if there is no such suffix."""
        found = (s for s in self.suffixes if re.fullmatch(s.pattern, written))
        return next(({s.option: s.value(written)} for s in found), None)


def _word(word: str, option: str, value: object, means: str) -> Suffix:
    return Suffix(word, option, lambda _: value, means)


def _made(search: Callable[..., tuple[Any, ...]], *, weighable: bool = False) -> Make:
    """Return what makes a minimiser of *search*, with its own options or from the end."""

    def make(*, backward: bool = False, **options: object) -> Minimiser:
        chosen = partial(search, **options)
        minimise = by_weight(chosen) if weighable else chosen
        return mirrored(minimise) if backward else minimise

    return make


def _ddmin(*, only: str = "both", turned: str = "none", **options: object) -> Minimiser:
    def order(kind: str) -> Order:
        if only not in (kind, "both"):
            return skip
        return backward if turned in (kind, "both") else forward

    chosen = DdminOptions(subsets=order("subsets"), complements=order("complements"), **options)  # type: ignore[arg-type]
    return partial(ddmin, options=chosen)


_BACKWARD = _word("backward", "backward", True, "from the last item to the first")
_LIKELY = Suffix(
    r"0?\.0*[1-9][0-9]*",
    "p0",
    float,
    "how likely an item is thought to be needed at first (0 to 1)",
    "0.1",
)

FAMILIES: tuple[Family, ...] = (
    Family(
        "ddmin",
        "Pieces of the list alone, then all but one piece; then more and smaller pieces.",
        _ddmin,
        (
            _word("complement", "only", "complements", "only try all but one piece"),
            _word("subset", "only", "subsets", "only try pieces alone"),
            _word("backward", "turned", "both", "from the last piece to the first"),
            _word("backsubsets", "turned", "subsets", "backward for pieces alone"),
            _word("backcomplements", "turned", "complements", "backward for all but one piece"),
            _word("last", "subsets_first", False, "pieces alone after all but one piece"),
            _word("interleaved", "interleaved", True, "pieces alone and all but one take turns"),
            _word("balanced", "split", balanced_split, "longer pieces spread evenly, not last"),
            _word("uncached", "cached", False, "try again what was uninteresting before"),
            Suffix(
                r"[2-9]|[1-9][0-9]+",
                "factor",
                int,
                "into how many pieces to cut a piece (2 or more)",
                "2",
            ),
        ),
    ),
    Family(
        "remove-each",
        "All but one piece, for pieces of half the list, of a quarter, down to single items.",
        _made(remove_each),
        (
            _word("whole", "whole", True, "begin with a piece as long as the list"),
            _word("backward", "backward", True, "from the last item to the first"),
            _word("once", "repeat", False, "halve the pieces even if something went"),
        ),
    ),
    Family("one-by-one", "Single items, until none goes.", _made(one_by_one), (_BACKWARD,)),
    Family(
        "gallop",
        "Single items, and twice as many at a time as long as that goes well.",
        _made(gallop),
        (_BACKWARD,),
    ),
    Family(
        "probdd",
        "As many items as promise most, by what the runs before have told of each.",
        _made(probdd),
        (_LIKELY, _BACKWARD),
    ),
    Family(
        "wprobdd",
        "As probdd, with the items' sizes: those first that promise most bytes.",
        _made(probdd, weighable=True),
        (_LIKELY, _BACKWARD),
    ),
    Family(
        "cdd",
        "As many items at a time as probdd would try, known beforehand for each round.",
        _made(cdd),
        (_LIKELY, _BACKWARD),
    ),
    Family(
        "wdd",
        "As ddmin, but pieces are halved by size; at last single items, until none goes.",
        _made(wdd, weighable=True),
        (_BACKWARD,),
    ),
)
"""Every family, in the order in which users see them."""


def described() -> Iterator[tuple[str, str]]:
    """Yield the name of each family with its line, then its suffixes, indented, with theirs."""
    for family in FAMILIES:
        yield family.name, family.summary
        for suffix in family.suffixes:
            yield f"  -{suffix}", suffix.means


_NAMES = (
    "ddmin",
    "ddmin-backward",
    "ddmin-complement",
    "ddmin-complement-backward",
    "remove-each",
    "remove-each-backward",
    "remove-each-whole",
    "remove-each-whole-backward",
    "remove-each-whole-once",
    "one-by-one",
    "gallop",
    "probdd",
    "probdd-0.25",
    "wprobdd",
    "cdd",
    "cdd-0.25",
    "cdd-backward",
    "wdd",
    "wdd-backward",
)


def minimiser(name: str) -> Minimiser:
    """Find or compose the minimiser called *name*; a `*` at its end makes a fixpoint of it.

    Raises PollardError, which lists what is known, for a family or a suffix that does not exist,
    one that is written twice, and suffixes that contradict each other.
    """
    plain = name.removesuffix("*")
    composed = _composed(plain)
    return composed if plain == name else star(composed)


def _composed(name: str) -> Minimiser:
    family = _family(name)
    options: dict[str, object] = {}
    for suffix in name[len(family.name) :].split("-")[1:]:
        setting = family.setting(suffix)
        if setting is None:
            known = ", ".join(f"-{known}" for known in family.suffixes)
            message = f"The list minimiser '{family.name}' has no suffix '-{suffix}', only {known}."
            raise PollardError(message)
        if options.keys() & setting.keys():
            message = f"In '{name}' the suffix '-{suffix}' repeats or contradicts one before it."
            raise PollardError(message)
        options.update(setting)
    return family.make(**options)


def _family(name: str) -> Family:
    found = [family for family in FAMILIES if f"{name}-".startswith(f"{family.name}-")]
    if not found:
        known = ", ".join(family.name for family in FAMILIES)
        raise PollardError(f"There is no list minimiser '{name}': choose one of {known}.")
    return found[0]


MINIMISERS: Mapping[str, Minimiser] = MappingProxyType({name: minimiser(name) for name in _NAMES})
"""Those that differ most, by name; `minimiser` knows all others too."""
