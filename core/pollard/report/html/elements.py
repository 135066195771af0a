"""Pieces of HTML: escaped text, sections and tables."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pollard.report.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def shown_text(text: object) -> str:
    """Return text for the page: escaped, with invisible characters as escapes."""
    return escape(printable(str(text)))


def section(name: str, heading: str, *parts: str, printed: bool = True) -> str:
    """Return a section with a heading; `name` is its id. One that is not `printed` is for screens."""
    hidden = "" if printed else ' class="screen"'
    body = "\n".join(part for part in parts if part)
    return (
        f'<section id="{name}" aria-labelledby="{name}-heading"{hidden}>\n'
        f'<h2 id="{name}-heading">{heading}</h2>\n{body}\n</section>'
    )


def paragraph(text: str) -> str:
    """Return a paragraph of plain text."""
    return f"<p>{shown_text(text)}</p>"


def preformatted(html: str, label: str) -> str:
    """Return a block of code that is HTML already; it can be scrolled with the keyboard."""
    return f'<pre class="code" tabindex="0" role="region" aria-label="{label}">{html}</pre>'


def table(caption: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; the first cell of each row is its header, and numbers are aligned."""
    head = "".join(f'<th scope="col">{shown_text(column)}</th>' for column in columns)
    body = "\n".join(_row(row) for row in rows)
    return (
        f'<div class="wide"><table>\n<caption>{shown_text(caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _row(cells: Sequence[object]) -> str:
    first, *others = map(shown_text, cells)
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>'
