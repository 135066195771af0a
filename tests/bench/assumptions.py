"""How far running ahead can help: a replay of recorded verdicts with any number of workers.

Let all runs take equally long, and forks no time. Then a reduction takes rounds: in each, the workers
run the texts that are most probably needed, and the search goes on as far as the verdicts reach. The
texts on its path are those that were recorded. Beside it, where an assumption is wrong, any text is
followed by two others, since it is interesting or not. The probabilities are those of
`pollard.speculation.chances`, which learns during the replay as it does in a reduction: from the
answers that there are, and along a path from those that it assumes.

`python -m tests.bench.assumptions --remember FILE CASE...` prints the table of docs/scaling.md.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest import mock

from pollard.events import Event, Progress, Reduced
from pollard.oracle import Judge
from pollard.oracle.lookahead import Evaluation, Task
from pollard.reduction import Plan, Reduction
from pollard.speculation.chances import EXPERIENCE, Chances, Experience
from pollard.speculation.changes import Change, change
from tests.bench.cases import Case, by_name
from tests.bench.memory import Memory, remembering
from tests.bench.plots import Axes, Line, drawn
from tests.bench.scaling import CASES

_AXES = Axes("workers", "times as fast as one", steps=False)
_COLOURS = ("#000000", "#0b6e4f", "#1f77b4", "#d62728", "#9467bd", "#e07b00", "#8c564b")
_GREY = "#6f6f6f"
_MAX_IDEAL = 32

WORKERS = (1, 2, 4, 8, 16, 32, 64, 256, 1024, 4096)


@dataclass(frozen=True)
class Answered:
    """A counted run: how its text differs from the best one, and the verdict."""

    change: Change
    interesting: bool


def recorded(case: Case, memory: Memory | None) -> list[Answered]:
    """Reduce a case with one job, and return its counted runs in order."""
    answers: list[Answered] = []
    best, tried = case.text, b""
    evaluate = Judge.evaluate

    def remembering_text(judge: Judge, task: Task) -> Evaluation:
        nonlocal tried
        tried = task.text
        return evaluate(judge, task)

    def listen(event: Event) -> None:
        nonlocal best
        if isinstance(event, Progress):
            answers.append(Answered(change(best, tried), interesting=False))
        elif isinstance(event, Reduced):
            answers[-1] = replace(answers[-1], interesting=True)
            best = event.text

    plan = Plan(
        text=case.text,
        filename=case.path.name,
        oracle=case.oracle,
        grammar=case.grammar,
        checks=1,
        cache=False,
    )
    with remembering(memory), mock.patch.object(Judge, "evaluate", remembering_text):
        Reduction(plan, listen).run()
    return answers


def rounds(answers: Sequence[Answered], workers: int) -> int:
    """Return how many rounds of runs the search takes."""
    chances, known = Chances(), set[int]()
    place = done = 0
    while place < len(answers):
        known |= _chosen(answers, place, known, workers, chances)
        done += 1
        while place in known:
            _note(answers[place], chances)
            place += 1
    return done


def _chosen(
    answers: Sequence[Answered], place: int, known: set[int], workers: int, chances: Chances
) -> set[int]:
    """Return the recorded runs among those that are most probably needed next."""
    usual = (1 + sum(answer.interesting for answer in answers[:place])) / (5 + place)
    order = itertools.count()
    # The need of a run, negated, and its place among the recorded ones; None beside them.
    heap: list[tuple[float, int, int | None]] = [(-1.0, next(order), place)]
    chosen: set[int] = set()
    ahead = chances.branch()
    free = workers
    while heap and free:
        need, _, at = heapq.heappop(heap)
        if at is None:
            free -= 1
            heapq.heappush(heap, (need * (1 - usual), next(order), None))
            heapq.heappush(heap, (need * usual, next(order), None))
        elif at in known:
            _note(answers[at], ahead)
            heapq.heappush(heap, (need, next(order), at + 1))
        elif at < len(answers):
            free -= 1
            chosen.add(at)
            right = _probability(answers[at], ahead)
            _note(answers[at], ahead)
            heapq.heappush(heap, (need * right, next(order), at + 1))
            heapq.heappush(heap, (need * (1 - right), next(order), None))
    return chosen


def _note(answer: Answered, chances: Chances) -> None:
    chances.note(answer.change, interesting=answer.interesting)


def _probability(answer: Answered, chances: Chances) -> float:
    """Return the probability of the answer that was recorded."""
    chance = chances.chance(answer.change)
    return chance if answer.interesting else 1 - chance


def surprise(sequences: Iterable[Sequence[Answered]], experience: Experience = EXPERIENCE) -> float:
    """Return how many bits an answer tells on average that the chances did not: 0 to 1 and more."""
    bits, count = 0.0, 0
    for answers in sequences:
        chances = Chances(experience)
        for answer in answers:
            bits -= math.log2(_probability(answer, chances))
            _note(answer, chances)
        count += len(answers)
    return bits / count


def speedup(sequences: Iterable[Sequence[Answered]], workers: int) -> float:
    """Return how many times as fast all reductions together are with so many workers."""
    listed = list(sequences)
    return sum(map(len, listed)) / sum(rounds(each, workers) for each in listed)


def picture(named: Mapping[str, Sequence[Answered]]) -> str:
    """Return the SVG of the speed-ups of cases, in all and each."""
    sets = {"all": list(named.values()), **{name: [each] for name, each in named.items()}}
    lines = [
        Line(name, [(n, round(speedup(each, n), 1)) for n in WORKERS], colour)
        for (name, each), colour in zip(sets.items(), _COLOURS, strict=False)
    ]
    ideal = Line("as many times as fast", [(n, n) for n in WORKERS if n <= _MAX_IDEAL], _GREY)
    return drawn("Speed-up at best", [*lines, replace(ideal, dashed=True)], _AXES)


def main(arguments: list[str]) -> int:
    """Print a row for each number of workers: all cases together, then each."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.assumptions", description=__doc__)
    parser.add_argument("case", nargs="*", default=CASES)
    parser.add_argument("--remember", type=Path, help="keeps verdicts for the next time")
    parser.add_argument("--picture", type=Path, help="the SVG to write")
    options = parser.parse_args(arguments)
    memory = Memory(options.remember)
    sequences = [recorded(by_name()[name], memory) for name in options.case]
    print("runs:", *map(len, sequences))
    print(f"bits: {surprise(sequences):.2f};", *(f"{surprise([each]):.2f}" for each in sequences))
    for workers in WORKERS:
        each = " | ".join(f"{speedup([one], workers):.1f}" for one in sequences)
        print(f"| {workers:,} | {speedup(sequences, workers):.1f} | {each} |", flush=True)
    if options.picture:
        named = dict(zip(options.case, sequences, strict=True))
        options.picture.write_text(picture(named), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
