"""How small a text will probably become, and how probable it is that it becomes smaller at all.

A reduction is a sequence of turns, one for each pass of the strategy. In a turn, a percent may be saved
again and again. What is known of a pass is how often a turn saves a percent at all, how often another
one after that, after how many runs, and which share of the text a turn leaves. If `k` runs of a turn
saved nothing, the chance that a saving is still to come follows by Bayes' rule: savings that were to
come would have come by now. The runs before a saving have the distribution of Lomax, that of waiting
times whose rate differs from text to text: more than `k` have the probability `(1 + k / runs) ** -2`.
For a pass of which nothing is known, the chance is `100 / (100 + k)`, by the rule of succession.

The figures of the passes were fitted on the corpus and on the half of the second set that is for
tuning, by `python -m tests.bench.forecasts`. They are the same for every text, so a forecast costs
nothing and depends on nothing but what was accepted after how many runs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.quantities import format_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

#: A saving that counts, as a share of the text.
PERCENT = 0.01
#: Below this chance, another saving is unlikely; a text for which it is so is likely final.
UNLIKELY_CHANCE = 0.05
# For passes without figures: the runs that the question is about.
_HORIZON_RUNS = 100


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """What is known of a turn of a pass.

    - `first`, `again`: the chance that it saves a percent, and that it saves another one after that
    - `runs`: the mean number of runs before such a saving
    - `left`: the share of the text that it leaves, as a geometric mean
    - `leaves_bytes`: the bytes that it leaves of a large text, whatever its size
    """

    first: float
    again: float
    runs: float
    left: float
    leaves_bytes: float = math.inf

    def share_of(self, size: int) -> float:
        """Return the share that a turn will probably leave of a text of `size` bytes."""
        return min(self.left, self.leaves_bytes / max(size, 1))


# The figures of a pass's first turn in a strategy, of its second one, and so on; the last ones are also
# those of all later turns.
FIGURES: Mapping[str, tuple[TurnFigures, ...]] = {
    "reach": (TurnFigures(0.02, 0.1, 1.0, 1.0),),
    "named": (TurnFigures(0.02, 0.1, 1.0, 1.0),),
    "heavy": (TurnFigures(0.98, 0.95, 5.6, 0.5, leaves_bytes=110),),
    "early-coupled": (TurnFigures(0.19, 0.71, 2.2, 0.93),),
    "alone": (TurnFigures(0.02, 0.1, 3.0, 0.88),),
    "heaviest": (
        TurnFigures(0.91, 0.88, 9.1, 0.5),
        TurnFigures(0.26, 0.8, 12.1, 0.93),
        TurnFigures(0.02, 0.5, 1.0, 0.98),
    ),
    "unparsed": (TurnFigures(0.07, 0.92, 10.0, 0.93),),
    "coupled": (TurnFigures(0.14, 0.65, 15.3, 0.98), TurnFigures(0.05, 0.33, 5.7, 0.99)),
    "inline": (TurnFigures(0.09, 0.43, 8.0, 0.98), TurnFigures(0.02, 0.1, 1.0, 1.0)),
    "values": (TurnFigures(0.05, 0.1, 2.0, 1.0),),
    "rename": (TurnFigures(0.44, 0.17, 1.3, 0.83),),
    "polish": (TurnFigures(0.21, 0.68, 3.9, 0.95),),
    "shorten": (TurnFigures(0.35, 0.1, 1.7, 0.9),),
    "merge": (TurnFigures(0.25, 0.1, 2.0, 0.98),),
    "unguarded": (TurnFigures(0.14, 0.1, 8.0, 0.97),),
    "pairs": (TurnFigures(0.04, 0.1, 8.0, 0.99),),
}
# Of other passes only a chance is given, and no size.
_UNKNOWN_FIRST_CHANCE = 0.5


def _figures_of(name: str, turns_before: int) -> TurnFigures | None:
    """Return the figures of a pass that had so many turns before; None if nothing is known of it."""
    figures = FIGURES.get(name)
    return None if figures is None else figures[min(turns_before, len(figures) - 1)]


@dataclass(frozen=True, slots=True)
class Outlook:
    """A forecast for people.

    - `bytes`: the size that the result will probably have; None where nothing is known of a pass
    - `chance`: the probability that the text becomes smaller by a percent or more
    """

    bytes: int | None
    chance: float

    @property
    def likely_final(self) -> bool:
        """Whether the text is likely final: the chance is below 5 %."""
        return self.chance < UNLIKELY_CHANCE

    def __str__(self) -> str:
        """Return a phrase such as "about 85 B expected"; "" where nothing is known."""
        if self.likely_final:
            return "likely final"
        return "" if self.bytes is None else f"about {format_size(self.bytes)} expected"


class Forecast:
    """Forecasts the end of one reduction from what was accepted after how many runs.

    Sizes are in bytes without white space. Calls follow the order of the search, so a forecast is the
    same for any number of jobs.
    """

    def __init__(self, passes: Sequence[str], size: int) -> None:
        """`passes` are those of the strategy in order, `size` that of the original."""
        self._passes = tuple(passes)
        self._figures = [
            _figures_of(name, self._passes[:index].count(name))
            for index, name in enumerate(self._passes)
        ]
        self._turn = -1
        self._size = self._size_at_turn = self._size_at_saving = size
        self._runs = self._runs_at_saving = 0
        self._saved_in_turn = False

    def ran(self, runs: int) -> None:
        """Note how many runs there were so far."""
        self._runs = runs

    def began(self, name: str) -> None:
        """Note that a pass began its turn, or another round of it; other steps are ignored."""
        if self._current == name or name not in self._passes[self._turn + 1 :]:
            return
        self._turn = self._passes.index(name, self._turn + 1)
        self._size_at_turn, self._saved_in_turn = self._size, False
        self._restart()

    def accepted(self, size: int) -> None:
        """Note that a text of this size was accepted."""
        self._size = size
        if size <= (1 - PERCENT) * self._size_at_saving:
            self._saved_in_turn = True
            self._restart()

    def _restart(self) -> None:
        """Count what comes from here on as being without a saving."""
        self._size_at_saving, self._runs_at_saving = self._size, self._runs

    @property
    def _current(self) -> str | None:
        return self._passes[self._turn] if self._turn >= 0 else None

    @property
    def _later(self) -> Sequence[TurnFigures | None]:
        return self._figures[self._turn + 1 :]

    @property
    def _idle_runs(self) -> int:
        return self._runs - self._runs_at_saving

    @property
    def chance(self) -> float:
        """The probability that a percent of the text or more is still to be saved."""
        later = (
            _UNKNOWN_FIRST_CHANCE if figures is None else figures.first for figures in self._later
        )
        return 1.0 - math.prod(1.0 - chance for chance in (self._chance_of_turn(), *later))

    def _chance_of_turn(self) -> float:
        """The probability that the current turn saves another percent."""
        if self._current is None:
            return 0.0
        figures = self._figures[self._turn]
        if figures is None:
            return _HORIZON_RUNS / (_HORIZON_RUNS + self._idle_runs)
        before = figures.again if self._saved_in_turn else figures.first
        still = before * self._unspent(figures)
        return still / (1.0 - before + still)

    def _unspent(self, figures: TurnFigures) -> float:
        """The chance that a saving takes more runs than have passed without one."""
        return (1.0 + self._idle_runs / figures.runs) ** -2

    @property
    def share_left(self) -> float | None:
        """The share of the present text that will probably be left; None if a pass is not known."""
        if None in self._figures[max(self._turn, 0) :]:
            return None
        later = (figures.share_of(self._size) for figures in self._later if figures is not None)
        return math.prod((self._share_left_by_turn(), *later))

    def _share_left_by_turn(self) -> float:
        """The share of the present text that the current turn will probably leave."""
        figures = self._figures[self._turn] if self._turn >= 0 else None
        if figures is None or not self._size:
            return 1.0
        expected = self._size_at_turn * figures.share_of(self._size_at_turn)
        return float(min(expected / self._size, 1.0) ** self._unspent(figures))

    def outlook(self, size: int) -> Outlook:
        """Return the forecast for people; `size` is that of the present text, with white space."""
        share = self.share_left
        return Outlook(
            None if share is None else max(round(size * share), 1), round(self.chance, 3)
        )
