"""What every job needs of the server."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.oracle.shares import Shares
    from pollard_server.client import Client
    from pollard_server.configuration import Configuration
    from pollard_server.trust import Trust

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of the server that jobs share; `roots` are the workspace's folders."""

    client: Client
    configuration: Configuration
    trust: Trust
    shares: Shares
    roots: Callable[[], list[Path]]

    def on_loop(self, call: Callable[[], T]) -> Future[T]:
        """Let the loop's thread make a call; the future has what it returns or raises."""
        future: Future[T] = Future()
        self.client.post(_answer, call, future)
        if self.client.closed:
            future.cancel()
        return future


def _answer(call: Callable[[], T], future: Future[T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(call())
    except BaseException as error:
        future.set_exception(error)  # raised again in the thread that waits
