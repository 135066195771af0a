"""Shrink a text that makes a program fail to the few lines that matter.

`reduce` takes a text and an *oracle*, which says whether the failure is still there, and returns the
smallest text that it finds. The oracle is a Python function, or a command with criteria (`Oracle`):

>>> import pollard
>>> crash = '{"name": "x", "items": [{"id": 1}, {"id": 2, "size": -1}]}'
>>> pollard.reduce(crash, lambda text: b"-1" in text).text
b'-1'

`start` does the same in a thread and returns a handle that can be cancelled, `reduce_async` does it
without blocking an event loop, and `check` only tries the oracle. The command line and the language
server reduce by the same code.
"""

from __future__ import annotations

import importlib
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.api import (
        Job,
        Oracle,
        OracleLike,
        check,
        languages,
        reduce,
        reduce_async,
        start,
    )
    from pollard.api.several_files import reduce_files
    from pollard.engine.statistics import PassStatistics
    from pollard.errors import Cancelled, OracleError, PollardError
    from pollard.events import (
        Counts,
        Event,
        Finished,
        Measuring,
        PassEnded,
        Progress,
        Reduced,
        Result,
        Size,
        Started,
    )
    from pollard.oracle.checking.check import Check, Health
    from pollard.oracle.checking.flakiness import Frequency
    from pollard.oracle.predicate import Predicate
    from pollard.oracle.verdict import Run, Verdict
    from pollard.project.outcome import (
        FilesReduced,
        ProjectEvent,
        ProjectFinished,
        ProjectResult,
        ProjectSize,
        ProjectStarted,
        ReducedFile,
    )
    from pollard.reduction import NotInteresting, Unstable

__version__ = "0.1.0"

__all__ = [
    "Cancelled",
    "Check",
    "Counts",
    "Event",
    "FilesReduced",
    "Finished",
    "Frequency",
    "Health",
    "Job",
    "Measuring",
    "NotInteresting",
    "Oracle",
    "OracleError",
    "OracleLike",
    "PassEnded",
    "PassStatistics",
    "PollardError",
    "Predicate",
    "Progress",
    "ProjectEvent",
    "ProjectFinished",
    "ProjectResult",
    "ProjectSize",
    "ProjectStarted",
    "Reduced",
    "ReducedFile",
    "Result",
    "Run",
    "Size",
    "Started",
    "Unstable",
    "Verdict",
    "check",
    "languages",
    "reduce",
    "reduce_async",
    "reduce_files",
    "start",
]

# Imported when first used, since loading the engine takes longer than `pollard --version` may.
_MODULES = {
    "api": "Job Oracle OracleLike check languages reduce reduce_async start",
    "api.several_files": "reduce_files",
    "engine.statistics": "PassStatistics",
    "errors": "Cancelled OracleError PollardError",
    "events": "Counts Event Finished Measuring PassEnded Progress Reduced Result Size Started",
    "oracle.checking.check": "Check Health",
    "oracle.checking.flakiness": "Frequency",
    "oracle.predicate": "Predicate",
    "oracle.verdict": "Run Verdict",
    "project.outcome": "FilesReduced ProjectEvent ProjectFinished ProjectResult ProjectSize"
    " ProjectStarted ReducedFile",
    "reduction": "NotInteresting Unstable",
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}

# Where two threads load a package and a module in it, Python may show one of them half of the
# module (https://github.com/python/cpython/issues/83065). So only one thread loads at a time.
_loading = threading.RLock()


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        message = f"module 'pollard' has no attribute {name!r}"
        raise AttributeError(message)
    with _loading:
        value = getattr(importlib.import_module(f"pollard.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
