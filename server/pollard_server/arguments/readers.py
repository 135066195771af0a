"""Readers of single arguments: each takes what JSON gave and returns the typed value.

A reader raises `ValueError` with a text that follows the key's name: "must be ..., not ...".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NoReturn, TypeGuard

from lsprotocol import types as lsp

_LARGEST = 2**31 - 1
_LONGEST = 40


def kind(value: object) -> str:
    """Return what a value is, in one short line."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return f"the number {value}" if abs(value) <= 2**53 else "a number that large"
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    return "an object" if isinstance(value, Mapping) else "a list"


def quoted(text: str) -> str:
    """Return a text in quotes, in one line, cut if it is long; half characters are replaced."""
    short = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return json.dumps(short, ensure_ascii=False).encode("utf-8", "replace").decode()


def text(value: object) -> str:
    """Read a text that is not empty."""
    if isinstance(value, str) and value.strip():
        return value
    return _refuse("a text that is not empty", value)


def flag(value: object) -> bool:
    """Read true or false."""
    return value if isinstance(value, bool) else _refuse("true or false", value)


def whole(value: object) -> int:
    """Read a whole number from 0 to the largest that LSP knows."""
    if _is_whole(value):
        return value
    return _refuse(f"a whole number from 0 to {_LARGEST}", value)


def positive(value: object) -> int:
    """Read a whole number from 1 to the largest that LSP knows."""
    if _is_whole(value) and value > 0:
        return value
    return _refuse(f"a whole number from 1 to {_LARGEST}", value)


def table(value: object) -> Mapping[str, object]:
    """Read an object that is not empty."""
    if isinstance(value, Mapping) and value:
        return value
    return _refuse("an object that is not empty", value)


def strategy(value: object) -> str | tuple[str, ...]:
    """Read a preset's name or a list of passes."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, (list, tuple)) and value:
        if all(isinstance(item, str) and item.strip() for item in value):
            return tuple(value)
        _refuse("a preset's name or a list of passes, all of them texts", value)
    return _refuse("a preset's name or a list of passes", value)


def range_(value: object) -> lsp.Range:
    """Read a range as LSP writes it; its ends may be in either order."""
    if isinstance(value, Mapping) and value.keys() == {"start", "end"}:
        start, end = _position(value["start"]), _position(value["end"])
        if start and end:
            return lsp.Range(start=start, end=end)
        message = (
            "must have a start and an end of the form {line, character}, both whole numbers from 0 "
            f"to {_LARGEST}"
        )
        raise ValueError(message)
    return _refuse("a range {start, end}", value)


def _position(value: object) -> lsp.Position | None:
    if isinstance(value, Mapping) and value.keys() == {"line", "character"}:
        line, character = value["line"], value["character"]
        if _is_whole(line) and _is_whole(character):
            return lsp.Position(line=line, character=character)
    return None


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _LARGEST


def _refuse(wanted: str, value: object) -> NoReturn:
    message = f"must be {wanted}, not {kind(value)}"
    raise ValueError(message)
