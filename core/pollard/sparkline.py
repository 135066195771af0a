"""A size over time in one line of characters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

BLOCKS = "▁▂▃▄▅▆▇█"
ASCII = "_.-:=+*#"


def sparkline(
    points: Sequence[tuple[float, int]],
    until: float,
    width: int,
    levels: str = BLOCKS,
    *,
    linear: bool = False,
) -> str:
    """Draw (seconds, bytes) points, in order, up to the time `until` in `width` characters.

    The scale is logarithmic, from 1 byte to the largest size: half the size is the same step down
    wherever it happens. `linear` suits what shrinks tenfold at the most. Each character shows the
    size at the end of its share of the time.
    """
    if not points or width < 1:
        return ""
    top = max(size for _, size in points)
    scale = _linear if linear else _logarithmic
    sizes, place = [], 0
    for column in range(1, width + 1):
        moment = until * column / width
        while place + 1 < len(points) and points[place + 1][0] <= moment:
            place += 1
        sizes.append(points[place][1])
    return "".join(levels[round(scale(size, top) * (len(levels) - 1))] for size in sizes)


def _linear(size: int, top: int) -> float:
    return size / max(top, 1)


def _logarithmic(size: int, top: int) -> float:
    return math.log(max(size, 1)) / math.log(top) if top > 1 else 1.0
