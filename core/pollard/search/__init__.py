"""Minimisers of lists and of mappings, which know nothing of trees, files or processes.

All of them are written against one question, `First`: "which is the first interesting candidate of
this ordered stream?" Whoever answers it may run several candidates at once; what a minimiser
returns does not depend on that.
"""

from __future__ import annotations

from pollard.search.combine import Minimiser, or_nothing, star
from pollard.search.ddmin import ddmin
from pollard.search.first import First, Hit, cached, mapped, sequential
from pollard.search.one_by_one import one_by_one
from pollard.search.options import DdminOptions
from pollard.search.registry import MINIMISERS, minimiser
from pollard.search.remove_each import remove_each
from pollard.search.tmin import tmin

__all__ = [
    "MINIMISERS",
    "DdminOptions",
    "First",
    "Hit",
    "Minimiser",
    "cached",
    "ddmin",
    "mapped",
    "minimiser",
    "one_by_one",
    "or_nothing",
    "remove_each",
    "sequential",
    "star",
    "tmin",
]
