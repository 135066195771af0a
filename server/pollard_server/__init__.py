"""Pollard's language server: it streams the engine's reductions into an editor's buffer.

A tour, from the outside to the inside:

- `server` starts the process, `lifetime` ends it, and `features` handles the messages of LSP.
- `editor_session` has the state of one editor's session. `actions` decides which code actions a
  document gets, `commands` carries them out, with `choices` (oracles) and `restoring` (earlier
  texts).
- `jobs` runs reductions and checks in the background; read `jobs.reducing` to follow one reduction
  from request to report.
- `client` is the editor as the server sees it, and `protocol` the messages beyond LSP itself.
- `streaming` puts texts into a buffer without overwriting the user's typing; `trust` asks the user
  before any command runs; `records` keeps all texts on disk; `configuration` fetches settings.
- `text` computes positions, differences and edits. `demo` is a small editor for `pollard demo`.

Imports go one way: the top level imports `jobs`, which imports `client`, which imports `protocol`,
`streaming`, `trust`, `records` and `configuration`; `text` is at the bottom.
"""

from __future__ import annotations
