"""The settings that are in force for each document, from its settings file and its editor.

Settings are fetched afresh before each use, because nothing guarantees that a server is notified of
changes. The result is remembered for menus, which must not wait. Later layers win: the defaults,
the settings file, the initialization options, what the editor pushed, and what it answers when
asked. Neither an editor nor a disk that does not answer may block the event loop.

In reading order:

- `configuration`: the way in. It fetches a document's settings and remembers them.
- `fetching`: one fetch. It asks the editor, has the file read, and waits a limited time for both.
- `reading`: finds and reads settings files in threads.
- `layers`: merges the layers, and knows where each oracle is defined.
- `diagnostics`: shows the mistakes in settings to the user.

`client`, `jobs` and the top level import this package. It imports `text`.
"""

from __future__ import annotations

from pollard_server.configuration.configuration import Configuration
from pollard_server.configuration.layers import EDITOR, EXTENSION_KEYS, OPTIONS, DocumentSettings

__all__ = ["EDITOR", "EXTENSION_KEYS", "OPTIONS", "Configuration", "DocumentSettings"]
