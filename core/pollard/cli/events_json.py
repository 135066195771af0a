"""Events as JSON, one object a line on standard output, for programs that watch."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from pollard.cli.report import stats
from pollard.events import Finished, Progress, Reduced, Started

if TYPE_CHECKING:
    from pollard.events import Event

_PERIOD = 0.1


class EventWriter:
    """Writes each event as it happens; of progress, which comes with every run, ten a second.

    A text is never written: it is in the file named `output` when its event is.
    """

    def __init__(self, file: str, output: str) -> None:
        self._file = file
        self._output = output
        self._language: str | None = None
        self._last = 0.0

    def tell(self, event: Event) -> None:
        """Write an event; raises BrokenPipeError if nobody reads."""
        if isinstance(event, Started):
            self._language = event.language
            self._write("started", file=self._file, output=self._output, **asdict(event))
        elif isinstance(event, Progress) and time.monotonic() - self._last >= _PERIOD:
            self._last = time.monotonic()
            self._write("progress", **asdict(event), rate=round(event.rate, 3))
        elif isinstance(event, Reduced):
            self._write(
                "reduced",
                number=event.number,
                bytes=len(event.text),
                where=event.where,
                counts=asdict(event.counts),
                output=self._output,
            )
        elif isinstance(event, Finished):
            outcome = stats(event.result, self._language)
            self._write("finished", output=self._output, **outcome)

    def _write(self, name: str, **fields: Any) -> None:
        sys.stdout.write(json.dumps({"event": name, **fields}) + "\n")
        sys.stdout.flush()
