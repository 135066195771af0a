"""Pollard: the engine that cuts a failing file back to the few lines that matter."""

from __future__ import annotations

__version__ = "0.1.0"
