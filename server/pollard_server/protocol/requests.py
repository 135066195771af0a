"""The server's own requests to the client, field by field. Editor plugins depend on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

DIAGNOSE = "pollard/diagnose"
#: The key of the client's experimental capabilities; its value is true if it answers `DIAGNOSE`.
DIAGNOSE_CAPABILITY = "pollardDiagnose"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnoseParams:
    """`pollard/diagnose`: a candidate whose diagnostics the editor is asked for, one at a time."""

    uri: str
    """The document that is being reduced or checked."""
    name: str
    """The candidate's file name."""
    language_id: str
    """Its language, as the editor named it."""
    text: str
    """Its whole text. It is not that of the buffer, which stays as it is."""
    source: str
    """The source of the diagnostics that matter, without blanks; empty if they have none."""
    seconds: float
    """The longest wait for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiagnoseAnswer:
    """The client's answer to `pollard/diagnose`."""

    diagnostics: list[dict[str, Any]]
    """All diagnostics of the candidate, as in `textDocument/publishDiagnostics`; they are there once
    those of the `source` are, or the wait is over."""

    @classmethod
    def of(cls, result: Any) -> DiagnoseAnswer:
        """Read what the client sent. Raises ValueError if it is something else.

        Only what Pollard compares is kept: `source`, `code`, `message`, `severity` and the first line.
        """
        items = _part(result, "diagnostics")
        if not isinstance(items, list | tuple):
            raise ValueError("no list of diagnostics")
        return cls(diagnostics=[_diagnostic(item) for item in items])


def _diagnostic(item: Any) -> dict[str, Any]:
    kept = {name: _part(item, name) for name in ("source", "code", "severity")}
    line = _part(_part(_part(item, "range"), "start"), "line")
    start = {"line": line if isinstance(line, int) else 0}
    return {**kept, "message": str(_part(item, "message") or ""), "range": {"start": start}}


def _part(value: Any, name: str) -> Any:
    """Return a member of JSON, which is a mapping or, as pygls reads it, an object with attributes."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)
