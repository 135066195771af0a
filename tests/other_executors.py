"""Reductions whose runs are carried out by something else than what their oracle asks for."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from unittest import mock

from pollard.oracle import Executor
from pollard.reduction import reduction


@contextlib.contextmanager
def executors_from(opened: Callable[..., Executor]) -> Iterator[None]:
    """Let reductions in this context call `opened` in the place of `open_executor`."""
    with mock.patch.object(reduction, "open_executor", opened):
        yield
