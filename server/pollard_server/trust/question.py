"""The question whether an oracle may run, and the display of text that nobody has vetted yet.

Text from a workspace is shown so that nothing in it can hide.
"""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import fields
from typing import TYPE_CHECKING

from pollard.oracle.sandbox_policy import SandboxLevel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pollard.oracle import CommandOracle
    from pollard.oracle.criteria import Criteria
    from pollard.oracle.sandbox_policy import SandboxPolicy

ONCE = "Run once"
ALWAYS = "Always in this workspace"
NO = "No"
TITLES = (ONCE, ALWAYS, NO)
# Visual Studio Code truncates messages to this length.
_MAX_SHOWN_CHARACTERS = 1000


def question(oracle: CommandOracle, source: str, document: str, *, trial: bool = False) -> str:
    """Return the question whether `oracle`, defined in `source`, may run for `document`.

    A `trial` runs before the criteria are known. Every text is shown in full, with its invisible
    characters made visible.
    """
    text = "\n".join(_lines(oracle, source, document, trial=trial))
    if len(text) <= _MAX_SHOWN_CHARACTERS:
        return text
    warning = f"This question has {len(text)} characters; the log has it whole if it is cut here."
    return f"{warning}\n{text}"


def question_about(risk: str) -> str:
    """Return the question that follows the consent, if candidates are executed without a sandbox."""
    return f"{visible(risk)} Run it all the same?"


def _lines(oracle: CommandOracle, source: str, document: str, *, trial: bool) -> Iterator[str]:
    if trial:
        yield (
            f"May Pollard run this command on {visible(document)}, and then, many times, on versions "
            "of it?"
        )
    else:
        yield f"May Pollard run this command, many times, on versions of {visible(document)}?"
    yield from _command(oracle.command)
    if oracle.formatter:
        yield "At the end it also runs this formatter, with the result on standard input:"
        yield from _command(oracle.formatter)
    if trial:
        yield f"It was entered in {visible(source)}; you will choose what makes a run interesting."
    else:
        yield f"It is the oracle '{visible(oracle.name)}' of {visible(source)}."
    yield f"Workspace: {visible(str(oracle.workspace))}"
    yield from _staying(oracle)
    if oracle.stdin:
        yield "It reads the text on standard input."
    yield from _companions(oracle)
    if oracle.cluster is not None:
        yield (
            "It runs on other machines, which get the text: the workers of the scheduler "
            f"{visible(str(oracle.cluster))}."
        )
    yield _confinement(oracle.sandbox)
    if not trial:
        yield f"A run is interesting if {_conditions(oracle.criteria)}."
    if oracle.invalid is not None:
        yield f"A run is invalid if {_conditions(oracle.invalid)}."


def _staying(oracle: CommandOracle) -> Iterator[str]:
    """Say how a command that goes on running gets the candidates."""
    if oracle.is_server:
        yield "It is a language server: it goes on running, and gets the versions of the text as edits."
        if oracle.request is not None:
            yield f"It is asked for {visible(str(oracle.request))}."
    elif oracle.stays:
        yield "It goes on running, and gets the path of each candidate on standard input."


def _companions(oracle: CommandOracle) -> Iterator[str]:
    """Yield what a run's directory has besides the text."""
    around = oracle.surroundings
    if oracle.files:
        where = "to the same places around the text" if around else "beside the text"
        yield f"Copied {where}: {_paths(oracle.files)}"
    if oracle.reduce_files:
        yield "At the end it also runs, many times, on versions of these copies."
    if around and around.links:
        yield f"Linked around the text: {_paths(around.links)}"
    if around and around.neighbours:
        yield f"Linked around the text: all else that is around it in {_paths([around.root])}"


def _paths(paths: Iterable[Path]) -> str:
    return ", ".join(visible(str(path)) for path in paths)


def _command(command: tuple[str, ...] | str) -> Iterator[str]:
    if isinstance(command, str):
        yield "Given to the shell (/bin/sh -c):"
        yield visible_lines(command)
    else:
        yield visible_lines(shlex.join(command))


def _confinement(policy: SandboxPolicy) -> str:
    if policy.level is SandboxLevel.OFF:
        return "It runs without a sandbox: it may do whatever you may do."
    exceptions = [f"it {visible(each)}" for each in policy.exceptions()]
    besides = f", but {', '.join(exceptions)}" if exceptions else ""
    return f"It runs in a sandbox (level: {policy.level.value}){besides}."


def _conditions(criteria: Criteria) -> str:
    """Name the criteria by their keys in a settings file."""
    if criteria.empty:
        return "exit_code = 0"
    values = ((key.name, getattr(criteria, key.name)) for key in fields(criteria))
    given = [(name, value) for name, value in values if value not in ((), None)]
    return visible(" and ".join(f"{name} = {_value(value)}" for name, value in given))


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# Blank or of no width although Python calls them printable: fillers, the empty Braille pattern,
# joiners, variation selectors (Unicode's default-ignorable characters and more).
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f"
    "\U000e0100-\U000e01ef]"
)
# Long runs would push what follows out of the window.
_MANY_SPACES = re.compile(r" {21,}")
_MANY_LINES = re.compile(r"\n(?:[ ]*\n){3,}")
# Some editors turn [text](address) in a message into a link that hides the address.
_LINK = re.compile(r"\](?=\()")


def visible_lines(text: str) -> str:
    """Return `text` as indented lines, with invisible characters other than line ends as numbers."""
    counted = _MANY_LINES.sub(lambda run: f"\n<{run[0].count(chr(10)) - 1} empty lines>\n", text)
    return "\n".join(f"    {visible(line)}" for line in counted.split("\n"))


def visible(text: str) -> str:
    """Return `text` on one line, with each invisible character as its number: `<U+202E>`."""
    line = "".join(char if _is_visible(char) else f"<U+{ord(char):04X}>" for char in text)
    line = _MANY_SPACES.sub(lambda run: f"<{len(run[0])} spaces>", line)
    return _LINK.sub("<U+005D>", line)


def _is_visible(char: str) -> bool:
    return char.isprintable() and not _BLANK.match(char)
