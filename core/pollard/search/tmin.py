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
    """Return what to put in the place of each item: a tuple aligned with *items*.

    *candidates* is the paper's tau: what may take the place of the value that an item has now, in
    the order to be tried. It must give the same answer each time, and only ever smaller values:
    that is why this ends. The candidates that *first* sees are whole tuples of values in which one
    was replaced; *items* themselves must be interesting.

    The result is 1-maximal: none of its values can be replaced once more. After a replacement the
    search goes on with the same item, and round until every item failed since the last hit; or,
    with *restart*, it begins anew at the first item. Either is a reading of the figure, which
    leaves the order open; going on takes fewer tests. With a number of *sweeps* every item is
    visited so many times at most (staying on an item while it can be replaced is one visit), and
    nothing is promised. Raises ValueError for *restart* with *sweeps*, and for negative sweeps.

    What may replace an item's new value was often tried for its old one: give a *first* that is
    `cached`, if values can be hashed, so that no tuple is asked for twice.
    """
    if sweeps is not None and (restart or sweeps < 0):
        raise ValueError("tmin takes sweeps, a number from 0 on, only without restart")
    values = tuple(items)
    end = None if sweeps is None else sweeps * len(values)
    visit = 0  # counts on from sweep to sweep; the item visited is visit % len(values)
    while True:
        stop = visit + len(values) if end is None else min(visit + len(values), end)
        hit = _replacing(first, values)(_replacements(values, range(visit, stop), candidates))
        if hit is None:
            return values
        replaced, value = hit.candidate
        values = _with(values, replaced % len(values), value)
        visit = 0 if restart else replaced


def _replacing(first: First[tuple[V, ...]], values: tuple[V, ...]) -> First[tuple[int, V]]:
    """Try a pair of a visit and a new value as the tuple of values that it makes of *values*."""
    return mapped(first, lambda pair: _with(values, pair[0] % len(values), pair[1]))


def _replacements(
    values: tuple[V, ...], visits: range, candidates: Callable[[V], Sequence[V]]
) -> Iterator[tuple[int, V]]:
    for visit in visits:
        for value in candidates(values[visit % len(values)]):
            yield visit, value


def _with(values: tuple[V, ...], index: int, value: V) -> tuple[V, ...]:
    return (*values[:index], value, *values[index + 1 :])
