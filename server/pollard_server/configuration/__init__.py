"""The settings that are in force for each document, from its settings file and its editor.

`configuration` is the way in. It fetches the settings of a document before each use (`fetching`):
the editor is asked, and the settings file is found and read in a thread (`reading`). `layers`
merges the two. `diagnostics` tells the user about mistakes.
"""

from __future__ import annotations

from pollard_server.configuration.configuration import Configuration
from pollard_server.configuration.layers import EDITOR, EXTENSION_KEYS, OPTIONS, DocumentSettings

__all__ = ["EDITOR", "EXTENSION_KEYS", "OPTIONS", "Configuration", "DocumentSettings"]
