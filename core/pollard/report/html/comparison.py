"""The differences between the original and the result, with long parts folded."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pollard.report.html.elements import paragraph, shown_text
from pollard.report.printable import printable_text
from pollard.report.text_changes import (
    MAX_LINE_CHARACTERS,
    ChangedLine,
    broken_lines,
    compared_lines,
)

if TYPE_CHECKING:
    from pollard.report.report_model import FileInReport

# A longer run of lines of one kind is folded.
_MAX_UNFOLDED_LINES = 12
# Of a folded run, and on the whole page.
_MAX_FOLDED_LINES = 400
_MAX_LINES = 4_000
_MAX_COMPARED_CHARACTERS = 20_000_000

_NAMES = {"-": ("del", "removed"), "+": ("ins", "added"), " ": ("span", "unchanged")}


def comparison(file: FileInReport) -> str:
    """Return the lines of both texts, marked as removed, added or unchanged."""
    old, new = (printable_text(text or b"", file.encoding) for text in (file.original, file.result))
    if len(old) + len(new) > _MAX_COMPARED_CHARACTERS:
        return paragraph("The file is too large for a comparison on this page.")
    blocks, left, rest = [], _MAX_LINES, 0
    rows = compared_lines(broken_lines(old), broken_lines(new))
    for kind, group in groupby(rows, key=lambda row: row.kind):
        lines = list(group)
        if left <= 0:
            rest += len(lines)
            continue
        blocks.append(_block(kind, lines, left))
        left -= min(len(lines), _MAX_FOLDED_LINES)
    broken = any(len(line) > MAX_LINE_CHARACTERS for line in old.splitlines())
    note = paragraph("Long lines are broken for this comparison.") if broken else ""
    more = paragraph(f"{rest:,} more lines are left out.") if rest else ""
    return f'{note}<div class="code comparison">{"".join(blocks)}</div>{more}'


def _block(kind: str, lines: list[ChangedLine], left: int) -> str:
    """Return lines of one kind, folded if they are many."""
    element, name = _NAMES[kind]
    shown = lines[: min(_MAX_FOLDED_LINES, left)]
    text = "\n".join(shown_text(line) for line in shown)
    block = f'<pre class="{name}"><{element}>{text}\n</{element}></pre>'
    if len(lines) <= _MAX_UNFOLDED_LINES:
        return block
    rest = len(lines) - len(shown)
    more = f"<p>{rest:,} more lines are left out.</p>" if rest else ""
    summary = f"<summary>{len(lines):,} lines {name}</summary>"
    return f'<details class="{name}">{summary}{block}{more}</details>'
