"""Diagnostics as the Language Server Protocol has them, and who can report them without a command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Diagnoser(Protocol):
    """A front end, such as an editor, that can say what its own tools report about a text."""

    @property
    def name(self) -> str:
        """Its name for people."""

    @property
    def fingerprint(self) -> str | None:
        """A text that changes when it may report something else; None if nothing tells."""

    def diagnose(
        self, text: bytes, *, wait_seconds: float, is_cancelled: Callable[[], bool]
    ) -> list[dict[str, Any]] | None:
        """Return the diagnostics of the protocol; None if the front end does not answer.

        Diagnostics count that come within `wait_seconds`. Blocks. Raises `Cancelled`, and `OracleError`
        with the front end's reason if it cannot tell.
        """


def as_lines(items: Sequence[dict[str, Any]]) -> bytes:
    """Return diagnostics of the protocol as lines of JSON, with lines from 1."""
    found: list[dict[str, Any]] = [
        {
            "source": item.get("source"),
            "code": item.get("code"),
            "message": item.get("message"),
            "severity": item.get("severity"),
            "line": _line(item),
        }
        for item in items
    ]
    found.sort(key=lambda each: each["line"])  # some servers report in any order
    lines = (json.dumps(each, ensure_ascii=False) for each in found)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _line(item: dict[str, Any]) -> int:
    """Return the line that a diagnostic begins in, from 1; that is 1 if it has no range."""
    try:
        return int(item["range"]["start"]["line"]) + 1
    except (KeyError, TypeError, ValueError):
        return 1


def named_code(source: str, code: str) -> str:
    """Return a diagnostic's source and code as one word, as editors show them: "cSpell(word)"."""
    return "".join((f"{source}({code})" if code else source).split())
