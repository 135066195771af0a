"""Where the lines, words and characters of a text are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.engine.subject import Subject


Spans = Sequence[tuple[int, int]]

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_WORD_GAP_OR_SIGN = re.compile(rb"\w+|\s+|[\x00-\x7f]|[\x80-\xff]+")
_CHARACTER = re.compile(rb"[\x00-\x7f\x80-\xbf]|[\xc0-\xff][\x80-\xbf]*")


def line_spans(text: bytes) -> Spans:
    """Return the span (start, end) of each line, its line end included."""
    return [match.span() for match in _LINE.finditer(text)]


def word_spans(text: bytes) -> Spans:
    """Return the span of each word, each stretch of white space and each other sign."""
    return [match.span() for match in _WORD_GAP_OR_SIGN.finditer(text)]


def character_spans(text: bytes) -> Spans:
    """Return the span of each character."""
    return [match.span() for match in _CHARACTER.finditer(text)]


def units(subject: Subject, split: Callable[[bytes], Spans]) -> Spans:
    """Split the region; return the spans as offsets in the document."""
    start, end = subject.span
    return [(start + s, start + e) for s, e in split(subject.document.text[start:end])]
