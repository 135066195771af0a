"""Turns plain tables (from TOML or JSON) into dataclasses, or into lists of their mistakes.

Settings are read this way, and so are the arguments of the language server's commands. A field's
metadata has the reader of its value (`key_of`). cattrs walks the tables, rejects unknown keys,
calls the readers and collects all errors, which `typed` turns into `Mistake`s for the caller to
word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from cattrs import (
    BaseValidationError,
    ClassValidationError,
    Converter,
    ForbiddenExtraKeysError,
    IterableValidationError,
)
from cattrs.gen import make_dict_structure_fn, override

from pollard.settings.problems import suggestion
from pollard.settings.readers import WrongValueError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard.settings.problems import KeyPath, Origin, Problem

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong with a table.

    `path` leads to the key; it is empty if the table as a whole is wrong. `error` is a `KeyError`
    for a missing key, an `UnknownKeyError`, or any other error whose text can follow the key's name
    ("must be ..., not ...").
    """

    path: KeyPath
    error: Exception


class UnknownKeyError(ValueError):
    """A key that the table does not have; the text suggests a similar one, if there is one."""


def key_of(read: Callable[[Any], object] | None = None) -> dict[str, object]:
    """Return the metadata of a field that is a key, with the reader of its value (None: a table)."""
    return {"read": read}


def typed(cls: type[T], table: Mapping[str, Any]) -> T | list[Mistake]:
    """Return `table` as a `cls`, or all its mistakes, unknown keys last."""
    try:
        return _CONVERTER.structure(table, cls)
    except BaseValidationError as error:
        return list(_mistakes(error, ()))


def structure(cls: type[T], table: Mapping[str, Any], origin: Origin) -> T | list[Problem]:
    """Return a table of settings as a `cls`, or a problem for each of its mistakes.

    Nulls count as absent, because editors send them for unchanged settings.
    """
    read = typed(cls, without_nulls(table))
    return [_problem(mistake, origin) for mistake in read] if isinstance(read, list) else read


def without_nulls(value: Any) -> Any:
    """Return a value without the nulls in its tables."""
    if isinstance(value, Mapping):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return value


def _problem(mistake: Mistake, origin: Origin) -> Problem:
    path, error = mistake.path, mistake.error
    table = path[:-1]
    if isinstance(error, KeyError):
        return origin.problem(table, f"{origin.header(table)} needs a '{path[-1]}'")
    if isinstance(error, UnknownKeyError):
        where = f" in {origin.header(table)}" if (*origin.table, *table) else ""
        return origin.problem(path, f"unknown key '{path[-1]}'{where}{error}")
    return origin.problem(path, f"{origin.key(path)} {error}")


def _mistakes(error: Exception, path: KeyPath) -> Iterator[Mistake]:
    if isinstance(error, ClassValidationError):
        of_keys, of_table = error.group_exceptions()
        for inner, note in of_keys:
            yield from _mistakes(inner, (*path, note.name))
        for inner in of_table:
            yield from _mistakes(inner, path)
    elif isinstance(error, IterableValidationError):
        for inner, index in error.group_exceptions()[0]:
            yield from _mistakes(inner, (*path, str(index.index)))
    elif isinstance(error, ForbiddenExtraKeysError):
        known = [key.name for key in _keys(error.cl)]
        for extra in sorted(map(str, error.extra_fields)):
            yield Mistake((*path, extra), UnknownKeyError(suggestion(extra, known)))
    else:
        yield Mistake(path, error)


def _keys(cls: type[Any]) -> list[Any]:
    return [key for key in fields(cls) if "read" in key.metadata]


def _hook(cls: type[Any]) -> Callable[[object, type], Any]:
    overrides: dict[str, Any] = {key.name: override(omit=True) for key in fields(cls)}
    overrides |= {key.name: override(struct_hook=_value_hook(key)) for key in _keys(cls)}
    read_table: Any = make_dict_structure_fn(
        cls, _CONVERTER, _cattrs_forbid_extra_keys=True, **overrides
    )
    return lambda value, target: read_table(_table(value), target)


def _value_hook(key: Any) -> Callable[[object, type], Any]:
    read = key.metadata["read"]
    if read is None:
        return lambda value, target: _CONVERTER.structure(_table(value), target)
    return lambda value, _: read(value)


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise WrongValueError("a table", value)
    return value


_CONVERTER = Converter()
_CONVERTER.register_structure_hook_factory(is_dataclass, _hook)
