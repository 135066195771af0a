"""Standard output with a thread of its own, so that an editor that is slow to read stops nobody.

Without it the event loop would wait for the editor, the editor perhaps for the event loop.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from io import RawIOBase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import BinaryIO

_LAST_WORDS_SECONDS = 1.0


class Outbox(RawIOBase):
    """Takes bytes at once and writes them in order; after a broken pipe it drops them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.broken = False
        self._thread = threading.Thread(target=self._work, name="outbox", daemon=True)
        self._thread.start()

    def writable(self) -> bool:
        """Return true."""
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # only bytes are ever written
        """Take `data`; raise BrokenPipeError if the reader is gone."""
        if self.broken:
            raise BrokenPipeError
        self._queue.put(data)
        return len(data)

    def close(self) -> None:
        """Wait until what was taken is written, for a second at most."""
        if not self.closed:
            self._queue.put(None)
            self._thread.join(_LAST_WORDS_SECONDS)
        super().close()

    def _work(self) -> None:
        with contextlib.suppress(OSError, ValueError):  # the reader is gone, the stream closed
            while (data := self._queue.get()) is not None:
                self._stream.write(data)
                self._stream.flush()
        self.broken = True
