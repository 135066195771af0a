"""What the configuration needs of the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from asyncio import TimerHandle
    from collections.abc import Callable
    from concurrent.futures import Future

    from lsprotocol import types as lsp


class ToldClient(Protocol):
    """Enough of the editor to tell it of problems."""

    encoding: lsp.PositionEncodingKind

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""

    def show(self, kind: lsp.MessageType, message: str) -> None:
        """Show the user a message."""


class ConfigurationClient(ToldClient, Protocol):
    """Enough of the editor to learn its settings from any thread."""

    can_be_asked_for_settings: bool

    def request(self, method: str, params: object) -> Future[Any]:
        """Send a request."""

    def log(self, kind: lsp.MessageType, message: str) -> None:
        """Write to the editor's log."""

    def post(self, call: Callable[..., object], *args: object) -> None:
        """Run a call on the loop, soon."""

    def later(self, seconds: float, call: Callable[[], object]) -> TimerHandle:
        """Run a call on the loop after some seconds."""
