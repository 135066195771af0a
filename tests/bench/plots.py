"""Lines as a plain SVG, with two logarithmic axes.

Size over runs has a step line for each strategy or rival; speed-up over workers has one for each case.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from tests.bench.measure import STRATEGIES, Curve
from tests.bench.rivals import RIVALS, RivalResult
from tests.bench.table import Row

_WIDTH, _HEIGHT = 820, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 66, 250, 34, 44
_COLOURS = ("#0b6e4f", "#1f77b4", "#d62728", "#9467bd", "#e07b00", "#8c564b", "#0f9fb0", "#6f6f6f")
_RIVAL_COLOURS = ("#000000", "#b8860b", "#c2185b", "#5b5bd6")
_LABEL_STEP = 18


@dataclass(frozen=True)
class Line:
    """A line of the plot; those of rivals are dashed. `note` follows the label."""

    label: str
    points: Curve | Sequence[tuple[float, float]]
    colour: str
    note: str = ""
    dashed: bool = False

    @property
    def style(self) -> str:
        """The attributes of its stroke, in the plot and in the legend."""
        dashes = ' stroke-dasharray="6 3"' if self.dashed else ""
        return f'fill="none" stroke="{self.colour}"{dashes}'

    @property
    def end(self) -> tuple[float, float]:
        return self.points[-1]


@dataclass(frozen=True)
class Axes:
    """What the axes show. With `steps` a value holds until the next point."""

    across: str
    up: str
    steps: bool = True


_SIZE_OVER_RUNS = Axes("oracle runs", "size left (bytes without white space)")


def plot(title: str, rows: Sequence[Row], others: Sequence[RivalResult] = ()) -> str:
    """Return the SVG of the rows of one case and of the rivals' results that have a curve."""
    return drawn(title, [*map(_own, rows), *(_rival(other) for other in others if other.curve)])


def drawn(title: str, lines: Sequence[Line], axes: Axes = _SIZE_OVER_RUNS) -> str:
    """Return the SVG of lines, the first on top; the labels are ordered by the final values."""
    runs = max(2, *(point[0] for line in lines for point in line.points))
    sizes = [point[1] for line in lines for point in line.points if point[1]]
    frame = _Frame(runs, min(sizes), max(sizes))
    body = [*frame.axes(title, axes)]
    for line in reversed(lines):
        body += frame.line(line, axes)
    for place, line in enumerate(sorted(lines, key=lambda line: line.end[1], reverse=True)):
        body += _label(place, line)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="11" role="img">'
    )
    background = f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", background, *body, "</svg>", ""])


def _own(row: Row) -> Line:
    old = "" if row.is_current else "†"
    note = (", cut off" if row.cut_off else "") + old
    return Line(row.strategy, row.points, _colour(row.strategy, STRATEGIES, _COLOURS), note)


def _rival(other: RivalResult) -> Line:
    names = [rival.name for rival in RIVALS]
    name = next((name for name in names if other.tool.startswith(name)), other.tool)
    colour = _colour(name, names, _RIVAL_COLOURS)
    note = ", cut off" if other.is_cut_off else ""
    return Line(other.tool, other.points, colour, note, dashed=True)


def _colour(name: str, known: Sequence[str], colours: Sequence[str]) -> str:
    """Return a colour, the same in every picture for a name that is known."""
    place = known.index(name) if name in known else sum(name.encode())
    return colours[place % len(colours)]


class _Frame:
    """The coordinates of runs (from 1) and sizes, or of what else the axes show."""

    def __init__(self, runs: float, smallest: float, largest: float) -> None:
        self._runs = math.log10(runs)
        self._low = math.floor(math.log10(smallest))
        self._high = max(math.log10(largest), self._low + 0.1)

    def x(self, runs: float) -> float:
        across = _WIDTH - _LEFT - _RIGHT
        return round(_LEFT + across * math.log10(max(runs, 1)) / self._runs, 1)

    def y(self, size: float) -> float:
        share = (math.log10(max(size, 1)) - self._low) / (self._high - self._low)
        return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share, 1)

    def line(self, line: Line, axes: Axes) -> Iterator[str]:
        """Yield a line and a dot at its end; a step line if a value holds until the next point."""
        (runs, size), *later = line.points
        path = f"M{self.x(runs)} {self.y(size)}"
        for runs, size in later:
            x, y = self.x(runs), self.y(size)
            path += f"H{x}V{y}" if axes.steps else f"L{x} {y}"
        yield f'<path d="{path}" {line.style} stroke-width="1.5"/>'
        yield f'<circle cx="{self.x(runs)}" cy="{self.y(size)}" r="3" fill="{line.colour}"/>'

    def axes(self, title: str, axes: Axes) -> Iterator[str]:
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        yield f'<text x="{_LEFT}" y="20" font-size="13">{escape(title)}</text>'
        for power in range(math.floor(self._runs) + 1):
            yield from self._vertical(10**power)
        for power in range(self._low, math.floor(self._high) + 1):
            y = self.y(10**power)
            yield f'<path d="M{_LEFT} {y}H{right}" stroke="#ddd"/>'
            yield f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{10**power:,}</text>'
        yield f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="black"/>'
        yield f'<text x="{right}" y="{_HEIGHT - 10}" text-anchor="end">{axes.across}</text>'
        middle = (_TOP + bottom) / 2
        yield (
            f'<text transform="translate(12 {middle}) rotate(-90)" text-anchor="middle">'
            f"{axes.up}</text>"
        )

    def _vertical(self, runs: int) -> Iterator[str]:
        x, bottom = self.x(runs), _HEIGHT - _BOTTOM
        yield f'<path d="M{x} {_TOP}V{bottom}" stroke="#ddd"/>'
        yield f'<text x="{x}" y="{bottom + 15}" text-anchor="middle">{runs:,}</text>'


def _label(place: int, line: Line) -> Iterator[str]:
    x, y = _WIDTH - _RIGHT + 14, _TOP + 10 + _LABEL_STEP * place
    runs, size = line.end
    yield f'<path d="M{x} {y - 4}h20" {line.style} stroke-width="3"/>'
    yield f'<text x="{x + 26}" y="{y}">{escape(line.label)}: {size:,} / {runs:,}{line.note}</text>'
