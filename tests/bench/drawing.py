"""A trace as a plain SVG: the tree with the fate of each node, and beside it the result.

It has a light background of its own, to be readable on a dark page, and needs no fonts to be loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from tests.bench.fates import Fate, TreeRow, line_rows, original_rows, result_rows
from tests.bench.trace import Trace

_ROW, _INDENT, _CHARACTER = 17, 18, 7.25
_LEFT, _TOP, _WIDTH = 20, 62, 880
_RESULT = 570
_FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_COLOURS = {
    Fate.KEPT: "#1f2328",
    Fate.REMOVED: "#b71c1c",
    Fate.REPLACED: "#a04a00",
    Fate.HOISTED: "#0b4fc4",
    Fate.WITH: "#8a8f98",
}
_STRUCK = (Fate.REMOVED, Fate.WITH)
_LEGEND = (
    TreeRow(0, "removed", Fate.REMOVED),
    TreeRow(0, "replaced", Fate.REPLACED),
    TreeRow(0, "hoisted", Fate.HOISTED),
)


def drawn(made: Trace, *, title: str, in_lines: bool, hoists: bool) -> str:
    """Return the SVG; `in_lines` draws lines of text, `hoists` False no arrows."""
    before = line_rows(made) if in_lines else original_rows(made, hoists=hoists)
    after = [] if in_lines else result_rows(made)
    text = made.after.text.decode().splitlines()
    height = _TOP + _ROW * max(len(before), len(after) + len(text) + 3) + 12
    body = [*_head(title, height), *_labels(before, _LEFT, _TOP), *_arrows(before)]
    body += [] if in_lines else [_branches(before, _LEFT, _TOP), _branches(after, _RESULT, _TOP)]
    body += _labels(after, _RESULT, _TOP)
    below = _TOP + _ROW * (len(after) + 2 if after else 0)
    body += _text(text, below)
    return "\n".join([*_opening(title, height), *body, "</svg>", ""])


def _opening(title: str, height: int) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'font-family="{_FONT}" font-size="12" role="img">'
    )
    yield f"<title>{escape(title)}</title>"
    yield f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="#fbfbf9" stroke="#d0d7de"/>'
    yield (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{_COLOURS[Fate.HOISTED]}"/></marker></defs>'
    )


def _head(title: str, height: int) -> Iterator[str]:
    yield f'<text x="{_LEFT}" y="24" font-size="13" font-weight="bold">{escape(title)}</text>'
    yield f'<text x="{_LEFT}" y="{_TOP - 16}" fill="#57606a">before:</text>'
    x = _LEFT + 9 * _CHARACTER
    for row in _LEGEND:
        yield _label(row, x, _TOP - 16)
        x += (len(row.label) + 2) * _CHARACTER
    yield f'<text x="{_RESULT}" y="{_TOP - 16}" fill="#57606a">after:</text>'
    yield f'<path d="M{_RESULT - 18} {_TOP - 28}V{height - 20}" stroke="#d0d7de"/>'


def _labels(rows: Sequence[TreeRow], left: float, top: float) -> Iterator[str]:
    for place, row in enumerate(rows):
        yield _label(row, left + _INDENT * row.depth, top + _ROW * place + 12)


def _branches(rows: Sequence[TreeRow], left: float, top: float) -> str:
    """Return the lines from each row's parent to the row."""
    path = ""
    last: dict[int, int] = {}
    for place, row in enumerate(rows):
        if row.depth:
            x = left + _INDENT * (row.depth - 1) + 5
            y = top + _ROW * last[row.depth - 1] + 16
            path += f"M{x:g} {y:g}V{top + _ROW * place + 8:g}h{_INDENT - 8}"
        last[row.depth] = place
    return f'<path d="{path}" fill="none" stroke="#b6bcc4"/>'


def _label(row: TreeRow, x: float, y: float) -> str:
    style = f'fill="{_COLOURS[row.fate]}"'
    if row.fate in _STRUCK:
        style += ' text-decoration="line-through"'
    if row.fate in (Fate.HOISTED, Fate.REPLACED):
        style += ' font-weight="bold"'
    shown = f'<text x="{x:g}" y="{y:g}" xml:space="preserve" {style}>{escape(row.label)}</text>'
    if note := _note(row):
        after = x + _CHARACTER * (len(row.label) + 1)
        shown += f'<text x="{after:g}" y="{y:g}" fill="{_COLOURS[row.fate]}">{escape(note)}</text>'
    return shown


def _note(row: TreeRow) -> str:
    numbers = ", ".join(map(str, row.numbers))
    return f"→ {row.new}  {numbers}" if row.new else numbers


def _arrows(rows: Sequence[TreeRow]) -> Iterator[str]:
    """Yield an arrow from each hoisted row to the row whose place it took."""
    for place, row in enumerate(rows):
        if row.target is None:
            continue
        start, end = _end_of(row), _end_of(rows[row.target])
        out = max(_end_of(one) for one in rows[row.target : place + 1]) + 24
        y, up = _TOP + _ROW * place + 8, _TOP + _ROW * row.target + 8
        path = f"M{start + 6:g} {y}C{out:g} {y},{out:g} {y},{out:g} {y - 24}"
        path += f"V{up + 24}C{out:g} {up},{out:g} {up},{end + 6:g} {up}"
        colour = _COLOURS[Fate.HOISTED]
        style = f'fill="none" stroke="{colour}" stroke-width="1.5" marker-end="url(#tip)"'
        yield f'<path d="{path}" {style}/>'


def _end_of(row: TreeRow) -> float:
    length = len(row.label) + (len(_note(row)) + 1 if _note(row) else 0)
    return _LEFT + _INDENT * row.depth + _CHARACTER * length


def _text(lines: Sequence[str], top: float) -> Iterator[str]:
    for place, line in enumerate(lines):
        yield (
            f'<text x="{_RESULT}" y="{top + _ROW * place + 12:g}" xml:space="preserve" '
            f'fill="{_COLOURS[Fate.KEPT]}">{escape(line)}</text>'
        )
