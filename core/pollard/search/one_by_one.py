"""The last phase of HDD+: single items are removed until no single item can be removed.

"HDD: Hierarchical Delta Debugging" (Misherghi & Su, ICSE 2006), section 3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pollard.search.remove_each import sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.search.first import First

T = TypeVar("T")


def one_by_one(items: Sequence[T], first: First[tuple[T, ...]]) -> tuple[T, ...]:
    """Return a 1-minimal part of *items*, which must be interesting themselves.

    Each item is tried once in order, and all of it again as long as anything went. The last item
    is tried too, so the result may be empty. At worst O(n^2) candidates for n items.
    """
    rest = tuple(items)
    while len(swept := sweep(rest, first, 1)) < len(rest):
        rest = swept
    return rest
