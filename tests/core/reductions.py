"""Plans whose oracles are small shell scripts, and recorders of the reductions that carry them out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pollard.events import Event, Reduced, Result
from pollard.oracle import CommandOracle
from pollard.passes.strategy import Strategy
from pollard.reduction import Plan, Reduction
from pollard.syntax.grammars.languages import find

JSON = b"""{
  "first": [1, 2, {"deep": "needle"}],
  "second": [3, [4, 5], "needle"],
  "third": {"a": null, "b": {"c": true}}
}
"""
#: Seconds after which a test stops waiting.
PATIENCE = 30.0
#: Interesting with two needles; `$1` is the candidate.
TWO_NEEDLES = 'case $(cat "$1") in *needle*needle*) ;; *) false ;; esac'


def shell(script: str, **settings) -> CommandOracle:
    """An oracle that is a shell script with the candidate as `$1`."""
    return CommandOracle(("/bin/sh", "-c", script, "sh", "{file}"), **settings)


def logged(log: Path, script: str) -> str:
    """Return a script that logs its candidate's checksum before it does its work."""
    return f'cksum < "$1" >> {log}; {script}'


def runs_in(log: Path) -> list[str]:
    """Return the checksums of the texts on which the oracle was run."""
    return log.read_text().splitlines() if log.exists() else []


def plan(script: str = TWO_NEEDLES, text: bytes = JSON, **options) -> Plan:
    """Return a plan to reduce a JSON text, with a shell script as its oracle and one check."""
    settings = {"filename": "case.json", "grammar": find("json"), "checks": 1, **options}
    if isinstance(settings.get("strategy"), str):
        settings["strategy"] = Strategy.parse(settings["strategy"])
    oracle = settings.pop("oracle", None) or shell(script, **settings.pop("limits", {}))
    return Plan(text=text, oracle=oracle, **settings)


@dataclass
class Watched:
    """A reduction's result and all its events."""

    result: Result
    events: list[Event]

    def of(self, kind: type) -> list:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def texts(self) -> list[bytes]:
        return [event.text for event in self.of(Reduced)]


def watched(of: Plan) -> Watched:
    """Carry out a plan and keep its events."""
    events: list[Event] = []
    return Watched(Reduction(of, events.append).run(), events)


def achieved(result: Result) -> list[tuple[str, int, int, int, int]]:
    """Return the figures of each pass that depend on neither jobs nor cached verdicts."""
    return [
        (one.name, one.candidates, one.runs, one.accepted, one.bytes_saved) for one in result.passes
    ]


@dataclass
class InThread:
    """Runs a reduction in a thread of its own."""

    of: Plan
    events: list[Event] = field(default_factory=list)
    outcome: Result | BaseException | None = None
    on_event: Callable[[Event], None] = lambda _: None

    def __post_init__(self) -> None:
        self.reduction = Reduction(self.of, self._hear)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        self.on_event(event)

    def _run(self) -> None:
        try:
            self.outcome = self.reduction.run()
        except BaseException as error:
            self.outcome = error

    def ended_within(self, seconds: float) -> bool:
        """Wait for the end; return whether it came in time."""
        self._thread.join(seconds)
        return not self._thread.is_alive()
