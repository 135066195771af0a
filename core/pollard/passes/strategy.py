"""Strategies: passes in order, each with an optional `*` for "until nothing changes"."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.passes import texts, trees
from pollard.passes.unnest import unnest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pollard.passes.subject import Subject

PASSES: Mapping[str, Callable[[Subject], None]] = {
    "unnest": unnest,
    "coarse-hdd": trees.coarse_hdd,
    "hdd": trees.hdd,
    "hdd+": trees.hdd_plus,
    "hddr": trees.hddr,
    "hoist": trees.hoisting,
    "hddh": trees.hddh,
    "lines": texts.lines,
    "characters": texts.characters,
}

DEFAULT = "default"

PRESETS: Mapping[str, tuple[str, ...]] = {
    DEFAULT: ("unnest", "coarse-hdd", "hddh*"),
    "hdd*": ("hdd*",),
    "hoist*+hdd*": ("unnest", "hoist*", "hdd*"),
    "hddh*": ("unnest", "hddh*"),
    "hoist*+hddh*": ("unnest", "hoist*", "hddh*"),
    "ddmin": ("lines*", "characters*"),
}

# A `+` that joins, not the one in the name of `hdd+`.
_JOINT = re.compile(r"\+(?=\s*\w)")

# Below this size (bytes) the coarse pass of the default strategy costs more runs than it saves.
_SMALL = 500


class StrategyError(PollardError):
    """A strategy names a pass that does not exist."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Passes in the order in which they run; `name` is what the user called it."""

    name: str
    steps: tuple[tuple[str, bool], ...]

    @classmethod
    def parse(cls, strategy: str | Sequence[str]) -> Strategy:
        """Read passes and presets, one, joined by `+`, or a list of them; raise StrategyError."""
        if isinstance(strategy, str):
            listed: Sequence[str] = PRESETS.get(strategy) or _JOINT.split(strategy)
        else:
            listed = strategy
        names = [name for part in listed for name in _expanded(part.strip())]
        called = strategy if isinstance(strategy, str) else "+".join(strategy)
        return cls(called, tuple(_step(name) for name in names))

    @property
    def needs_tree(self) -> bool:
        """Whether a pass of it works on the syntax tree."""
        return any(name not in ("lines", "characters") for name, _ in self.steps)

    def run(self, subject: Subject, on_pass: Callable[[str], None] = lambda _: None) -> None:
        """Run the passes on the subject; `on_pass` is told the name of each before it starts."""
        for name, repeat in self.steps:
            while True:
                on_pass(name)
                before = (subject.reductions, subject.explored)
                PASSES[name](subject)
                if not repeat or (subject.reductions, subject.explored) == before:
                    break


def _expanded(name: str) -> Sequence[str]:
    """Return the passes of a preset; in a list `hdd*` and the like mean the pass of that name."""
    return (name,) if _known(name) else PRESETS.get(name, (name,))


def _known(name: str) -> bool:
    return name.removesuffix("*") in PASSES


def _step(name: str) -> tuple[str, bool]:
    if not _known(name):
        near = difflib.get_close_matches(name.removesuffix("*"), [*PASSES, *PRESETS], 1)
        hint = (
            f" Did you mean '{near[0]}'?" if near else f" Known: {', '.join([*PASSES, *PRESETS])}."
        )
        message = f"There is no pass or strategy called '{name}'.{hint}"
        raise StrategyError(message)
    return name.removesuffix("*"), name.endswith("*")


def default_strategy(length: int) -> Strategy:
    """Return what measures best for a text of that many bytes."""
    strategy = Strategy.parse(DEFAULT)
    if length >= _SMALL:
        return strategy
    return Strategy(DEFAULT, tuple(step for step in strategy.steps if step[0] != "coarse-hdd"))
