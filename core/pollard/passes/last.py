"""What the last passes have in common: they are for texts of which little is left."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.passes.subject import Subject

# In bytes. A parse takes some 10 ms then; the candidates of a last pass, some hundred, take seconds.
_LONGEST = 64_000


def is_short(subject: Subject) -> bool:
    """Tell whether a text has a grammar and its region is short enough for the last passes."""
    start, end = subject.span
    return subject.document.language is not None and end - start <= _LONGEST
