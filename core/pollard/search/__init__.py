"""Minimisers of lists and of mappings, which know nothing of trees, files or processes.

All of them are written against one question, `First`: "which is the first interesting candidate of
this ordered stream?" Whoever answers it may run several candidates at once; what a minimiser
returns does not depend on that.
"""

from __future__ import annotations

from pollard.search.cdd import cdd
from pollard.search.combine import Minimiser, mirrored, or_nothing, star
from pollard.search.ddmin import ddmin
from pollard.search.first import First, Hit, cached, mapped, sequential
from pollard.search.one_by_one import one_by_one
from pollard.search.options import DdminOptions
from pollard.search.probdd import probdd
from pollard.search.registry import MINIMISERS, minimiser
from pollard.search.remove_each import remove_each
from pollard.search.tmin import tmin
from pollard.search.wdd import wdd
from pollard.search.weights import weighed

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
