"""Keeping the two ends of a stream of any length in bounded memory."""

from __future__ import annotations

from collections import deque


class Clip:
    """The first and the last half of what was fed to it; the middle is forgotten.

    A newline joins the halves, so that no pattern matches across the gap within one line.
    """

    __slots__ = ("_head", "_head_limit", "_tail", "_tail_limit", "_tail_size", "_total")

    def __init__(self, limit: int) -> None:
        """`limit` is the most bytes that `value` returns; at least 2."""
        self._head_limit = max(limit, 2) // 2
        self._tail_limit = max(limit, 2) - self._head_limit
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._total = 0

    @property
    def truncated(self) -> bool:
        """Whether bytes were left out."""
        return self._total > self._head_limit + self._tail_limit

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        self._total += len(chunk)
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        if not chunk:
            return
        self._tail.append(chunk[-self._tail_limit :])
        self._tail_size += len(self._tail[-1])
        while self._tail_size - len(self._tail[0]) >= self._tail_limit:
            self._tail_size -= len(self._tail.popleft())

    def value(self) -> bytes:
        """What was kept, at most the limit."""
        tail = b"".join(self._tail)[-self._tail_limit :]
        if not self.truncated:
            return bytes(self._head) + tail
        return bytes(self._head) + b"\n" + tail[1:]
