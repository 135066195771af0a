"""`Clip` keeps the two ends of a stream of any length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pollard.executors.invocation import Clip


@given(st.lists(st.binary(max_size=12), max_size=20), st.integers(2, 40))
def test_a_clip_keeps_both_ends_within_its_limit(chunks, limit):
    clip = Clip(limit)
    for chunk in chunks:
        clip.feed(chunk)
    whole, kept = b"".join(chunks), clip.value()
    assert len(kept) <= limit
    assert clip.truncated == (len(whole) > limit)
    if not clip.truncated:
        assert kept == whole
    else:
        half = limit // 2
        tail = kept[half + 1 :]
        assert len(kept) == limit
        assert kept[: half + 1] == whole[:half] + b"\n"
        assert whole.endswith(tail)
