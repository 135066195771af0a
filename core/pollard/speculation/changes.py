"""How a text differs from the best one, as far as that helps to foretell its verdict."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import dataclass
from itertools import islice

from pollard.syntax.tree.edits import splice

_TOKEN = re.compile(rb"\w+|[^\w\s]")
_WORD = re.compile(rb"\w+")
_WORD_BYTE = re.compile(rb"[\w\x80-\xff]")
_WORD_AT_START = re.compile(rb"\w*")
_WORD_AT_END = re.compile(rb"\w*\Z")

# More says little more, and each token is looked for in the text.
_MAX_TOKENS = 50
_MAX_COMPARED_BYTES = 20_000
_MAX_WORD_BYTES = 100


@dataclass(frozen=True, slots=True)
class Change:
    """What a text lacks of another one.

    - `removed`: different tokens of which it has fewer; the first 50
    - `removed_bytes`, `share`: how much shorter it is, in bytes and as a part of the other; at least 0
    - `elsewhere`: the share of the removed words that it still contains; 0 if there are none
    - `identity`: equal for changes that remove and add the same tokens
    - `form`: equal for changes that look alike where they begin and end, if all words are the same, and
      all numbers
    """

    removed: tuple[bytes, ...] = ()
    removed_bytes: int = 0
    share: float = 0.0
    elsewhere: float = 0.0
    identity: int = 0
    form: int = 0


def change(before: bytes, after: bytes) -> Change:
    """Return how `after` differs from `before`; in long texts, from what begins the difference."""
    start, rest, _ = splice(before, after)
    end = len(before) - rest
    # Words that only begin or end alike differ as a whole.
    start -= _length(_WORD_AT_END.search(before, max(start - _MAX_WORD_BYTES, 0), start))
    end -= _length(_WORD_AT_START.match(before, len(before) - end))
    old = _tokens(before[start : len(before) - end])
    new = _tokens(after[start : len(after) - end])
    if old == new:
        old, new = [], []
    lost, gained = Counter(old), Counter(new)
    lost, gained = lost - gained, gained - lost
    removed = tuple(islice(lost, _MAX_TOKENS))
    words = [token for token in removed if _WORD.fullmatch(token)]
    saved = max(len(before) - len(after), 0)
    return Change(
        removed,
        saved,
        saved / max(len(before), 1),
        sum(word in after for word in words) / max(len(words), 1),
        zlib.crc32(_listed(lost) + b"\n" + _listed(gained)),
        zlib.crc32(_outline([*old[:2], *old[-1:]]) + b"\n" + _outline(new[:2])),
    )


def _length(match: re.Match[bytes] | None) -> int:
    return len(match[0]) if match else 0


def _tokens(text: bytes) -> list[bytes]:
    return _TOKEN.findall(text[:_MAX_COMPARED_BYTES])


def _outline(tokens: list[bytes]) -> bytes:
    """Return what kinds of tokens these are."""
    return b" ".join(
        b"0" if token[:1].isdigit() else b"w" if _WORD_BYTE.match(token) else token
        for token in tokens
    )


def _listed(tokens: Counter[bytes]) -> bytes:
    return b" ".join(sorted(tokens.elements()))
