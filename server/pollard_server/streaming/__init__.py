"""Brings a reduction's texts into an editor's buffer without ever overwriting the user's typing.

An editor's answer to an edit proves nothing: editors drop edits that they said they applied, and
publish texts early, late or merged with what the user typed. So an edit counts only when the editor
has published exactly the expected text. Any other text is *foreign*, and nothing is sent until the
user has decided.

In reading order:

- `stream`: decides what has become of each edit. A state machine without I/O, and the place where
  the differences between editors are explained.
- `streamer`: sends the edits, keeps the interval between them, and calls back when a text has
  arrived.

`client`, `jobs` and the top level import this package; it imports only `text`.
"""

from __future__ import annotations

from pollard_server.streaming.stream import ForeignChange, Snapshot
from pollard_server.streaming.streamer import StreamClient, Streamer, Timer

__all__ = ["ForeignChange", "Snapshot", "StreamClient", "Streamer", "Timer"]
