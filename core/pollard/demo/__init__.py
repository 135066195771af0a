"""The demo: a bundled failing script is reduced for real, before the user's eyes."""

from __future__ import annotations

from pollard.demo.show import run

__all__ = ["run"]
