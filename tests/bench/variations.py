"""Variations of the default: without a pass, without a heuristic, or with another number.

A number is a constant of a module that searches. All of them are found by looking, so that none is
forgotten, except those of which half or twice would mean nothing.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from types import ModuleType
from unittest import mock

import pollard.engine
import pollard.passes
import pollard.search
from pollard.engine import subject
from pollard.passes.coupling import coupled, inlining
from pollard.passes.heaviest import heaviest
from pollard.passes.heaviest.groups import Failures, Groups
from pollard.passes.strategy import DEFAULT, Strategy

#: The variation that all others are compared with.
UNCHANGED = "default"

Patch = tuple[object, str, object]

# What each heuristic is replaced by. A heuristic is a decision that could be left out.
_HEURISTICS: Mapping[str, Sequence[Patch]] = {
    "suspicion by failed groups": [(Failures, "chance", lambda *_: 1.0)],
    "the rest of a list": [(Groups, "_rest", lambda *_: None)],
    "bodies of functions": [(heaviest, "hollow", lambda *_: None)],
    "one heavy token": [(heaviest, "polish_heavy", lambda *_: None)],
    "what an edit leaves unused": [(subject, "left_unused", lambda *_: [])],
    "no second try of what hardly changed": [(heaviest._BranchAttempts, "is_new", lambda *_: True)],
}


# Markers, definitions and tolerances: not matters of degree.
_FIXED = frozenset(
    {
        "_NOT_ALWAYS_INVALID",
        "_MIN_PARTS",
        "_MIN_ELEMENTS",
        "_MIN_CHILDREN",
        "_MIN_ROWS",
        "_GAIN_TOLERANCE",
        "_MAX_PROBABILITY",
        "_MIN_TOKEN_BYTES",
    }
)


# Lists of kinds of changes, each of which is a heuristic.
_LISTS = (
    (coupled, "VALUES_BY_PLACE"),
    (coupled, "BY_PLACE"),
    (inlining, "PLAINER"),
    (inlining, "MARKUP"),
)


@dataclass(frozen=True)
class Variation:
    """One difference from the default; `group` is "pass", "heuristic" or "number".

    `strategy` is what to run, and `patches` what to replace meanwhile. `kind` names the kind of changes
    that is left out, if it is one of several.
    """

    name: str
    group: str
    strategy: str = DEFAULT
    patches: Sequence[Patch] = field(default=(), repr=False)
    kind: str = ""

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Apply the patches as long as the context lasts."""
        with ExitStack() as stack:
            for owner, name, value in self.patches:
                stack.enter_context(mock.patch.object(owner, name, value))
            yield


def variations() -> dict[str, Variation]:
    """Return all variations by name, the default itself first."""
    found = [Variation(UNCHANGED, ""), *_passes(), *_heuristics(), *_numbers()]
    return {variation.name: variation for variation in found}


def _passes() -> Iterator[Variation]:
    steps = [str(step) for step in Strategy.parse(DEFAULT).steps]
    for index, step in enumerate(steps):
        nth = steps[:index].count(step) + 1
        name = step if steps.count(step) == 1 else f"{step} (number {nth})"
        yield Variation(f"without {name}", "pass", "+".join(steps[:index] + steps[index + 1 :]))


def _heuristics() -> Iterator[Variation]:
    for name, patches in _HEURISTICS.items():
        yield Variation(f"without: {name}", "heuristic", patches=patches)
    for module, name in _LISTS:
        kinds = getattr(module, name)
        for kind in kinds:
            others = tuple(each for each in kinds if each is not kind)
            left_out = _name_of(kind)
            patches = [(module, name, others)]
            yield Variation(f"without: {left_out}", "heuristic", patches=patches, kind=left_out)


def _name_of(kind: Callable[..., object]) -> str:
    return kind.__name__.strip("_").replace("_", " ")


@contextmanager
def kinds_found() -> Iterator[set[str]]:
    """Collect the kinds of which a search finds a change, as `Variation.kind` names them.

    A search that finds none of a kind is the same without it.
    """
    found = set[str]()

    def noticed(kind: Callable[..., Iterable[object]]) -> Callable[..., Iterator[object]]:
        @wraps(kind)
        def noticing(*arguments: object) -> Iterator[object]:
            for change in kind(*arguments):
                found.add(_name_of(kind))
                yield change

        return noticing

    with ExitStack() as stack:
        for module, name in _LISTS:
            kinds = tuple(noticed(kind) for kind in getattr(module, name))
            stack.enter_context(mock.patch.object(module, name, kinds))
        yield found


def _numbers() -> Iterator[Variation]:
    modules = list(_modules())
    for module in modules:
        for name in _defined(module):
            value = getattr(module, name)
            for factor in (0.5, 2):
                changed = value * factor if isinstance(value, float) else round(value * factor)
                yield Variation(
                    f"{module.__name__.removeprefix('pollard.')}.{name.lstrip('_')} = {changed}",
                    "number",
                    # A public number may be imported by others; a private one has namesakes.
                    patches=[
                        (each, name, changed)
                        for each in modules
                        if each is module or (hasattr(each, name) and not name.startswith("_"))
                    ],
                )


def _modules() -> Iterator[ModuleType]:
    for package in (pollard.engine, pollard.passes, pollard.search):
        for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if ".papers" not in found.name:  # the default uses none of these
                yield importlib.import_module(found.name)


def _defined(module: ModuleType) -> list[str]:
    """Return the names of the numbers that a module itself defines."""
    source = module.__loader__.get_source(module.__name__)  # type: ignore[union-attr]
    return [
        name
        for name, value in vars(module).items()
        if name.isupper() and name not in _FIXED and type(value) in (int, float)
        if f"\n{name}" in source
    ]
