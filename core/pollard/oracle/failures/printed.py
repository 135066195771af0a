"""Failures in what a program printed: `readers.toml` says how each kind of program writes them."""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from bisect import bisect_right
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from pollard.oracle.signature import Failure, Severity
from pollard.oracle.variable_parts import COLOUR, GENERALISATION, generalised

if TYPE_CHECKING:
    from collections.abc import Iterator

#: How a program says that nobody reads its output any more, as after `grep -q` has found its line.
#: Whether that happens is a matter of time.
READER_GONE = re.compile(r"broken ?pipe|\bEPIPE\b", re.IGNORECASE)

_EXPRESSIONS = {"line", "inside", "ends", "closing", "frame", "hidden"}
# Programs that quote the line of the text that failed put a caret below it.
_POINTER = re.compile(r"[ \t|│╵]*[~-]*\^")
# The lines around the one that is quoted, with their numbers.
_AROUND_QUOTED = re.compile(r"[ >]*\d+ *[|│]|[ \t]*[|│]")
_MAX_FRAMES = 3
_MAX_LINE_CHARACTERS = 1000
_MAX_BLOCK_LINES = 2000
_MAX_FAILURES = 2000
# How many lines there are at most from a message to what it quotes; Node has three.
_MAX_QUOTE_DISTANCE = 3


def failures_in(text: str) -> list[Failure]:
    """Return the failures that `text` tells of, in its order; their lines do not overlap.

    A line of the program that is quoted belongs to the failure next to it, within a few lines.
    """
    printed = _Printed.of(text)
    found: list[Failure] = []
    for reader in readers():
        found += [each for each in reader.failures(printed) if printed.claim(each)]
    found.sort(key=lambda failure: failure.first_line)
    for lines in printed.quoted():
        _add_quoted(found, lines)
    return found


def _add_quoted(failures: list[Failure], quoted: range) -> None:
    """Add quoted lines, and the one after them that points, to the failure next to them.

    Compilers quote below the message, and interpreters above it.
    """
    place = bisect_right(failures, quoted.start, key=lambda failure: failure.first_line)
    if place and quoted.start - failures[place - 1].last_line <= _MAX_QUOTE_DISTANCE:
        last = max(failures[place - 1].last_line, quoted.stop)
        failures[place - 1] = replace(failures[place - 1], last_line=last)
    elif place < len(failures) and failures[place].first_line - quoted.stop < _MAX_QUOTE_DISTANCE:
        failures[place] = replace(failures[place], first_line=quoted.start)


@dataclass(slots=True)
class _Printed:
    """A text and its lines; `claimed` are those that belong to a failure."""

    text: str
    lines: list[str]
    starts: list[int]
    claimed: set[int]

    @classmethod
    def of(cls, text: str) -> _Printed:
        if "\x1b" in text:
            text = COLOUR.sub("", text)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", " ")
        lines = text.split("\n")
        starts, start = [], 0
        for line in lines:
            starts.append(start)
            start += len(line) + 1
        return cls(text, lines, starts, set())

    def line(self, number: int) -> str:
        return self.lines[number][:_MAX_LINE_CHARACTERS] if number < len(self.lines) else ""

    def is_quoted(self, number: int) -> bool:
        """Return whether a line is one of the program's text, at which the line below points."""
        is_pointer, is_above_pointer = (
            _POINTER.match(self.line(each)) is not None for each in (number, number + 1)
        )
        return is_above_pointer and not is_pointer

    def quoted(self) -> Iterator[range]:
        """Yield the numbers of each quoted line and of those before it that are shown with it."""
        for pointer in self.with_any(("^",)):
            first = pointer - 1
            if first < 0 or not self.is_quoted(first):
                continue
            while first and _AROUND_QUOTED.match(self.line(first - 1)):
                first -= 1
            yield range(first, pointer)

    def with_any(self, parts: tuple[str, ...]) -> list[int]:
        """Return the numbers of the lines that contain one of `parts`, in order."""
        numbers: set[int] = set()
        for part in parts:
            position = self.text.find(part)
            while position >= 0 and len(numbers) < _MAX_FAILURES:
                number = bisect_right(self.starts, position) - 1
                numbers.add(number)
                position = self.text.find(part, self.starts[number] + len(self.lines[number]))
        return sorted(numbers)

    def claim(self, failure: Failure) -> bool:
        """Return whether no other failure covers the first or last line; then they are this one's."""
        if failure.first_line in self.claimed or failure.last_line in self.claimed:
            return False
        self.claimed.update(range(failure.first_line, failure.last_line + 1))
        return True


