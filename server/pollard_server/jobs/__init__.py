"""What runs in the background: reductions and checks of an oracle, each in a thread of its own."""

from __future__ import annotations
