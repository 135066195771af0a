"""What a file says about its own encoding, in the notations of several languages and editors."""

from __future__ import annotations

import codecs
import re
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASCII = bytes(range(128))

# HTML's standard allows 1,024 bytes; comments of licences are often longer.
_HEAD_BYTES = 4_096

_NAME = rb"([A-Za-z][\w.:-]*)"
_AT_THE_BEGINNING = (
    re.compile(rb"\A\s*<\?xml\b[^>]*?\bencoding\s*=\s*[\"']" + _NAME),
    re.compile(rb"\A@charset \"" + _NAME + rb"\""),
)
_META = re.compile(rb"<meta\b[^>]*?\bcharset\s*=\s*[\"']?\s*" + _NAME, re.IGNORECASE)

# PEP 263, Ruby's magic comment and Emacs' variables are alike: `coding:` in one of two lines.
_CODING = re.compile(rb"coding[:=][ \t]*" + _NAME)
_CODING_LINES = 2

# Vim's 'modelines' is 5.
_MODELINE = re.compile(rb"\b(?:vim?|ex):.*\b(?:fileencoding|fenc)=" + _NAME)
_MODELINES = 5

# Emacs adds the kind of line ends to the name.
_LINE_ENDS = re.compile(r"-(?:unix|dos|mac)\Z")

# Python's own notations, which no editor writes.
_NOTATIONS = frozenset({"idna", "unicode-escape", "raw-unicode-escape"})

# Files are often written in an extension of what they declare, as browsers know.
_EXTENSIONS = {
    "ascii": "latin-1",
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "big5": "cp950",
}


def declared_codecs(file: bytes) -> Iterator[str]:
    """Yield Python's names of the encodings that a file may declare, the likeliest first.

    Each leaves ASCII as it is: a declaration can be read in no other. An extension of a declared
    encoding comes before it.
    """
    for name in _declared_names(file):
        codec = _codec(name)
        if codec is not None:
            yield from filter(None, (_EXTENSIONS.get(codec), codec))


def _declared_names(file: bytes) -> Iterator[str]:
    head = file[:_HEAD_BYTES]
    # Only the beginnings: a search through a line of a megabyte can take minutes.
    lines = [line[:_HEAD_BYTES] for line in file.splitlines()]
    ends = chain(lines[:_MODELINES], lines[-_MODELINES:])
    matches = chain(
        (pattern.search(head) for pattern in _AT_THE_BEGINNING),
        (_CODING.search(line) for line in lines[:_CODING_LINES]),
        (_MODELINE.search(line) for line in ends),
        [_META.search(head)],
    )
    return (match[1].decode("ascii") for match in matches if match)


def _codec(name: str) -> str | None:
    """Return Python's name of an encoding that extends ASCII, or None."""
    bare = _LINE_ENDS.sub("", name.lower().replace("_", "-"))
    for each in (bare, bare.removeprefix("x-"), bare.replace("windows-", "cp")):
        try:
            codec = codecs.lookup(each).name
            if codec not in _NOTATIONS and _ASCII.decode(codec) == _ASCII.decode("ascii"):
                return codec
        except (LookupError, UnicodeError):  # unknown, no encoding of texts, or no ASCII
            continue
    return None
