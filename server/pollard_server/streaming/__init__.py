"""Carrying a reduction's texts into an editor's buffer without ever overwriting the user's typing."""

from __future__ import annotations

from pollard_server.streaming.stream import Foreign, Snapshot
from pollard_server.streaming.streamer import StreamClient, Streamer, Timer

__all__ = ["Foreign", "Snapshot", "StreamClient", "Streamer", "Timer"]
