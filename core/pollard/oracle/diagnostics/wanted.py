"""A diagnostic that must be reported, as users write it: "TOOL:CODE MESSAGE"."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.oracle.diagnostics.protocol_diagnostics import named_code
from pollard.oracle.diagnostics.reported import (
    ReportedDiagnostic,
    first_line,
    reported_diagnostics,
)
from pollard.oracle.diagnostics.tools import (
    EDITOR,
    Tool,
    known_tools,
    tool_called,
    tool_of,
)
from pollard.oracle.signature import Signature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.oracle.verdict import Outcome

_MAX_LISTED = 5
#: The name under which diagnostics of language servers are read.
SERVER = "lsp"
_NUMBERED = re.compile(r"[a-z]*(\d+)")
# The value of the flag for a warning, in "-Wformat-overflow=" and "-Wformat-overflow=2".
_VALUE = re.compile(r"=\d*$")


@dataclass(frozen=True, slots=True)
class WantedDiagnostic:
    """A diagnostic of `tool`; an empty `code` or `message` stands for any."""

    tool: Tool
    code: str = ""
    message: str = ""

    @property
    def is_any(self) -> bool:
        """Whether any diagnostic of the tool is meant."""
        return not (self.code or self.message)

    def __str__(self) -> str:
        """Return the text that `wanted_from` reads."""
        return f"{self.tool.name}:{self.code} {self.message}".strip().removesuffix(":")

    @property
    def flags(self) -> tuple[str, ...]:
        """The flag of a compiler without which it does not report this; empty if there is none."""
        has_flag = self.tool.flags and self.code.startswith("-W") and "," not in self.code
        return (_VALUE.sub("", self.code),) if has_flag else ()

    def found(self, outcome: Outcome) -> ReportedDiagnostic | None:
        """Return the first such diagnostic that a run reported; None if there is none."""
        reported = reported_diagnostics(self.tool, outcome) or ()
        return next(filter(self._matches, reported), None)

    def is_missing(self, outcome: Outcome) -> bool:
        """Return whether the tool did its work, and did not report such a diagnostic."""
        return reported_diagnostics(self.tool, outcome) is not None and self.found(outcome) is None

    def instead(self, outcome: Outcome) -> WantedDiagnostic | None:
        """Return what a run reported first; None if it reported nothing, or this one too."""
        reported = reported_diagnostics(self.tool, outcome)
        if not reported or self.found(outcome) is not None:
            return None
        return replace(self, code=reported[0].code, message=reported[0].message)

    def signature(self, outcome: Outcome) -> Signature | None:
        """Return the diagnostic as the failure of a run; None if it was not reported."""
        found = self.found(outcome)
        if found is None:
            return None
        name = self.tool.name
        return Signature(
            kind=f"{name} {found.code}" if found.code else f"{name}: {found.message}",
            message=found.message,
            where=f"line {found.line}" if found.line else "",
        )

    def seen(self, outcome: Outcome) -> str:
        """Say what a run reported, for a sentence that begins with "it"."""
        reported = reported_diagnostics(self.tool, outcome)
        if reported is None:
            return "printed no diagnostics that Pollard can read"
        if self.found(outcome) is not None:
            return "did"
        if not reported:
            return "reported nothing"
        return f"reported {listed(distinct(reported))}"

    def _matches(self, reported: ReportedDiagnostic) -> bool:
        if self.message and self.message.lower() != reported.message.lower():
            return False  # some editors show a capital where the command prints a small letter
        return not self.code or any(_same(self.code, code) for code in reported.codes)


@functools.lru_cache(maxsize=64)
def wanted_from(text: str) -> WantedDiagnostic:
    """Read "TOOL", "TOOL:CODE" or "TOOL:CODE MESSAGE"; of a language server, "CODE" or "CODE MESSAGE".

    Raises `OracleError` for an unknown tool.
    """
    head, _, message = text.strip().partition(" ")
    name, colon, code = head.partition(":")
    if not colon and name.lower() not in known_tools():
        return WantedDiagnostic(known_tools()[SERVER], name, first_line(message))
    return WantedDiagnostic(tool_called(name), code, first_line(message))


def is_of_server(text: str) -> bool:
    """Return whether a diagnostic is one of a language server."""
    return wanted_from(text).tool.name == SERVER


def is_of_editor(text: str) -> bool:
    """Return whether a diagnostic is one that an editor is asked for."""
    return text.startswith(f"{EDITOR}:")


def no_tool(text: str) -> str:
    """Return a sentence about a diagnostic that names no known tool, where no server is asked."""
    names = ", ".join(name for name in known_tools() if name not in (SERVER, EDITOR))
    return (
        f"The diagnostic {text!r} names no tool that Pollard knows: write TOOL:CODE, with one of "
        f"{names}; "
        'or name a language server (--lsp COMMAND, or kind = "lsp").'
    )


def only_in_editors(text: str) -> str:
    """Return a sentence about a diagnostic of an editor, where no editor can be asked."""
    return (
        f"The diagnostic {text!r} is one that only an editor knows, which cannot be asked here; name "
        "the tool that reports it, or its language server (--lsp COMMAND)."
    )


def of_server(text: str) -> str:
    """Return a diagnostic as one of a language server, whatever tool it names."""
    return str(replace(wanted_from(text), tool=known_tools()[SERVER]))


def wanted_like(source: str, code: str, message: str) -> WantedDiagnostic | None:
    """Return what to ask for so that a diagnostic in an editor is meant; None for unknown sources.

    `source`, `code` and `message` are those of the Language Server Protocol; "" for none.
    """
    tool = tool_of(source)
    if tool is None or not tool.command:
        return None
    if source.strip().lower() in tool.rules:
        code = source.strip().lower()
    elif not (tool.own_codes or code.startswith("-W")):
        code = ""
    shown = tool.added.sub("", message) if tool.added else message
    return WantedDiagnostic(tool, "".join(code.split()), first_line(shown))


def wanted_of_editor(source: str, code: str, message: str) -> WantedDiagnostic:
    """Return what to ask an editor for so that a diagnostic is meant that it shows.

    `source`, `code` and `message` are those of the Language Server Protocol; "" for none.
    """
    return WantedDiagnostic(known_tools()[EDITOR], named_code(source, code), first_line(message))


def text_for_server(oracle: str, code: str, message: str) -> str:
    """Return what to ask the language server of an oracle for: "NAME:CODE MESSAGE"."""
    return f"{oracle}:{''.join(code.split())} {first_line(message)}".strip()


def name_of(wanted: Sequence[WantedDiagnostic]) -> str:
    """Return the name of an oracle that asks for these by their tool's usual command."""
    return " and ".join(map(str, wanted))


def distinct(reported: tuple[ReportedDiagnostic, ...]) -> list[str]:
    """Return the texts of the diagnostics, each of them once, in order."""
    return list(dict.fromkeys(map(str, reported)))


def listed(texts: list[str]) -> str:
    """Return at most five texts and the number of the others."""
    more = len(texts) - _MAX_LISTED
    return "; ".join(texts[:_MAX_LISTED]) + (f"; and {more} more" if more > 0 else "")


def _same(wanted_code: str, code: str) -> bool:
    """Return whether two codes mean the same: "2304" and "TS2304", "E0602:name" and "E0602".

    The value of a flag does not matter: "-Wformat-overflow" and "-Wformat-overflow=".
    """
    ours, theirs = (_VALUE.sub("", each.lower()) for each in (wanted_code, code))
    if ours == theirs or theirs in ours.split(":"):
        return True
    numbers = [_NUMBERED.fullmatch(each) for each in (ours, theirs)]
    one_has_letters = ours.isdecimal() != theirs.isdecimal()
    return one_has_letters and all(numbers) and numbers[0][1] == numbers[1][1]  # type: ignore[index]
