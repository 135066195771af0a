"""The weights with which a search begins to foretell verdicts: those that fit recorded reductions best.

`python -m tests.bench.foretelling --remember FILE CASE...` reduces cases (those of the corpus and the
tuning half of the second set, if none is named), and prints `EXPERIENCE` of
`pollard.speculation.chances`. Cases with more than 200 runs count as much as one with 200. Then it
prints how many bits an answer tells on average: with the present weights, with the printed ones, and
with those that fit the other cases, so that no case is foretold by what it taught.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from pollard.speculation.chances import EXPERIENCE, Chances, Experience, Feature
from tests.bench.assumptions import Answered, recorded, surprise
from tests.bench.cases import SETS, by_name
from tests.bench.memory import Memory

_ROUNDS = 40
_FULL_WEIGHT_RUNS = 200
_PENALTY = 1e-4
_FOLDS = 8

Row = tuple[list[float], bool, float]


def rows(answers: Sequence[Answered]) -> list[Row]:
    """Return the features, unscaled, the verdict and the weight of each answer."""
    chances, found = Chances(), []
    weight = min(1.0, _FULL_WEIGHT_RUNS / len(answers))
    for answer in answers:
        scaled = zip(chances.values(answer.change), EXPERIENCE.features, strict=True)
        values = [value * feature.deviation + feature.mean for value, feature in scaled]
        found.append((values, answer.interesting, weight))
        chances.note(answer.change, interesting=answer.interesting)
    return found


def fit(sequences: Iterable[Sequence[Answered]]) -> Experience:
    """Return what fits these reductions best, by averaged stochastic gradient descent."""
    data = [row for answers in sequences for row in rows(answers)]
    columns = list(zip(*(values for values, _, _ in data), strict=True))
    means = [statistics.fmean(column) for column in columns]
    deviations = [statistics.pstdev(column) or 1.0 for column in columns]
    order, draw = list(range(len(data))), random.Random(0)
    weights, summed, steps = [0.0] * (len(means) + 1), [0.0] * (len(means) + 1), 0
    for each in range(_ROUNDS):
        draw.shuffle(order)
        rate = 0.05 / (1 + each)
        for index in order:
            values, interesting, importance = data[index]
            scaled = [
                1.0,
                *((v - m) / d for v, m, d in zip(values, means, deviations, strict=True)),
            ]
            odds = sum(w * value for w, value in zip(weights, scaled, strict=True))
            step = rate * importance * (interesting - 1 / (1 + math.exp(-odds)))
            weights = [
                w * (1 - rate * _PENALTY) + step * value
                for w, value in zip(weights, scaled, strict=True)
            ]
            if each >= _ROUNDS // 2:
                summed = [total + w for total, w in zip(summed, weights, strict=True)]
                steps += 1
    bias, *found = (total / steps for total in summed)
    features = zip(means, deviations, found, strict=True)
    return Experience(bias, tuple(Feature(*each) for each in features))


def surprise_of_others(sequences: Sequence[Sequence[Answered]]) -> float:
    """Return how many bits an answer tells to a search that knows what the other cases taught."""
    bits, count = 0.0, 0
    for fold in range(_FOLDS):
        own = sequences[fold::_FOLDS]
        others = [each for n, each in enumerate(sequences) if n % _FOLDS != fold]
        answers = sum(map(len, own))
        bits, count = bits + answers * surprise(own, fit(others)), count + answers
    return bits / count


def main(arguments: list[str]) -> int:
    """Print the weights and what they are worth."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.foretelling", description=__doc__)
    parser.add_argument("case", nargs="*")
    parser.add_argument("--remember", type=Path, help="keeps verdicts for the next time")
    options = parser.parse_args(arguments)
    sets = (case.name for name in ("corpus", "tune") for case in SETS[name]())
    memory = Memory(options.remember)
    sequences = [recorded(by_name()[name], memory) for name in options.case or sets]
    found = fit(sequences)
    print(f"bias {found.bias:.2f}")
    for feature in found.features:
        print(f"Feature({feature.mean:.2f}, {feature.deviation:.2f}, {feature.weight:.2f}),")
    print(
        f"bits per answer now: {surprise(sequences):.3f}; with these: {surprise(sequences, found):.3f}"
    )
    if len(sequences) >= _FOLDS:
        print(f"with those of the other cases: {surprise_of_others(sequences):.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
