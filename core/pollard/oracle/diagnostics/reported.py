"""The diagnostics in what a tool printed."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pollard.oracle.diagnostics.tools import known_tools
from pollard.oracle.variable_parts import COLOUR, generalised

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.oracle.diagnostics.tools import Tool
    from pollard.oracle.verdict import Outcome

_JSON_STARTS = re.compile(r"^[\[{]", re.MULTILINE)
_LINE_IN_PLACE = re.compile(r":(\d+):\d+$")


@dataclass(frozen=True, slots=True)
class ReportedDiagnostic:
    """One diagnostic of a tool.

    - `codes`: its code, and other names of it; empty if it has none
    - `message`: the first line of its message, generalised (see `variable_parts`)
    - `line`: its line, from 1; None if the tool does not tell
    """

    codes: tuple[str, ...]
    message: str
    line: int | None = None

    @property
    def code(self) -> str:
        """Its first code; "" if it has none."""
        return self.codes[0] if self.codes else ""

    def __str__(self) -> str:
        """Describe it as `WantedDiagnostic` is written, without the tool: "F821 Undefined name …"."""
        return f"{self.code} {self.message}".strip()


def first_line(message: str) -> str:
    """Return the first line of a message, generalised."""
    lines = COLOUR.sub("", message).strip().splitlines()
    return generalised(lines[0]) if lines else ""


def reported_diagnostics(tool: Tool, outcome: Outcome) -> tuple[ReportedDiagnostic, ...] | None:
    """Return the diagnostics that a run reported, in order.

    None if the tool did not do its work: it crashed, was stopped, or printed something else.
    """
    if outcome.timed_out or outcome.memory_exceeded or outcome.exit_code not in tool.exit_codes:
        return None
    streams = ("stdout", "stderr") if tool.stream == "both" else (tool.stream,)
    return _read(tool.name, b"\n".join(getattr(outcome, name) for name in streams))


@functools.lru_cache(maxsize=8)  # criteria and signature read the same output
def _read(name: str, printed: bytes) -> tuple[ReportedDiagnostic, ...] | None:
    tool, text = known_tools()[name], printed.decode("utf-8", "replace")
    if tool.pattern is not None:
        return tuple(_in_lines(tool.pattern, text))
    try:
        tables = list(_tables(tool, _documents(tool, text)))
    except (ValueError, RecursionError):
        return None
    return tuple(_in_table(tool, table, key) for table, key in tables)


def _in_lines(pattern: re.Pattern[str], text: str) -> Iterator[ReportedDiagnostic]:
    for line in text.splitlines():
        found = pattern.fullmatch(line)
        if found is not None:
            groups = found.groupdict("")
            codes = tuple(filter(None, [groups.get("code")]))
            yield ReportedDiagnostic(codes, first_line(groups["message"]), int(groups["line"]))


def _documents(tool: Tool, text: str) -> list[Any]:
    """Return the JSON texts that were printed. Raises ValueError if there is something else."""
    if tool.format == "json-lines":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    begin = _JSON_STARTS.search(text)
    if begin is None:
        raise ValueError(text)
    return [json.JSONDecoder().raw_decode(text[begin.start() :])[0]]


def _tables(tool: Tool, documents: list[Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the table of each diagnostic, and the last key for which `*` stood."""
    path = tool.items.split(".") if tool.items else []
    for table, key in _at(documents, path, ""):
        if not isinstance(table, dict):
            raise ValueError(table)
        if not any(table.get(name) in values for name, values in tool.skip.items()):
            yield table, key


def _at(value: Any, path: list[str], key: str) -> Iterator[tuple[Any, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _at(item, path, key)
    elif not path:
        yield value, key
    elif isinstance(value, dict) and path[0] == "*":
        for name, inner in value.items():
            yield from _at(inner, path[1:], name)
    elif isinstance(value, dict) and path[0] in value:
        yield from _at(value[path[0]], path[1:], key)


def _in_table(tool: Tool, table: dict[str, Any], key: str) -> ReportedDiagnostic:
    found = (_value(table, name) for name in tool.code)
    codes = tuple(f"{tool.prefix}{code}" for code in found if code is not None)
    place = _value(table, tool.line)
    if isinstance(place, str):
        number = _LINE_IN_PLACE.search(place)
        place = int(number[1]) if number else None
    line = place + 1 - tool.first_line if isinstance(place, int) else None
    codes = codes or ((key,) if key else ())
    return ReportedDiagnostic(codes, first_line(str(_value(table, tool.message) or "")), line)


def _value(table: dict[str, Any], path: str) -> Any:
    return next((value for value, _ in _at(table, path.split("."), "")), None)
