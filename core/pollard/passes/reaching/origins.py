"""Which lines of a preprocessed text came from the file that was compiled, and not from a header."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Span = tuple[int, int]

# A line marker of a C preprocessor has the line and the file of what follows
# (https://gcc.gnu.org/onlinedocs/cpp/Preprocessor-Output.html).
_MARKER = re.compile(rb'^[ \t]*#(?:[ \t]*line)?[ \t]+\d+[ \t]+"([^"\n]*)".*\n', re.MULTILINE)


def main_file(text: bytes) -> list[Span]:
    """Return the spans of the text of the first file that line markers name; empty without any."""
    markers = list(_MARKER.finditer(text))
    files = [found[1] for found in markers]
    if len(set(files)) < 2:
        return []
    ends = [*(found.start() for found in markers[1:]), len(text)]
    spans = zip((found.end() for found in markers), ends, strict=True)
    of_first = (span for span, file in zip(spans, files, strict=True) if file == files[0])
    return [span for span in of_first if text[slice(*span)].strip()]
