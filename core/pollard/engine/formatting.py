"""The optional last step of a reduction: the result in its language's usual layout.

The formatter prints a whole text. Like every text it becomes the result only as an interesting
candidate. Unlike the others it may be larger than the text before, since formatters add white
space, and here and there a semicolon or a comma.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.subject import Candidate
from pollard.errors import FormatterError
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from pollard.engine.subject import Subject


# A formatter may add a quarter of the text and 16 bytes, white space not counted.
_BYTES_PER_ADDED_BYTE = 4
_MAX_ADDED_BYTES = 16

_OUTSIDE = "The result was not formatted: the formatter changes more than the region."
_TOO_LARGE = "The result was not formatted: the formatter makes it much larger."
_NOT_INTERESTING = (
    "The result was not formatted: formatted it is not interesting, or has new syntax errors."
)


def lay_out(subject: Subject, printed: bytes, original: bytes) -> None:
    """Replace the document by what a formatter printed for it, in one run.

    The new text gets the line ends of `original`. Raises FormatterError, and changes nothing, if it
    differs outside of the region, is too large, or is not interesting.
    """
    text, new = subject.document.text, with_line_ends_of(original, printed)
    if new == text:
        return
    start, end = subject.span
    if not _is_enclosed(new, text[:start], text[end:]):
        raise FormatterError(_OUTSIDE)
    if size(new) > size(text) + size(text) // _BYTES_PER_ADDED_BYTE + _MAX_ADDED_BYTES:
        raise FormatterError(_TOO_LARGE)
    edit = Edit(start, end, new[start : len(new) - (len(text) - end)])
    subject.level = 0
    if subject.first(iter([Candidate(subject.document, (edit,))])) is None:
        raise FormatterError(_NOT_INTERESTING)


def with_line_ends_of(original: bytes, text: bytes) -> bytes:
    """Return `text` with the more frequent line end of `original`, LF or CRLF, and ending like it."""
    crlf_count = original.count(b"\r\n")
    lines = text.replace(b"\r\n", b"\n")
    if not original.endswith(b"\n"):
        lines = lines.rstrip(b"\n")
    elif not lines.endswith(b"\n"):
        lines += b"\n"
    return lines.replace(b"\n", b"\r\n") if 2 * crlf_count > original.count(b"\n") else lines


def _is_enclosed(text: bytes, prefix: bytes, suffix: bytes) -> bool:
    """Return whether a text begins with a prefix and ends with a suffix that do not overlap."""
    is_long_enough = len(text) >= len(prefix) + len(suffix)
    return is_long_enough and text.startswith(prefix) and text.endswith(suffix)
