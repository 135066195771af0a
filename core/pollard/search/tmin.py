"""Minimisation by transformation: figure 6 of the 2021 paper on hoisting."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pollard.search.first import First, mapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

V = TypeVar("V")


def tmin(
    items: Sequence[V],
    first: First[tuple[V, ...]],
    candidates: Callable[[V], Sequence[V]],
    *,
    restart: bool = False,
    sweeps: int | None = None,
) -> tuple[V, ...]:
    """Replace values while the tuple stays interesting; return it, aligned with *items*.

    *candidates* is the paper's tau: the values that may replace a given value, in the order to try.
    It must be pure and yield smaller values only; that guarantees termination. *first* sees whole
    tuples, each with one value replaced.

    The result is 1-maximal: no value can be replaced once more. The figure leaves the order open.
    By default the search stays at the item that it just replaced and goes around until each item
    has failed since the last success; with *restart* it goes back to the first item, which takes
    more tests. *sweeps* bounds the visits per item (replacing an item repeatedly is one visit), and
    then the result need not be 1-maximal. Raises ValueError for *restart* with *sweeps*, and for
    negative *sweeps*.

    The candidates for an item's new value often include those for its old one: pass a `cached`
    *first* if values are hashable, so that no tuple is tested twice.
    """
    if sweeps is not None and (restart or sweeps < 0):
        raise ValueError("tmin takes sweeps, a number from 0 on, only without restart")
    values = tuple(items)
    end = None if sweeps is None else sweeps * len(values)
    visit = 0  # counts on across sweeps; the item visited is visit % len(values)
    while True:
        stop = visit + len(values) if end is None else min(visit + len(values), end)
        hit = _replacing(first, values)(_replacements(values, range(visit, stop), candidates))
        if hit is None:
            return values
        hit_visit, value = hit.candidate
        values = _with(values, hit_visit % len(values), value)
        visit = 0 if restart else hit_visit


def _replacing(first: First[tuple[V, ...]], values: tuple[V, ...]) -> First[tuple[int, V]]:
    """Test a pair (visit, new value) as *values* with that item replaced."""
    return mapped(first, lambda pair: _with(values, pair[0] % len(values), pair[1]))


def _replacements(
    values: tuple[V, ...], visits: range, candidates: Callable[[V], Sequence[V]]
) -> Iterator[tuple[int, V]]:
    for visit in visits:
        for value in candidates(values[visit % len(values)]):
            yield visit, value


def _with(values: tuple[V, ...], index: int, value: V) -> tuple[V, ...]:
    return (*values[:index], value, *values[index + 1 :])
