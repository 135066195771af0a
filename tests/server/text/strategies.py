"""Strategies for texts: typical buffers and very unusual ones."""

from __future__ import annotations

from hypothesis import strategies as st
from lsprotocol import types as lsp

ENCODINGS = list(lsp.PositionEncodingKind)

# e + acute as two code points, an emoji with a skin tone, a flag, a line separator, halves of pairs.
_PIECES = [
    *"ab \t",
    "\n", "\n", "\r\n", "\r\n", "\r",
    "é", "e\u0301", "ß", "漢", "😀", "👍🏽", "🇨🇭", "\u2028", "\x0b", "\x85", "\x00",
]  # fmt: skip
_HALVES = ["\ud83d", "\ude00"]

pieces = st.sampled_from(_PIECES)
texts = st.lists(st.sampled_from(_PIECES + _HALVES), max_size=40).map("".join)


@st.composite
def cuts(draw: st.DrawFn) -> tuple[str, str]:
    """A text of lines, and the same with some of its pieces removed, doubled or replaced."""
    lines = st.lists(st.sampled_from(_PIECES + _HALVES + ["foo\n", "bar;\r\n", "}\n"]), max_size=60)
    old = [f"{index % 7}{piece}" if index % 3 else piece for index, piece in enumerate(draw(lines))]
    fates = draw(st.lists(st.integers(0, 9), min_size=len(old), max_size=len(old)))
    changed = {0: "", 1: "", 2: "x", 3: "\n"}
    new = [changed.get(fate, piece) for fate, piece in zip(fates, old, strict=True)]
    return "".join(old), "".join(new)
