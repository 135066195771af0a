"""What is started here can be interrupted, however the tests were."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

# Those that a shell lets what it starts in the background ignore, and `nohup`.
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]


@pytest.fixture(scope="package", autouse=True)
def ignoring_nothing() -> Iterator[None]:
    """Handle signals that would be ignored: what is ignored here, what is started here ignores too."""
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number in [number for number, was in before.items() if was == signal.SIG_IGN]:
        signal.signal(number, lambda *_: None)
    yield
    for number, was in before.items():
        signal.signal(number, was)
