"""Standard input, and what the log says of messages that cannot be read."""

from __future__ import annotations

import logging
import re
from io import RawIOBase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import BinaryIO

logger = logging.getLogger(__name__)

_MAX_HEADER_BYTES = 1 << 20
_MAX_BODY_DIGITS = 10  # of the length in bytes; no editor sends a gigabyte
_LENGTH = re.compile(rb"content-length:\s*(\d+)", re.IGNORECASE)
_UNREADABLE = "Unable to handle message"
_NOT_STRUCTURED = "Unable to deserialize message"


class Inbox(RawIOBase):
    """An input that ends at a header that no editor sends, before it takes memory for the message."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self, _: int | None = -1) -> bytes:
        """Return a line of a header; empty at the end."""
        line = self._stream.readline(_MAX_HEADER_BYTES)
        if len(line) == _MAX_HEADER_BYTES:
            return _refused("a header of more than a megabyte")
        length = _LENGTH.match(line)
        if length is not None and len(length[1]) > _MAX_BODY_DIGITS:
            return _refused("an impossible length of a message")
        return line

    def read(self, size: int = -1) -> bytes:
        """Return `size` bytes of a message; fewer at the end."""
        return self._stream.read(size)


def _refused(what: str) -> bytes:
    logger.error("The editor sent %s; the session ends", what)
    return b""


def shorten(record: logging.LogRecord) -> bool:
    """Give a message that cannot be read one line of the log; a filter for loggers of pygls.

    Only its sender can correct it, for which no traceback is needed.
    """
    if record.msg == _UNREADABLE:
        error = record.exc_info[1] if record.exc_info else None
        record.msg, record.args = "A message of the editor cannot be read: %s", (error,)
        record.exc_info = None
    elif isinstance(record.msg, str) and record.msg.startswith(_NOT_STRUCTURED):
        last = str(record.args[0]).strip().splitlines()[-1] if record.args else ""  # type: ignore[index]
        record.msg, record.args = "A message of the editor is not valid: %s", (last,)
    return True
