"""Adds an oracle to the text of a settings file, and leaves everything else in it unchanged."""

from __future__ import annotations

import itertools
import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, String, StringType, Table, Trivia

from pollard.settings.problems import Problem, SettingsError
from pollard.settings.settings import Settings
from pollard.settings.settings_file import OWN_FILE, SHARED_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, MutableMapping
    from pathlib import Path

_PROGRAM_NAME = re.compile(r"[A-Za-z_][^=]*")
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
_LITERAL_TEXT = re.compile(r"[^'\x00-\x1f\x7f]*")
_LITERAL_LINES = re.compile(
    r"(?!.*'{3})(?=.*\n)[^\x00-\x08\x0b-\x1f\x7f]*[^\x00-\x1f\x7f']\n?", re.DOTALL
)
_WRAPPER_PROGRAMS = frozenset({"env", "exec", "timeout", "nice", "sh", "bash", "cmd", "time"})


def with_oracle(file: Path, text: str, name: str, definition: Mapping[str, Any]) -> str:
    """Return `text`, the content of the settings file `file`, with the table of an oracle.

    An oracle of the same name is replaced; a new one comes last. Raises `SettingsError` if the
    definition or the text cannot be used.
    """
    Settings.from_mapping({"oracles": {name: dict(definition)}}, "the new oracle")
    try:
        wanted = _read(text)
        oracles = _table(_own_table(file, wanted), "oracles")
        edits = (_replaced,) if name in oracles else (_appended, _replaced)
        oracles[name] = _oracle(definition, is_inline=True).unwrap()
        for edit in edits:
            edited = edit(file, text, name, definition)
            if _holds(edited, wanted):
                return edited
    except (TOMLKitError, TypeError) as error:
        reason = f"an oracle cannot be put in: {error}"
        raise SettingsError([Problem(str(file), None, reason)]) from error
    # `oracles.a.command = "x"` can be replaced by a table only if no other key follows it.
    reason = f"the oracle {name} cannot be replaced; first give it a header [...] of its own"
    raise SettingsError([Problem(str(file), None, reason)])


def _appended(file: Path, text: str, name: str, definition: Mapping[str, Any]) -> str:
    """Return `text` with the new oracle behind it, so that nothing comes between other lines."""
    document = tomlkit.document()
    _table(_own_table(file, document), "oracles")[name] = _oracle(definition, is_inline=False)
    before = f"{text.rstrip()}{2 * _line_end(text)}" if text.strip() else ""
    return before + f"{tomlkit.dumps(document).strip()}\n".replace("\n", _line_end(text))


def _replaced(file: Path, text: str, name: str, definition: Mapping[str, Any]) -> str:
    """Return `text` with the oracle in the place of the one of that name, or among the others."""
    document = tomlkit.parse(text.replace("\r\n", "\n"))
    oracles = _table(_own_table(file, document), "oracles")
    table = _oracle(definition, is_inline=isinstance(oracles, InlineTable))
    kept = _comments_at_end(oracles.get(name))
    if isinstance(table, Table):
        for each in kept or [tomlkit.nl()]:
            table.add(each)
    oracles[name] = table
    if kept and isinstance(table, Table):
        del table.value.body[len(table) + len(kept) :]  # an empty line that tomlkit adds
    return f"{tomlkit.dumps(document).rstrip()}\n".replace("\n", _line_end(text))


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _holds(text: str, wanted: Mapping[str, Any]) -> bool:
    try:
        return _read(text) == wanted
    except TOMLKitError:
        return False


def _read(text: str) -> dict[str, Any]:
    """Return the values in a text, as `tomllib` reads it. Raises TOMLKitError."""
    values: dict[str, Any] = tomlkit.parse(text.replace("\r\n", "\n")).unwrap()
    return values


def _comments_at_end(table: Any) -> list[Any]:
    """Return the comments and empty lines at the end of a table, which are about what follows it."""
    body = table.value.body if isinstance(table, Table) else []
    if body and isinstance(body[-1][1], Table):
        return _comments_at_end(body[-1][1])
    end = itertools.takewhile(lambda each: each[0] is None, reversed(body))
    return [item for _, item in end][::-1]


def name_for(command: str | tuple[str, ...], taken: Iterable[str]) -> str:
    """Return a new name for the oracle of a command: its program's, with -2 and so on if `taken`."""
    words = command.split() if isinstance(command, str) else list(command)
    programs = [PurePath(word.strip("\"'").replace("\\", "/")).stem for word in words]
    real_programs = [
        word for word in programs if _PROGRAM_NAME.fullmatch(word) and word not in _WRAPPER_PROGRAMS
    ]
    name = _NOT_IN_NAMES.sub("-", (real_programs or programs or [""])[0]).strip("-") or "oracle"
    names = set(taken)
    numbered = (name, *(f"{name}-{number}" for number in range(2, len(names) + 3)))
    return next(each for each in numbered if each not in names)


def own_file(folder: Path) -> Path:
    """Return the settings file to create in a workspace that has none."""
    return folder / OWN_FILE


def _own_table(file: Path, document: Any) -> MutableMapping[str, Any]:
    if file.name != SHARED_FILE:
        table: MutableMapping[str, Any] = document
        return table
    return _table(_table(document, "tool"), "pollard")


def _table(parent: MutableMapping[str, Any], key: str) -> MutableMapping[str, Any]:
    """Return a table in `parent`; a missing one is added, without a header of its own."""
    if key not in parent:
        parent[key] = tomlkit.table(is_super_table=True)
    found = parent[key]
    if not hasattr(found, "items"):
        message = f"'{key}' is not a table"
        raise TypeError(message)
    table: MutableMapping[str, Any] = found
    return table


def _oracle(definition: Mapping[str, Any], *, is_inline: bool) -> Table | InlineTable:
    table = tomlkit.inline_table() if is_inline else tomlkit.table()
    for key, value in definition.items():
        if value is not None:
            table.add(key, _value(value))
    return table


def _value(value: Any) -> Any:
    """Return a value for TOML: a literal string for a text with quotes or backslashes.

    In a literal string the backslashes of regular expressions need no escaping. A text of several
    lines is one of several lines in the file, too.
    """
    if isinstance(value, str) and _LITERAL_LINES.fullmatch(value):
        return String(StringType.MLL, value, f"\n{value}", Trivia())
    if isinstance(value, str):
        is_plain = '"' not in value and "\\" not in value
        return tomlkit.string(value, literal=not is_plain and bool(_LITERAL_TEXT.fullmatch(value)))
    if isinstance(value, (list, tuple)):
        array = tomlkit.array()
        array.extend([_value(item) for item in value])
        return array
    return value
