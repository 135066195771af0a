"""What the demo's editor sees of a reduction, for those who show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pollard_server.notifications import ProgressParams


@dataclass(frozen=True, slots=True)
class Asked:
    """The server wanted to know something of the user: `question` has lines, `answer` is a button."""

    question: str
    buttons: tuple[str, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Warned:
    """The server has something to say that the user should not overlook."""

    message: str


@dataclass(frozen=True, slots=True)
class Changed:
    """The server edited the buffer, which has this text now, in UTF-8."""

    text: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended: the buffer's text, and the last figures that the server told."""

    text: bytes = field(repr=False)
    figures: ProgressParams

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before its end."""
        return self.figures.state == "stopped"


News = Asked | Warned | Changed | ProgressParams
"""`ProgressParams` are the figures, as `pollard/progress` tells them."""

Listener = Callable[[News], object]
