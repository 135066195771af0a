"""The last step of a reduction, if the user wants it: the result in its language's usual layout.

The formatter prints a whole text. As everything else it becomes the result only as an interesting
candidate; unlike everything else it may be larger than what it takes the place of, by what a layout
is known to add: white space, and a semicolon or a comma here and there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.subject import Candidate
from pollard.errors import FormatterError
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from pollard.engine.subject import Subject


# Of what is no white space: so much may a formatter add, in parts of the text and in bytes.
_PART = 4
_FEW = 16

_OUTSIDE = "The result was not formatted: the formatter changes more than the region."
_TOO_LARGE = "The result was not formatted: the formatter makes it much larger."
_NOT_INTERESTING = (
    "The result was not formatted: formatted it is not interesting, or has new syntax errors."
)


def lay_out(subject: Subject, printed: bytes, original: bytes) -> None:
    """Make what a formatter printed for the document the new one, at the cost of one run.

    It gets the line ends of `original`, from the first to the last. Raises FormatterError if it
    reaches out of the region, is too large, or is not interesting: then nothing has changed.
    """
    text, new = subject.document.text, with_line_ends_of(original, printed)
    if new == text:
        return
    start, end = subject.span
    if not _has_around(new, text[:start], text[end:]):
        raise FormatterError(_OUTSIDE)
    if size(new) > size(text) + size(text) // _PART + _FEW:
        raise FormatterError(_TOO_LARGE)
    edit = Edit(start, end, new[start : len(new) - (len(text) - end)])
    subject.level = 0
    if subject.first(iter([Candidate(subject.document, (edit,))])) is None:
        raise FormatterError(_NOT_INTERESTING)


def with_line_ends_of(original: bytes, text: bytes) -> bytes:
    """Return `text` with LF or CRLF, whichever `original` has more of, and as it has it at the end."""
    windows = original.count(b"\r\n")
    lines = text.replace(b"\r\n", b"\n")
    if not original.endswith(b"\n"):
        lines = lines.rstrip(b"\n")
    elif not lines.endswith(b"\n"):
        lines += b"\n"
    return lines.replace(b"\n", b"\r\n") if 2 * windows > original.count(b"\n") else lines


def _has_around(text: bytes, before: bytes, after: bytes) -> bool:
    """Tell whether a text begins and ends with these, which do not overlap in it."""
    enough = len(text) >= len(before) + len(after)
    return enough and text.startswith(before) and text.endswith(after)
