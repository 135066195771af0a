"""The list minimisers by name, for the passes to choose from.

A name is that of a family, then any of its suffixes, each once and in any order, joined by hyphens:
`ddmin-complement-backward-4`. A `*` at the end makes a fixpoint. Strategies write a minimiser after
the pass that uses it, so no name has a `:`, a `+` or a `*` within.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.search.combine import star
from pollard.search.families import FAMILIES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pollard.search.combine import Minimiser
    from pollard.search.families import Family

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
