"""How likely a text is to be interesting, judged by what it changes and by the answers so far.

A logistic regression over seven features, which goes on learning during the reduction (stochastic
gradient descent). Its weights at the start are those that fit the recorded reductions of the bench
best: `python -m tests.bench.foretelling` prints them.

The strongest features are how often changes that look alike were interesting, and what the removed
tokens did before. Each token has a probability that it is needed, which grows by Bayes' rule with each
refused text that lacks it, as for the elements of probabilistic delta debugging (Wang et al., ESEC/FSE
2021), here for tokens in place of elements.
"""

from __future__ import annotations

import math
from collections import Counter
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.speculation.changes import Change


@dataclass(frozen=True, slots=True)
class Feature:
    """The mean and the deviation of a feature's values, and the weight of one deviation at first."""

    mean: float
    deviation: float
    weight: float


@dataclass(frozen=True, slots=True)
class Experience:
    """What is known before the first answer; the features are in the order of `Chances.values`."""

    bias: float
    features: tuple[Feature, ...]


EXPERIENCE = Experience(
    -2.11,
    (
        Feature(-4.38, 4.10, 0.68),
        Feature(0.14, 0.21, -0.71),
        Feature(0.62, 0.36, -0.40),
        Feature(4.10, 1.97, 0.50),
        Feature(0.16, 0.40, -0.53),
        Feature(1.80, 1.29, -0.22),
        Feature(-2.07, 1.47, 0.67),
    ),
)
_LEARNING_RATE = 0.04

# What is supposed before the first answer: as if of so many answers such a share was interesting.
_FIRST_ANSWERS = (5, 0.2)

# How likely a token is needed, before anything is known of it; how certain that can get; and the
# factor for what stays of a token when a text without some of it was interesting.
_FIRST_NEED = 0.01
_MAX_NEED = 0.999
_RELIEF = 0.5

# How the odds of a change differ for each refused text elsewhere with the same one (up to two), and if
# there is an interesting one. In 14 reductions with 16 jobs 689 of 2,546 texts had such others when
# the search got there, and an answer told 0.44 bits instead of 0.52.
_ODDS_IF_REFUSED = 0.3
_MAX_REFUSALS = 2
_ODDS_IF_INTERESTING = 40.0

_MIN_CHANCE = 0.002
_MAX_LOG_ODDS = 50.0


@dataclass(frozen=True, slots=True)
class _AnswerShare:
    """How many of some answers were that a text is interesting."""

    interesting: int = 0
    answers: int = 0

    def with_answer(self, *, interesting: bool) -> _AnswerShare:
        return _AnswerShare(self.interesting + interesting, self.answers + 1)

    def mixed(self, answers: float, share: float) -> float:
        """Return the share among these answers and so many others that have another share."""
        return (self.interesting + answers * share) / (self.answers + answers)


class Chances:
    """Foretells verdicts, and learns from them."""

    def __init__(self, experience: Experience = EXPERIENCE) -> None:
        self._features = experience.features
        self._bias = experience.bias
        self._weights = [feature.weight for feature in experience.features]
        self._needs: dict[bytes, float] = {}
        self._refused: Counter[int] = Counter()
        self._since_interesting = 0
        self._all = _AnswerShare()
        self._forms: dict[int, _AnswerShare] = {}

    def branch(self) -> Chances:
        """Return chances that know the same, and learn apart from these."""
        new = copy(self)
        new._weights = list(self._weights)
        new._needs = dict(self._needs)
        new._refused = self._refused.copy()
        new._forms = dict(self._forms)
        return new

    def chance(self, change: Change) -> float:
        """Return the probability that a text with this change is interesting; above 0 and below 1."""
        return _bounded(self._chance(self.values(change)))

    def refusals(self, change: Change) -> int:
        """Return how often the same change was refused, by what these have learned."""
        return self._refused[change.identity]

    def note(self, change: Change, *, interesting: bool) -> None:
        """Learn from the verdict on a text."""
        values = self.values(change)
        step = _LEARNING_RATE * (interesting - self._chance(values))
        self._bias += step
        self._weights = [
            weight + step * value for weight, value in zip(self._weights, values, strict=True)
        ]
        self._all = self._all.with_answer(interesting=interesting)
        self._forms[change.form] = self._forms.get(change.form, _AnswerShare()).with_answer(
            interesting=interesting
        )
        if interesting:
            self._relieve(change)
        else:
            self._suspect(change)

    def _chance(self, values: list[float]) -> float:
        terms = zip(self._weights, values, strict=True)
        log_odds = self._bias + sum(weight * value for weight, value in terms)
        return 1 / (1 + math.exp(-min(max(log_odds, -_MAX_LOG_ODDS), _MAX_LOG_ODDS)))

    def values(self, change: Change) -> list[float]:
        """Return the features of a change, each in deviations from its mean."""
        raw = (
            _log_odds(self._needless(change)),
            change.share,
            change.elsewhere,
            math.log1p(change.removed_bytes),
            math.log1p(self._refused[change.identity]),
            math.log1p(self._since_interesting),
            _log_odds(self._usual(change)),
        )
        return [
            (value - feature.mean) / feature.deviation
            for value, feature in zip(raw, self._features, strict=True)
        ]

    def _needless(self, change: Change) -> float:
        """Return the probability that none of the removed tokens is needed, if each is by itself."""
        needs = (self._needs.get(token, _FIRST_NEED) for token in change.removed)
        return math.prod(1 - need for need in needs)

    def _usual(self, change: Change) -> float:
        """Return the share of interesting texts among those with a change of this form."""
        return self._forms.get(change.form, _AnswerShare()).mixed(
            1, self._all.mixed(*_FIRST_ANSWERS)
        )

    def _suspect(self, change: Change) -> None:
        self._since_interesting += 1
        self._refused[change.identity] += 1
        some_needed = max(1 - self._needless(change), _MIN_CHANCE)
        for token in change.removed:
            need = self._needs.get(token, _FIRST_NEED) / some_needed
            self._needs[token] = min(need, _MAX_NEED)

    def _relieve(self, change: Change) -> None:
        self._since_interesting = 0
        for token in change.removed:
            if token in self._needs:
                self._needs[token] *= _RELIEF


class OtherTexts:
    """What runs tell of changes in other texts, wherever in the search they come.

    Most answers are as expected, so when one is not, the texts that came after the expected one have
    verdicts already. They are not needed any more, but the same changes are tried again.
    """

    def __init__(self) -> None:
        self._verdicts: dict[int, dict[bytes, bool]] = {}

    def note(self, change: Change, key: bytes, *, interesting: bool) -> None:
        """Learn from the verdict on the text with this key."""
        self._verdicts.setdefault(change.identity, {})[key] = interesting

    def chance(self, chance: float, change: Change, key: bytes, refusals: int) -> float:
        """Return a chance estimated from other answers, in view of other texts with the same change.

        `refusals` of them were known to that estimate.
        """
        others = self._verdicts.get(change.identity)
        if not others:
            return chance
        interesting = sum(others.values()) - others.get(key, False)
        refused = len(others) - (key in others) - interesting - refusals
        factor = _ODDS_IF_REFUSED ** min(max(refused, 0), _MAX_REFUSALS)
        if interesting:
            factor *= _ODDS_IF_INTERESTING
        return _bounded(chance * factor / (1 - chance + chance * factor))


def _bounded(chance: float) -> float:
    return min(max(chance, _MIN_CHANCE), 1 - _MIN_CHANCE)


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-4), 1 - 1e-4)
    return math.log(bounded / (1 - bounded))
