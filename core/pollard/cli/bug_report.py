"""A bug report in Markdown: the result, the command that shows the failure, and the versions."""

from __future__ import annotations

import platform
import re
import shlex
from typing import TYPE_CHECKING

from pollard import __version__
from pollard.oracle import CommandOracle
from pollard.quantities import format_duration, format_size

if TYPE_CHECKING:
    from pollard.events import Result
    from pollard.plan import Plan

# Longer results do not belong into an issue tracker's text field.
_MAX_SHOWN_BYTES = 50_000


def markdown(plan: Plan, result: Result, language: str | None) -> str:
    """Return the report of a reduction; `language` is the name of its grammar, if there is one."""
    failure = str(result.failure or result.original_failure or "")
    parts = [
        f"The file below, `{plan.filename}`, shows the failure. Save it and run:",
        _fenced(_command(plan), "sh"),
        *(["The failure:", _fenced(failure)] if failure else []),
        _shown(plan, result, language),
        "## Versions",
        f"- {platform.platform()}\n- Python {platform.python_version()}\n- Pollard {__version__}",
        _cost(result),
    ]
    return "\n\n".join(parts) + "\n"


def _cost(result: Result) -> str:
    before, after = map(format_size, (result.original.bytes, result.reduced.bytes))
    runs, seconds = result.counts.runs, format_duration(result.counts.seconds)
    return f"Reduced by Pollard from {before} to {after} in {runs} runs ({seconds})."


def _command(plan: Plan) -> str:
    """Return the oracle's command as a line for the shell, with the file's name in it."""
    assert isinstance(plan.oracle, CommandOracle)  # the command line has no others
    command = plan.oracle.command
    line = command if isinstance(command, str) else shlex.join(command)
    name = shlex.quote(plan.filename)
    quoted = shlex.quote("{file}")
    if "{file}" not in line:
        return f"{line} < {name}" if plan.oracle.stdin else f"{line} {name}"
    return line.replace(quoted, name).replace("{file}", name)


def _shown(plan: Plan, result: Result, language: str | None) -> str:
    """Return the text of the result, or a sentence if it is too long or not text."""
    text = plan.chosen_encoding().decoded(result.text)
    if len(text) > _MAX_SHOWN_BYTES:
        return f"The file has {format_size(len(result.text))}; it is attached."
    return _fenced(text.decode("utf-8", "backslashreplace"), language or "")


def _fenced(text: str, language: str = "") -> str:
    """Return a code block whose fence is longer than any row of backticks in the text."""
    longest = max((len(row) for row in re.findall("`+", text)), default=0)
    fence = "`" * max(longest + 1, 3)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
