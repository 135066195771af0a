"""The curves of the size over runs and over time, coloured by pass, drawn by leather as SVG.

The size has a logarithmic scale, since most runs are spent at a small fraction of the original.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

import leather

from pollard.quantities import format_size
from pollard.report.html.elements import shown_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pollard.report.report_model import Report, ReportStep

_WIDTH, _HEIGHT = 760, 340
# As many passes have a colour of their own (`--pass-0` in style.css); the others share one.
_MAX_COLOURS = 7
_OTHER_PASSES = "other passes"
# So many points look the same as more, and keep the page small.
_MAX_POINTS = 1_000
_LONG_FRACTION = re.compile(r"(\d+\.\d)\d+")
_OPENING = re.compile(r'<svg width="(\d+)" height="(\d+)"')

Point = tuple[float, float]


def charts(report: Report) -> str:
    """Return both charts; a sentence if nothing was accepted."""
    if not report.steps:
        return "<p>No candidate was accepted, so there is no curve.</p>"
    over_time = _chart(report, "time", "time in seconds", report.seconds, lambda step: step.seconds)
    if not report.runs:
        known = "All verdicts were known from an earlier reduction, so the command was not run."
        return f"<p>{known}</p>\n{over_time}"
    over_runs = _chart(report, "runs", "runs of the command", report.runs, lambda step: step.runs)
    return f"{over_runs}\n{over_time}"


def _chart(
    report: Report, name: str, axis: str, last: float, cost: Callable[[ReportStep], float]
) -> str:
    last = max(last, cost(report.steps[-1]), 1e-3)
    chart = leather.Chart()
    for index, (label, points) in enumerate(_curves(report, last, cost).items()):
        chart.add_line(points, name=label, stroke_color=f"var(--pass-{index})")
    decades = _decades(report)
    chart.add_x_scale(0, last)
    chart.add_y_scale(decades[0], decades[-1])
    chart.add_x_axis(name=axis)
    chart.add_y_axis(ticks=decades, tick_formatter=_size_label, name="size, logarithmic")
    return _figure(chart.to_svg(width=_WIDTH, height=_HEIGHT), report, name, axis)


def _curves(
    report: Report, last: float, cost: Callable[[ReportStep], float]
) -> dict[str, list[Point | tuple[None, None]]]:
    """Return the parts of the curve by pass, which a pair of None separates."""
    labels = _labels(report.steps)
    curves: dict[str, list[Point | tuple[None, None]]] = {label: [] for label in labels.values()}
    size, at, label = report.original_bytes, 0.0, ""
    for step in _thinned(report.steps):
        label = labels[step.pass_name]
        now = max(cost(step), at)
        curves[label] += [
            (at, _height(size)),
            (now, _height(size)),
            (now, _height(step.size)),
            (None, None),
        ]
        size, at = step.size, now
    curves[label] += [(at, _height(size)), (last, _height(size))]
    return curves


def _labels(steps: Sequence[ReportStep]) -> dict[str, str]:
    """Return the label of each pass; those that were accepted least often share one."""
    counts = Counter(step.pass_name for step in steps)
    frequent = {name for name, _ in counts.most_common(_MAX_COLOURS)}
    if len(counts) == _MAX_COLOURS + 1:
        frequent = set(counts)
    return {name: name if name in frequent else _OTHER_PASSES for name in counts}


def _thinned(steps: Sequence[ReportStep]) -> list[ReportStep]:
    every = -(-len(steps) // _MAX_POINTS)
    chosen = list(steps[::every])
    return chosen if chosen[-1] is steps[-1] else [*chosen, steps[-1]]


def _height(size: int) -> float:
    return math.log10(max(size, 1))


def _decades(report: Report) -> list[int]:
    sizes = [report.original_bytes, *(step.size for step in report.steps)]
    top = max(math.ceil(_height(max(sizes))), 1)
    return list(range(min(math.floor(_height(min(sizes))), top - 1), top + 1))


def _size_label(value: float, *_: object) -> str:
    return format_size(10**value)


def _figure(svg: str, report: Report, name: str, axis: str) -> str:
    """Return the drawing with a text alternative, and a caption."""
    before, after = format_size(report.original_bytes), format_size(report.result_bytes)
    title = shown_text(f"Curve of the size over the {axis}: from {before} to {after}, by pass.")
    opening = (
        rf'<svg viewBox="0 0 \1 \2" role="img" aria-labelledby="chart-{name}" '
        rf'class="chart"><title id="chart-{name}">{title}</title><g '
    )
    drawn = _OPENING.sub(opening, _LONG_FRACTION.sub(r"\1", svg), count=1)
    drawn = drawn.replace(' version="1.1" xmlns="http://www.w3.org/2000/svg">', ">", 1)
    drawn = drawn.removesuffix("</svg>") + "</g></svg>"
    return f"<figure>\n{drawn}\n<figcaption>Size over the {axis}, by pass.</figcaption>\n</figure>"
