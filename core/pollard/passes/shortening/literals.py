"""Other spellings of numbers and strings: what no removal of characters makes shorter.

`0x1F` is 31, `200000` is `2e5`, `4294967296` is about `5e9`, `1 + 1` is 2, and `"a" + "b"` is `"ab"`.
Where a language does not know a spelling, the oracle refuses it. A literal that a string only quotes
moves into it: `${"a"}` is `a` there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import nodes, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.syntax.tree.document import Document


_WITH_BASE = re.compile(rb"0(x[\da-f][\da-f_]*|o[0-7][0-7_]*|b[01][01_]*)", re.IGNORECASE)
_WITH_ZEROS = re.compile(rb"([1-9]\d*?)(0{3,})")
_LONG, _BASE = re.compile(rb"[1-9]\d{4,}"), 10
_SUM = re.compile(rb"(\d{1,9})\s*([-+*])\s*(\d{1,9})")
# Two strings with what joins them in some language, or a string and a number.
_JOINING = rb"\s*(?:\+\+?|\.\.?|<>|\|\||~|\^|)\s*"
_STRING = rb"""(["'])([^"'\\]*)\1"""
_STRINGS = re.compile(_STRING + _JOINING + rb"""\1([^"'\\]*)\1""")
_WITH_NUMBER = re.compile(_STRING + _JOINING + rb"(\d+)")
_NUMBER_WITH = re.compile(rb"(\d+)" + _JOINING + rb"""(["'])([^"'\\]*)\2""")
# A literal in a string, with the sign and the braces around it.
_QUOTED = re.compile(rb"""[$#]?\{\s*(?:(["'])([^"'\\{}]*)\1|(\d+))\s*\}""")
_MINUS, _TIMES = b"-", b"*"


def shorter_literals(document: Document, span: tuple[int, int]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the different literals and sums in a span (start, end), each with a shorter spelling."""
    start, end = span
    quoting = conventions(document.language).kinds.interpolations
    seen: set[bytes] = set()
    for node in nodes(document.root):
        if start <= node.start_byte and node.end_byte <= end and node.is_named:
            old = text_of(node, document.text)
            shorter = _unquoted if node.type in quoting else _shorter
            found = (shorter(old), _rounded(old)) if old not in seen else ()
            seen.add(old)
            yield from ((old, new) for new in found if new is not None and len(new) < len(old))


def _shorter(text: bytes) -> bytes | None:
    if _WITH_BASE.fullmatch(text):
        return b"%d" % int(text.replace(b"_", b""), 0)
    if found := _WITH_ZEROS.fullmatch(text):
        return b"%be%d" % (found[1], len(found[2]))
    if found := _STRINGS.fullmatch(text):
        return found[1] + found[2] + found[3] + found[1]
    if found := _WITH_NUMBER.fullmatch(text):
        return found[1] + found[2] + found[3] + found[1]
    if found := _NUMBER_WITH.fullmatch(text):
        return found[2] + found[1] + found[3] + found[2]
    if found := _SUM.fullmatch(text):
        return b"%d" % _result(int(found[1]), found[2], int(found[3]))
    return None


def _rounded(text: bytes) -> bytes | None:
    """Return the next larger number with one digit and an exponent, if a whole number is long."""
    is_number = _WITH_BASE.fullmatch(text) or _LONG.fullmatch(text)
    digits = b"%d" % int(text.replace(b"_", b""), 0) if is_number else b""
    if not _LONG.fullmatch(digits):
        return None
    first, zeros = int(digits[:1]) + 1, len(digits) - 1
    return b"%de%d" % (first, zeros) if first < _BASE else b"1e%d" % (zeros + 1)


def _unquoted(text: bytes) -> bytes | None:
    found = _QUOTED.fullmatch(text)
    return found[2] or found[3] if found else None


def _result(first: int, sign: bytes, second: int) -> int:
    if sign == _TIMES:
        return first * second
    return first - second if sign == _MINUS else first + second
