"""Pollard's language server: it streams the engine's reductions into an editor's buffer.

The server starts when an editor opens a workspace, and serves that one editor. The user asks for a
reduction; the server runs the engine of `pollard` in the background, and sends every smaller text
that it accepts as an edit of the open buffer.

Three ideas explain most of the code:

- **The buffer belongs to the user.** An edit is sent only against a text that the editor has
  published, and the next one only after the editor has shown the result. Any other change of the
  buffer pauses the reduction, and the user decides what to do. Every text is on disk before the
  first edit, so nothing is ever lost.
- **No command runs without consent.** A settings file can name any command. The server asks by
  itself, whatever the editor does, and binds the answer to everything that the command depends on.
- **One loop, and a thread for each job.** The event loop's thread owns all state of the session and
  everything that is sent. It never blocks and needs no locks. Each reduction or check runs in a
  worker thread of its own, which hands results to the loop.

A reading order, from the outside to the inside:

- `server` starts the process, `lifetime` shuts it down, and `features` handles the messages of LSP.
- `editor_session` is the state while an editor is connected. `actions` decides which code actions a
  document gets; `commands` carries them out, with `choices` (which oracles there are) and
  `restoring` (earlier texts).
- `jobs` runs reductions and checks. Read `jobs.reduction_job` to follow one reduction from its request
  to its report.
- `client` is the editor as the server sees it; `protocol` defines the messages beyond LSP itself.
- `streaming` brings texts into a buffer, `trust` asks for consent, `records` keeps all texts on
  disk, and `configuration` fetches the settings of each document.
- `text` computes positions, differences and edits.
- `demo` is a small editor of its own, for the command `pollard demo`.

The server imports `pollard`, never the other way round; only the commands `pollard serve` and
`pollard demo` load it, when they run. Inside, imports go one way: the modules at the top level
import `jobs`, which imports `client`, which imports `protocol`, `streaming`, `trust`, `records` and
`configuration`; `text` is at the bottom. docs/architecture.md shows one reduction step by step, and
docs/server.md is the reference for authors of editor plugins.
"""

from __future__ import annotations

SERVER_NAME = "pollard-server"
