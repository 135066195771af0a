"""Everything that the server sent to the editor, in order."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from lsprotocol import types as lsp

from tests.server.editor.answers import Question

ENDED = ("done", "stopped", "failed")


@dataclass(frozen=True)
class Report:
    """One `$/progress`; `at` is in seconds of the monotonic clock."""

    at: float
    token: int | str
    value: dict[str, Any]

    @property
    def kind(self) -> str:
        return self.value["kind"]

    @property
    def message(self) -> str:
        return self.value.get("message") or ""


@dataclass
class Seen:
    """Everything from the server, except edits."""

    messages: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    tokens: list[int | str] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    checked: list[dict[str, Any]] = field(default_factory=list)
    diagnostics: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    asked_settings: int = 0
    registered: list[str] = field(default_factory=list)
    shown: list[lsp.ShowDocumentParams] = field(default_factory=list)
    diagnosed: list[dict[str, Any]] = field(default_factory=list)
    open_diagnoses: int = 0
    most_diagnoses: int = 0

    def report(self, token: int | str, value: dict[str, Any]) -> None:
        self.reports.append(Report(time.monotonic(), token, value))

    def of(self, job: str) -> list[dict[str, Any]]:
        """Return the `pollard/progress` of a job."""
        return [state for state in self.states if state["id"] == job]

    def end(self, job: str) -> dict[str, Any] | None:
        """Return the job's last `pollard/progress` if the job has ended."""
        found = self.of(job)
        return found[-1] if found and found[-1]["state"] in ENDED else None

    @property
    def open_questions(self) -> list[Question]:
        return [question for question in self.questions if not question.answer.done()]

    @property
    def texts(self) -> str:
        """Everything that a user could have read."""
        asked = [question.message for question in self.questions]
        reported = [report.message for report in self.reports]
        told = [str(state.get("message")) for state in self.states]
        return "\n".join([*self.messages, *self.log, *asked, *reported, *told])
