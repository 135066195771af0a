"""Strategies: passes in the order in which they run, and the notation for them.

In `unnest+hddh:probdd*` two passes are joined by `+`; the name after the colon is the list minimiser to
use, and `*` repeats a pass until nothing changes. docs/algorithms.md gives the reason for each step of
the default.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs
from pollard.engine.statistics import Statistics
from pollard.engine.tidying import SurplusBlanks
from pollard.errors import PollardError
from pollard.passes.catalogue import PASSES
from pollard.search.combine import or_nothing
from pollard.search.registry import minimiser

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pollard.engine.subject import Subject


DEFAULT = "default"

# docs/ablation.md has what each step is worth.
_DEFAULT = (
    "reach",
    "named",
    "heavy",
    "early-coupled",
    "heaviest",
    "unparsed",
    "coupled",
    "inline",
    "alone",
    "heaviest*",
    "values",
    "coupled",
    "inline",
    "heaviest*",
    "rename",
    "polish",
    "shorten",
)
# The steps that remove most of a file in few runs.
_COARSE = ("reach", "named", "heavy", "early-coupled")
# Where these find nothing after a change elsewhere, the others hardly ever do.
_PROBES = ("heaviest", "coupled", "inline")
# From the first of these on, the steps shorten what is left, and remove nothing else.
_SHORTENING = ("rename", "polish", "shorten")
# The default, and what damages text for its last characters.
_SMALLEST = (
    *_DEFAULT[: _DEFAULT.index("rename")],
    "merge",
    *_DEFAULT[_DEFAULT.index("rename") :],
    "unguarded",
    "pairs",
)

PRESETS: Mapping[str, tuple[str, ...]] = {
    DEFAULT: _DEFAULT,
    "smallest": _SMALLEST,
    "hdd*": ("hdd*",),
    "hoist*+hdd*": ("unnest", "hoist*", "hdd*"),
    "hddh*": ("unnest", "hddh*"),
    "hoist*+hddh*": ("unnest", "hoist*", "hddh*"),
    "perses*": ("unnest", "perses*"),
    "pardis*": ("pardis*",),
    "gtr*": ("unnest", "gtr*"),
    "ddmin": ("lines*", "characters*"),
}

# The `+` between passes, but not the one in the name `hdd+`.
_SEPARATOR = re.compile(r"\+(?=\s*\w)")


class StrategyError(PollardError):
    """A strategy names a pass that does not exist."""


@dataclass(frozen=True, slots=True)
class Step:
    """One pass of a strategy; `repeated` if it has a `*`.

    Without a `minimiser`, the name of a list minimiser, the pass uses its usual one.
    """

    name: str
    minimiser: str | None = None
    repeated: bool = False

    def __str__(self) -> str:
        suffix = f":{self.minimiser}" if self.minimiser else ""
        return self.name + suffix + "*" * self.repeated

    def run_once(self, subject: Subject) -> bool:
        """Run one round of the pass; return whether another round may achieve more."""
        memory, tally = subject.memory, subject.tally
        before = (tally.accepted, memory.every_unit_tried)
        skipped_before = memory.invalid.skipped
        self._run(subject)
        changed = (tally.accepted, memory.every_unit_tried) != before
        memory.invalid.skipping = changed  # the last round tries what was postponed
        return changed or memory.invalid.skipped > skipped_before

    def _run(self, subject: Subject) -> None:
        # All units of a level may be superfluous, but ddmin never tries the empty list.
        minimise = or_nothing(minimiser(self.minimiser)) if self.minimiser else None
        PASSES[self.name](subject, minimise)


@dataclass(frozen=True, slots=True)
class Strategy:
    """Passes in the order in which they run; `name` is the strategy as the user wrote it.

    So many steps at the beginning as `probes` says are tried first; the others run only if those
    achieve something. With 0, all run. The text `ended_with` a pass before: it runs only once another
    one has achieved something.
    """

    name: str
    steps: tuple[Step, ...]
    probes: int = 0
    ended_with: str = ""

    @classmethod
    def parse(cls, strategy: str | Sequence[str]) -> Strategy:
        """Parse passes and presets, joined by `+` or in a list; raise StrategyError if unknown."""
        if isinstance(strategy, str):
            listed: Sequence[str] = PRESETS.get(strategy) or _SEPARATOR.split(strategy)
        else:
            listed = strategy
        names = [name for part in listed for name in _expanded(part.strip())]
        as_written = strategy if isinstance(strategy, str) else "+".join(strategy)
        return cls(as_written, tuple(_step(name) for name in names))

    def coarse(self) -> Strategy | None:
        """Return the steps at the beginning that remove most in few runs; None if it has none.

        Its name is another one: plans put the preset in the place of a strategy called `default`.
        """
        steps = tuple(takewhile(lambda step: step.name in _COARSE, self.steps))
        return replace(self, name="+".join(map(str, steps)), steps=steps) if steps else None

    def first_look(self) -> Strategy:
        """Return the steps for a text whose surroundings will become smaller, too.

        Without those that shorten what is left, which may be less then.
        """
        return replace(self, name=f"{self.name}, at first", steps=self.steps[: self._main_part()])

    def after_first_look(self) -> Strategy:
        """Return the steps for a text that `first_look` ended with, in the same surroundings."""
        end = self._main_part()
        last = self.steps[end - 1].name
        return replace(
            self, name=f"{self.name}, to the end", steps=self.steps[end:], ended_with=last
        )

    def _main_part(self) -> int:
        """Return how many steps there are up to the first `heaviest*`; all if there is none."""
        ends = (n for n, step in enumerate(self.steps, 1) if str(step) == "heaviest*")
        return next(ends, len(self.steps))

    def unshortened(self) -> Strategy:
        """Return the steps without those at the end that shorten what is left.

        Names that were shortened hide what a transformation looks for, such as `self`.
        """
        steps = tuple(takewhile(lambda step: step.name not in _SHORTENING, self.steps))
        return replace(self, name=f"{self.name}, not shortened", steps=steps) if steps else self

    def shortening(self) -> Strategy:
        """Return the steps that `unshortened` leaves out."""
        steps = self.steps[len(self.unshortened().steps) :]
        return replace(self, name=f"{self.name}, shortening", steps=steps)

    def second_look(self, *, finished: bool = True) -> Strategy:
        """Return the steps for a text that they ended with, and whose surroundings changed since.

        If only `first_look` ended with it, the text is `finished` after that, whatever they find.
        """
        first = {step.name: step for step in reversed(self.steps)}
        probes = tuple(first[name] for name in _PROBES if name in first)
        if not probes:
            return self
        rest = tuple(dropwhile(lambda step: step.name in _COARSE, self.steps))
        steps = probes + (rest if finished else self.steps[self._main_part() :])
        count = len(probes) if finished else 0
        return replace(self, name=f"{self.name}, again", steps=steps, probes=count)

    def only(self, name: str) -> Strategy | None:
        """Return the steps of one pass; None if it has none."""
        steps = tuple(step for step in self.steps if step.name == name)
        return replace(self, name=name, steps=steps) if steps else None

    @property
    def needs_tree(self) -> bool:
        """Whether one of the passes works on the syntax tree."""
        return any(PASSES[step.name].needs is not Needs.TEXT for step in self.steps)

    def run(self, subject: Subject, statistics: Statistics | None = None) -> None:
        """Run the passes on the subject; `statistics` measures each round."""
        statistics, blanks = statistics or Statistics(), SurplusBlanks()
        for number, step in enumerate(self.steps):
            if self.probes and number == self.probes and not subject.tally.accepted:
                return
            if step.name == self.ended_with and not subject.tally.accepted:
                continue
            subject.memory.invalid.skipping = step.repeated
            again = True
            while again:
                with statistics.measuring(step.name, subject.tally):
                    again = step.run_once(subject) and step.repeated
                blanks.shed(subject, statistics)


def _expanded(name: str) -> Sequence[str]:
    """Return the passes of a preset, or else the name itself; `hdd*`, which is both, is a pass."""
    return (name,) if _is_pass(name) else PRESETS.get(name, (name,))


def _is_pass(name: str) -> bool:
    return name.removesuffix("*").partition(":")[0] in PASSES


def _step(written: str) -> Step:
    name, _, minimising = written.removesuffix("*").partition(":")
    if name not in PASSES:
        similar = difflib.get_close_matches(name, [*PASSES, *PRESETS], 1)
        hint = (
            f" Did you mean '{similar[0]}'?"
            if similar
            else f" Known: {', '.join([*PASSES, *PRESETS])}."
        )
        message = f"There is no pass or strategy called '{written}'.{hint}"
        raise StrategyError(message)
    if ":" in written and not PASSES[name].minimises_lists:
        message = f"The pass '{name}' minimises no lists, so it takes nothing after a colon."
        raise StrategyError(message)
    if minimising:
        minimiser(minimising)
    return Step(name, minimising or None, written.endswith("*"))


def default_strategy(*, renaming: bool = True) -> Strategy:
    """Return the preset that measures best; `renaming` False leaves out the passes that rename."""
    strategy = Strategy.parse(DEFAULT)
    kept = tuple(step for step in strategy.steps if renaming or not PASSES[step.name].renames)
    return Strategy(DEFAULT, kept)
