"""Tells the user what is wrong with settings: diagnostics for files, messages for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pollard.settings import Problem

_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class ToldClient(Protocol):
    """Enough of the editor to tell it of problems."""

    encoding: lsp.PositionEncodingKind

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""

    def show(self, kind: lsp.MessageType, message: str) -> None:
        """Show the user a message."""


class Diagnostics:
    """Publishes the problems of settings files, each file's all at once; loop thread only."""

    def __init__(self, client: ToldClient) -> None:
        self._client = client
        self._published: set[Path] = set()

    def publish(self, file: Path, problems: Sequence[Problem], text: str) -> None:
        """Put the problems of a file, whose text is `text`, in the place of those before.

        A message goes with them when the file had none.
        """
        if not problems:
            self.clear(file)
            return
        lines = text.split("\n")
        self._send(file, [self._diagnostic(problem, lines) for problem in problems])
        if file not in self._published:
            self._client.show(lsp.MessageType.Error, _summary(file, problems))
        self._published.add(file)

    def clear(self, file: Path) -> None:
        """Take back what was published for a file."""
        if file in self._published:
            self._published.remove(file)
            self._send(file, [])

    def _send(self, file: Path, diagnostics: list[lsp.Diagnostic]) -> None:
        params = lsp.PublishDiagnosticsParams(uri=file.as_uri(), diagnostics=diagnostics)
        self._client.notify(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _diagnostic(self, problem: Problem, lines: Sequence[str]) -> lsp.Diagnostic:
        number = (problem.line or 1) - 1
        line = lines[number].rstrip("\r") if problem.line and number < len(lines) else ""
        indent = len(line) - len(line.lstrip())
        return lsp.Diagnostic(
            range=lsp.Range(
                start=lsp.Position(line=number, character=self._width(line[:indent])),
                end=lsp.Position(line=number, character=self._width(line)),
            ),
            message=problem.message,
            severity=lsp.DiagnosticSeverity.Error,
            source="pollard",
        )

    def _width(self, text: str) -> int:
        codec, size = _UNITS[self._client.encoding.value]
        return len(text.encode(codec)) // size


class Messages:
    """Shows each distinct problem once, until no document has it any more; loop thread only."""

    def __init__(self, client: ToldClient) -> None:
        self._client = client
        self._current: dict[str, set[str]] = {}

    def report(self, uri: str, problems: Sequence[Problem]) -> None:
        """Take note of all problems that the settings of a document have now."""
        told = {text for texts in self._current.values() for text in texts}
        texts = list(dict.fromkeys(f"Pollard: {problem}" for problem in problems))
        self._current[uri] = set(texts)
        for text in texts:
            if text not in told:
                self._client.show(lsp.MessageType.Error, text)

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._current.pop(uri, None)


def _summary(file: Path, problems: Sequence[Problem]) -> str:
    first = problems[0]
    line = "" if first.line is None else f"line {first.line}: "
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return f"Pollard: {count} in {file}: {line}{first.message}"
