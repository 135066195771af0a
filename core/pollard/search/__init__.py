"""Minimisers of lists and of mappings, which know nothing of trees, files or processes.

All of them are written against one question, `First`: "which is the first interesting candidate of
this ordered stream?" Whoever answers it may run several candidates at once; what a minimiser
returns does not depend on that.
"""

from __future__ import annotations

from pollard.search.combine import Minimiser, mirrored, or_nothing, star, weighed
from pollard.search.ddmin import DdminOptions, ddmin
from pollard.search.first import First, Hit, cached, mapped, sequential
from pollard.search.probabilistic import cdd, probdd
from pollard.search.registry import MINIMISERS, minimiser
from pollard.search.sweeps import one_by_one, remove_each
from pollard.search.tmin import tmin
from pollard.search.wdd import wdd

__all__ = [
    "MINIMISERS",
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
