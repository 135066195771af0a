"""The demo: an editor for one file, in which the real server reduces a bundled failing script."""

from __future__ import annotations

from pollard_server.demo.show import run

__all__ = ["run"]
