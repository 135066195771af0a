"""Pollard's language server: the engine's reductions, streamed into an editor's buffer."""

from __future__ import annotations
