"""A text with syntax colours, by Pygments."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

from pollard.quantities import format_size
from pollard.report.html.elements import paragraph, preformatted, shown_text
from pollard.report.printable import printable_text

if TYPE_CHECKING:
    from pygments.lexer import Lexer

    from pollard.report.report_model import FileInReport

_MAX_COLOURED_CHARACTERS = 100_000
_MAX_SHOWN_CHARACTERS = 500_000


def result_text(file: FileInReport, label: str) -> str:
    """Return the result of a file; without its end if it is very long, which a sentence says."""
    text = printable_text(file.result or b"", file.encoding)
    if not text:
        return paragraph("The file is empty.")
    shown = text[:_MAX_SHOWN_CHARACTERS]
    rest = len(text) - len(shown)
    note = f"The last {rest:,} characters of {format_size(len(file.result or b''))} are left out."
    return preformatted(coloured(shown, file), label) + (paragraph(note) if rest else "")


def coloured(text: str, file: FileInReport) -> str:
    """Return text as HTML with a class for each token; without, if it is long or of no known kind."""
    lexer = _lexer(file) if len(text) <= _MAX_COLOURED_CHARACTERS else None
    if lexer is None:
        return shown_text(text)
    html: str = highlight(text, lexer, HtmlFormatter(nowrap=True))
    return html


def _lexer(file: FileInReport) -> Lexer | None:
    """Return the lexer of the file's language, or of its name; both keep every line end."""
    options = {"stripnl": False, "ensurenl": False}
    for choose, name in ((get_lexer_by_name, file.language), (get_lexer_for_filename, file.name)):
        with contextlib.suppress(ClassNotFound):
            if name:
                return choose(name, **options)
    return None
