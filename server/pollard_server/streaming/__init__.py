"""Puts a reduction's texts into an editor's buffer without ever overwriting the user's typing.

`stream` decides what has become of each edit: a state machine without I/O, and the place where the
differences between editors are explained. `streamer` sends the edits, keeps the interval between
them, and calls back those who wait for a text to arrive.
"""

from __future__ import annotations

from pollard_server.streaming.stream import Foreign, Snapshot
from pollard_server.streaming.streamer import StreamClient, Streamer, Timer

__all__ = ["Foreign", "Snapshot", "StreamClient", "Streamer", "Timer"]
