"""A size over time in one line of characters, on a linear scale.

The command line's own sparkline is logarithmic, since real files lose a thousandfold. The demo's
loses tenfold, which would hardly show there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.cli.sparkline import BLOCKS

if TYPE_CHECKING:
    from collections.abc import Sequence


def sparkline(
    points: Sequence[tuple[float, int]], until: float, width: int, levels: str = BLOCKS
) -> str:
    """Draw (seconds, bytes) points, in order, up to the time `until` in `width` characters.

    Each character shows the size at the end of its share of the time, from 0 to the first size.
    """
    drawn, place = [], 0
    for column in range(1, width + 1):
        while place + 1 < len(points) and points[place + 1][0] <= until * column / width:
            place += 1
        share = points[place][1] / max(points[0][1], 1)
        drawn.append(levels[min(int(share * len(levels)), len(levels) - 1)])
    return "".join(drawn)
