"""The question whether an oracle may run, in words that leave nothing out."""

from __future__ import annotations

import json
import shlex
from dataclasses import fields
from typing import TYPE_CHECKING

from pollard_server.trust.visible import visible, visible_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.oracle import Oracle
    from pollard.oracle.criteria import Criteria

ONCE = "Run once"
ALWAYS = "Always in this workspace"
NO = "No"
TITLES = (ONCE, ALWAYS, NO)
# Visual Studio Code shows no more characters of a message than this.
_SHORT = 1000


def question(oracle: Oracle, source: str, document: str, *, trial: bool = False) -> str:
    """Return the question about `oracle`, defined in `source`, which is to run for `document`.

    A `trial` is run to see what it does, before anybody knows when it is interesting. Every text is
    shown whole and with its invisible characters made visible.
    """
    text = "\n".join(_lines(oracle, source, document, trial=trial))
    if len(text) <= _SHORT:
        return text
    warning = f"This question has {len(text)} characters; the log has it whole if it is cut here."
    return f"{warning}\n{text}"


def _lines(oracle: Oracle, source: str, document: str, *, trial: bool) -> Iterator[str]:
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
    if oracle.stdin:
        yield "It reads the text on standard input."
    if oracle.files:
        yield f"Copied beside the text: {', '.join(visible(str(file)) for file in oracle.files)}"
    if not trial:
        yield f"A run is interesting if {_conditions(oracle.criteria)}."
    if oracle.invalid is not None:
        yield f"A run is invalid if {_conditions(oracle.invalid)}."


def _command(command: tuple[str, ...] | str) -> Iterator[str]:
    if isinstance(command, str):
        yield "Given to the shell (/bin/sh -c):"
        yield visible_lines(command)
    else:
        yield visible_lines(shlex.join(command))


def _conditions(criteria: Criteria) -> str:
    """Name the criteria by their keys in a settings file."""
    if criteria.empty:
        return "exit_code = 0"
    values = ((key.name, getattr(criteria, key.name)) for key in fields(criteria))
    given = [(name, value) for name, value in values if value not in ((), None)]
    return visible(" and ".join(f"{name} = {_value(value)}" for name, value in given))


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
