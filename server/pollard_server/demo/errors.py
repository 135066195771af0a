"""What can go wrong with the demo."""

from __future__ import annotations

from pollard.errors import PollardError


class DemoError(PollardError):
    """The demo cannot be shown, or not to its end."""
