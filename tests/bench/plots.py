"""Size over runs as a plain SVG: both axes logarithmic, one step line a strategy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tests.bench.measure import Curve
from tests.bench.table import Row

_WIDTH, _HEIGHT = 720, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 150, 30, 40
_COLOURS = ("#0b6e4f", "#1f77b4", "#d62728", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#7f7f7f")


def plot(title: str, rows: Sequence[Row]) -> str:
    """Return the SVG of the rows of one case."""
    runs = max(2, *(point[0] for row in rows for point in row.points))
    sizes = [point[1] for row in rows for point in row.points if point[1]]
    frame = _Frame(runs, min(sizes), max(sizes))
    body = [*frame.axes(title)]
    for place, row in enumerate(rows):
        colour = _COLOURS[place % len(_COLOURS)]
        body += frame.line(row.points, colour)
        body += _label(place, row, colour)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="11">'
    )
    background = f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
    return "\n".join([head, background, *body, "</svg>", ""])


class _Frame:
    """Where runs (from 1) and sizes are on the paper."""

    def __init__(self, runs: int, smallest: int, largest: int) -> None:
        self._runs = math.log10(runs)
        self._low = math.floor(math.log10(smallest))
        self._high = max(math.log10(largest), self._low + 0.1)

    def x(self, runs: float) -> float:
        across = _WIDTH - _LEFT - _RIGHT
        return round(_LEFT + across * math.log10(max(runs, 1)) / self._runs, 1)

    def y(self, size: float) -> float:
        share = (math.log10(max(size, 1)) - self._low) / (self._high - self._low)
        return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share, 1)

    def line(self, points: Curve, colour: str) -> Iterator[str]:
        """Yield a step line: a size holds until the run that made it smaller."""
        (runs, size), *later = points
        path = f"M{self.x(runs)} {self.y(size)}"
        for runs, size in later:
            path += f"H{self.x(runs)}V{self.y(size)}"
        yield f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'

    def axes(self, title: str) -> Iterator[str]:
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        yield f'<text x="{_LEFT}" y="18" font-size="13">{title}</text>'
        yield f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="black"/>'
        yield f'<text x="{right}" y="{_HEIGHT - 8}" text-anchor="end">oracle runs</text>'
        for power in range(math.floor(self._runs) + 1):
            x = self.x(10**power)
            yield f'<path d="M{x} {_TOP}V{bottom}" stroke="#ddd"/>'
            yield f'<text x="{x}" y="{bottom + 15}" text-anchor="middle">{10**power:,}</text>'
        for power in range(self._low, math.floor(self._high) + 1):
            y = self.y(10**power)
            yield f'<path d="M{_LEFT} {y}H{right}" stroke="#ddd"/>'
            yield f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{10**power:,}</text>'


def _label(place: int, row: Row, colour: str) -> Iterator[str]:
    x, y = _WIDTH - _RIGHT + 12, _TOP + 10 + 18 * place
    yield f'<path d="M{x} {y - 4}h16" stroke="{colour}" stroke-width="3"/>'
    cut = " (cut off)" if row.cut_off else ""
    yield f'<text x="{x + 22}" y="{y}">{row.strategy}{cut}</text>'
