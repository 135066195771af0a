"""Tells the user about mistakes in settings: diagnostics for files, messages for the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lsprotocol import types as lsp

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pollard.settings import Problem

#: The source of Pollard's own diagnostics.
OWN_SOURCE = "pollard"

_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class MessageClient(Protocol):
    """The part of the client that reporting problems needs."""

    encoding: lsp.PositionEncodingKind

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""

    def show(self, kind: lsp.MessageType, message: str) -> None:
        """Show the user a message."""


class Diagnostics:
    """Publishes the problems of settings files, file by file; used in the loop's thread."""

    def __init__(self, client: MessageClient) -> None:
        self._client = client
        self._published: set[Path] = set()

    def publish(self, file: Path, problems: Sequence[Problem], text: str) -> None:
        """Replace the published problems of a file, whose content is `text`.

        A message is shown, too, if the file had no problems before.
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
        """Clear the diagnostics of a file."""
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
            source=OWN_SOURCE,
        )

    def _width(self, text: str) -> int:
        codec, size = _UNITS[self._client.encoding.value]
        return len(text.encode(codec)) // size


class Messages:
    """Shows each problem once, as long as any document has it; used in the loop's thread."""

    def __init__(self, client: MessageClient) -> None:
        self._client = client
        self._current: dict[str, set[str]] = {}

    def report(self, uri: str, problems: Sequence[Problem]) -> None:
        """Show the present problems of a document's settings, except those that are already shown."""
        shown = {text for texts in self._current.values() for text in texts}
        texts = list(dict.fromkeys(f"Pollard: {problem}" for problem in problems))
        self._current[uri] = set(texts)
        for text in texts:
            if text not in shown:
                self._client.show(lsp.MessageType.Error, text)

    def forget(self, uri: str) -> None:
        """Forget a document that was closed."""
        self._current.pop(uri, None)


def _summary(file: Path, problems: Sequence[Problem]) -> str:
    first = problems[0]
    line = "" if first.line is None else f"line {first.line}: "
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return f"Pollard: {count} in {file}: {line}{first.message}"