@dataclass(frozen=True, slots=True)
class Reader:
    """How one kind of program prints a failure; `readers.toml` explains the fields."""

    name: str
    severity: Severity
    contains: tuple[str, ...]
    line: re.Pattern[str]
    kind: str = "{kind}"
    inside: re.Pattern[str] | None = None
    ends: re.Pattern[str] | None = None
    closing: re.Pattern[str] | None = None
    frame: re.Pattern[str] | None = None
    hidden: re.Pattern[str] | None = None
    innermost: str = "first"
    principal: str = "first"

    def failures(self, printed: _Printed) -> Iterator[Failure]:
        """Yield the failures that this reader finds."""
        for number in printed.with_any(self.contains):
            if number in printed.claimed or printed.is_quoted(number):
                continue
            found = self.line.match(printed.line(number))
            if found is None:
                continue
            last = self._block_end(printed, number)
            groups = found.groupdict("")
            if self.closing is not None:
                last += 1
                closing = self.closing.match(printed.line(last))
                if closing is None:
                    continue
                groups |= closing.groupdict("")
            yield self._failure(printed, number, last, groups)

    def _block_end(self, printed: _Printed, number: int) -> int:
        if self.inside is None:
            return number
        last = number
        limit = min(number + _MAX_BLOCK_LINES, len(printed.lines) - 1)
        while last < limit and self.inside.match(printed.line(last + 1)):
            last += 1
        while self.ends is not None and last > number and not self.ends.match(printed.line(last)):
            last -= 1
        return last

    def _failure(self, printed: _Printed, first: int, last: int, groups: dict[str, str]) -> Failure:
        lines = [printed.line(each) for each in range(first + 1, last + 1)]
        frames, number = self._frames(lines, groups.get("function", ""))
        number = number or groups.get("number", "")
        message = generalised(groups.get("message", ""))
        return Failure(
            kind=self.kind.format_map({**groups, "message": message}).rstrip(": "),
            message=message,
            where=frames[0] if frames else f"line {number}" if number else "",
            frames=frames[:_MAX_FRAMES],
            severity=self.severity,
            reader=self.name,
            principal=self.principal,
            first_line=first,
            last_line=last,
        )

    def _frames(self, lines: list[str], head: str) -> tuple[tuple[str, ...], str]:
        """Return the functions of the frames, innermost first, and the innermost line's number.

        `head` is the function in which the first line says that the failure is; "" if it says none.
        """
        if self.frame is None:
            return (), ""
        found = [match.groupdict("") for line in lines if (match := self.frame.match(line))]
        if self.innermost == "last":
            found.reverse()
        names = [head, *(frame.get("function", "") for frame in found)]
        shown = [name for name in names if name and not (self.hidden and self.hidden.match(name))]
        return tuple(shown), found[0].get("number", "") if found else ""


@functools.lru_cache(maxsize=1)
def _definitions() -> str:
    return (Path(__file__).parent / "readers.toml").read_text(encoding="utf-8")


@functools.cache
def fingerprint_of_readers() -> str:
    """Return a hash of the readers, which changes when they may read another failure."""
    rules = "\0".join((_definitions(), GENERALISATION, READER_GONE.pattern))
    return hashlib.blake2b(rules.encode(), digest_size=8).hexdigest()


@functools.cache
def readers() -> tuple[Reader, ...]:
    """Return all readers, in order of precedence."""
    tables = tomllib.loads(_definitions())
    return tuple(_reader(name, _completed(table, tables)) for name, table in tables.items())


def _completed(table: dict[str, Any], tables: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a table with the keys of the one that it is `like`."""
    own = {key: value for key, value in table.items() if key != "like"}
    return {**tables.get(table.get("like", ""), {}), **own}


def _reader(name: str, table: dict[str, Any]) -> Reader:
    values: dict[str, Any] = {
        key: re.compile(value) if key in _EXPRESSIONS else value for key, value in table.items()
    }
    severity = Severity[table["severity"].upper()]
    return Reader(name, **{**values, "severity": severity, "contains": tuple(table["contains"])})
