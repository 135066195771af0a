"""Minimisers: they shrink a list, or a tuple of values, while a test stays true.

A *minimiser* removes items from a list as long as the rest is interesting (`combine.Minimiser`).
The items can be anything: nodes of a tree, lines, characters. This package knows nothing of trees,
files or processes. It imports `pollard.errors` only; the passes, which turn a list of kept items
into a candidate text, import it.

Two ideas carry everything here:

**One question.** A minimiser never tests a single candidate. It hands an ordered, lazy stream of
candidates to a function of type `first.First` and gets back the first interesting one, with its
position, or None. The stream describes the path on which every candidate fails, so whoever answers
may read ahead and test several candidates in parallel. The answer is the same as that of a plain
loop (`first.sequential`). A generator must therefore have no side effects, and the minimiser's next
state may depend on the answer alone.

**States are values.** Since a stream may be abandoned anywhere, ddmin, CDD, ProbDD and WDD keep
their state in frozen dataclasses and derive the next one from a success or a failure.

"1-minimal" means that no single item can be removed from the result; "1-maximal", that no single
value can be replaced once more. Minimisers assume that the list that they get is interesting, and
never test it.

Modules, in reading order:

    first          the question: `First`, `Hit`, `sequential`; the wrappers `mapped` and `cached`
    sweeps         simple sweeps: `remove_each`, `one_by_one`, `gallop`; `exhaustive`, combinations
                   of neighbours, for what is 1-minimal already
    ddmin          Zeller's and Hildebrandt's ddmin with all of Picire's options
    probabilistic  `cdd` and `probdd`, which learn from failures; the plans that they follow
    wdd            `wdd`: ddmin that halves pieces by weight
    tmin           values are replaced instead of removed; used by hoisting
    combine        minimisers made from others: `star`, `or_nothing`, `mirrored`; weights of items
    registry       the names that strategies use: `minimiser("ddmin-backward*")`
"""

from __future__ import annotations

from pollard.search.combine import Minimiser, mirrored, or_nothing, star, weighed
from pollard.search.ddmin import DdminOptions, ddmin
from pollard.search.first import First, Hit, cached, mapped, sequential
from pollard.search.probabilistic import cdd, probdd
from pollard.search.registry import minimiser
from pollard.search.sweeps import one_by_one, remove_each
from pollard.search.tmin import tmin
from pollard.search.wdd import wdd

__all__ = [
    "DdminOptions",
    "First",
    "Hit",
    "Minimiser",
    "cached",
    "cdd",
    "ddmin",
    "mapped",
    "minimiser",
    "mirrored",
    "one_by_one",
    "or_nothing",
    "probdd",
    "remove_each",
    "sequential",
    "star",
    "tmin",
    "wdd",
    "weighed",
]
