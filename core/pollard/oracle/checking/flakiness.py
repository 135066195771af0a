"""Flaky failures: how often a text fails, and what to do so that verdicts can be trusted nevertheless.

The better way out is a *remedy*, which makes the failure certain. The other way is to require k of n
runs. For that, k and n follow from the rate p at which the original failed. The interesting runs
among n independent ones are binomially distributed, so the chances of a wrong verdict are known:

- A text that fails as often as the original is *missed* if fewer than k of n runs are interesting.
- A text that fails a tenth as often is *mistaken* for it if at least k are. Without a limit for that,
  each accepted text could fail a little more rarely than the one before.

`requirement_for` returns the smallest n, with its best k, for which both chances are at most 5%.
"""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.oracle.predicate import Predicate

if TYPE_CHECKING:
    from pollard.oracle.checking.remedies import Remedy
    from pollard.oracle.predicate import AnyOracle

MAX_ERROR = 0.05
"""The largest chance of a wrong verdict for which k of n runs are offered."""

RARER = 0.1
"""The rate, relative to the original's, of a text that should no longer be accepted."""

# A candidate may cost that many runs. With k = 1 only misses are bounded, and more runs are allowed.
_MAX_RUNS = 20
_MAX_RUNS_FOR_ONE = 40


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often a text fails: `hits` of `runs` runs of the oracle were interesting."""

    hits: int
    runs: int

    @property
    def rate(self) -> float:
        """The share of the runs that were interesting; 0 without runs."""
        return self.hits / self.runs if self.runs else 0.0

    def __add__(self, other: Frequency) -> Frequency:
        return Frequency(self.hits + other.hits, self.runs + other.runs)

    def __str__(self) -> str:
        """Say it in a few words: "17 of 20 runs"."""
        return f"{self.hits} of {self.runs} run{'' if self.runs == 1 else 's'}"


def compared_frequencies(original: Frequency | None, result: Frequency | None) -> list[str]:
    """Return a line for people that compares how often two texts fail; none if it is not known."""
    if result is None:
        return []
    compared = f", the original in {original}" if original else ""
    return [f"the result fails in {result}{compared}"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """A number of runs to require, k of n, with its chances of a wrong verdict.

    - `required`, `total`: k and n
    - `missed`: the chance that a text that fails as often as the original is not accepted
    - `mistaken`: the chance that a text that fails a tenth as often is accepted
    """

    required: int
    total: int
    missed: float
    mistaken: float

    def __str__(self) -> str:
        """Write it as the settings do: "2 of 5"."""
        return f"{self.required} of {self.total}"


def chance_of_hits(required: int, total: int, rate: float) -> float:
    """Return the chance that at least `required` of `total` runs are interesting, at this rate."""
    return math.fsum(
        math.comb(total, hits) * rate**hits * (1 - rate) ** (total - hits)
        for hits in range(required, total + 1)
    )


def requirement_for(rate: float) -> Requirement | None:
    """Return k of n runs for an original that fails at this rate, with as few runs as possible.

    A rare failure, for which no k bounds both chances within 20 runs, gets k = 1, which bounds that of
    a miss. None if even that takes more than 40 runs.
    """
    for total in range(1, _MAX_RUNS + 1):
        options = [_requirement(required, total, rate) for required in range(1, total + 1)]
        best = min(options, key=lambda each: max(each.missed, each.mistaken))
        if max(best.missed, best.mistaken) <= MAX_ERROR:
            return best
    ones = (_requirement(1, total, rate) for total in range(1, _MAX_RUNS_FOR_ONE + 1))
    return next((each for each in ones if each.missed <= MAX_ERROR), None)


def _requirement(required: int, total: int, rate: float) -> Requirement:
    return Requirement(
        required,
        total,
        missed=1 - chance_of_hits(required, total, rate),
        mistaken=chance_of_hits(required, total, rate * RARER),
    )


@dataclass(frozen=True, slots=True)
class Attempt:
    """How often the original failed under a remedy; `title` names it, or several of one kind."""

    title: str
    frequency: Frequency


@dataclass(frozen=True, slots=True)
class Flakiness:
    """What was measured about a flaky failure of the original, and what follows from it.

    - `plain`: how often it failed as it is, the runs of the check included
    - `attempts`: how often it failed under each remedy, in the order in which they were tried
    - `remedy`: the remedy that makes the failure certain; None if none was found
    """

    plain: Frequency
    attempts: tuple[Attempt, ...] = ()
    remedy: Remedy | None = None

    @property
    def requirement(self) -> Requirement | None:
        """The runs to require without a remedy; None if the failure is too rare for that."""
        return requirement_for(self.plain.rate)

    @property
    def runs(self) -> int:
        """All runs that were measured."""
        return self.plain.runs + sum(each.frequency.runs for each in self.attempts)

    def advice(self, oracle: AnyOracle) -> list[str]:
        """Return lines for people: what was measured, and the settings to choose from."""
        measured = [f"  as it is: {self.plain}"]
        measured += [f"  with {each.title}: {each.frequency}" for each in self.attempts]
        return ["how often the file fails:", *measured, *self._remedied(oracle), *self._required()]

    def _remedied(self, oracle: AnyOracle) -> list[str]:
        if self.remedy is None or isinstance(oracle, Predicate):
            return []
        command = self.remedy.applied(oracle).command
        is_script = isinstance(command, str)
        shown = shlex.quote(command) if isinstance(command, str) else shlex.join(command)
        setting = json.dumps(command if is_script else list(command), ensure_ascii=False)
        return [
            f"With {self.remedy.title} every run fails. Run this command instead:",
            f"  on the command line: -- {shown}",
            f"  in pollard.toml: command = {setting}",
        ]

    def _required(self) -> list[str]:
        requirement = self.requirement
        if requirement is None:
            return ["The failure is too rare to require k of n runs; make it more frequent first."]
        start = "Or require" if self.remedy else "Require"
        chances = (
            f"  It misses {requirement.missed:.0%} of the texts that fail as often as this one, and "
            f"accepts {requirement.mistaken:.0%} of those that fail a tenth as often."
        )
        return [
            f"{start} {requirement} runs:",
            f'  on the command line: --runs-required "{requirement}"',
            f'  in pollard.toml: runs_required = "{requirement}"',
            chances,
        ]
