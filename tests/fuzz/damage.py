"""Files that a crash, a disk or a person has damaged: random bytes, and mutations of good ones."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

# What is hard to draw by chance, and has often broken a reader.
_NASTY = [
    b"",
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xed\xa0\x80",
    b"\r",
    b"\n",
    b'"',
    b"'''",
    b"\\u0000",
    b"\\ud800",
    b"\\n",
    b"nan",
    b"Infinity",
    b"-1",
    b"1e400",
    b"9" * 5000,
    b"null",
    b"true",
    b"[]",
    b"{}",
    b"[" * 3000,
    b"{'a':" * 3000,
    b'{"a":' * 3000,
    b"a." * 3000 + b"a = 1\n",
    b"2026-02-30",
    b"[tool.pollard]\n",
    b"[oracles.x]\n",
    b'"a\\nb" = 1\n',
]


def damaged(good: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Return a strategy of random bytes, and of the texts `good` with up to four changes."""
    return st.one_of(st.binary(max_size=200), _mutated(good))


@st.composite
def _mutated(draw: st.DrawFn, good: Sequence[bytes]) -> bytes:
    text = draw(st.sampled_from(good))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.one_of(st.just(0), st.integers(1, 40))))
        new = draw(st.one_of(st.sampled_from(_NASTY), st.binary(max_size=6)))
        text = text[:start] + new + text[end:]
    return text
