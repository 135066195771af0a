"""Configuration: the settings that hold for a document, from its settings file and its editor."""

from __future__ import annotations

from pollard_server.configuration.configuration import Configuration
from pollard_server.configuration.layers import EDITOR, EXTENSION_KEYS, OPTIONS, DocumentSettings

__all__ = ["EDITOR", "EXTENSION_KEYS", "OPTIONS", "Configuration", "DocumentSettings"]
