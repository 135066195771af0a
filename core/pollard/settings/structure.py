"""Turns plain tables into the typed settings, and everything wrong with them into problems.

cattrs walks the tables (unknown keys forbidden, all errors collected) and calls
each field's reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from cattrs import (
    BaseValidationError,
    ClassValidationError,
    Converter,
    ForbiddenExtraKeysError,
    IterableValidationError,
)
from cattrs.gen import make_dict_structure_fn, override

from pollard.settings.problems import nearest
from pollard.settings.readers import kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard.settings.problems import KeyPath, Origin, Problem

T = TypeVar("T")


def structure(cls: type[T], table: Mapping[str, Any], origin: Origin) -> T | list[Problem]:
    """Return `table` as a `cls`, or everything that is wrong with it."""
    try:
        return _CONVERTER.structure(_without_nulls(table), cls)
    except BaseValidationError as error:
        return list(_problems(error, (), origin))


def _hook(cls: type[Any]) -> Callable[[object, type], Any]:
    overrides: dict[str, Any] = {}
    for key in fields(cls):
        read = key.metadata.get("read")
        if "doc" not in key.metadata:
            overrides[key.name] = override(omit=True)
        else:
            overrides[key.name] = override(struct_hook=_value_hook(read) if read else _inner_hook)
    read_table = make_dict_structure_fn(
        cls, _CONVERTER, _cattrs_forbid_extra_keys=True, **overrides
    )

    return lambda value, target: read_table(_table(value), target)


def _value_hook(read: Callable[[object], object]) -> Callable[[object, type], object]:
    return lambda value, _: read(value)


def _inner_hook(value: object, target: type) -> Any:
    return _CONVERTER.structure(_table(value), target)


def _table(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        message = f"must be a table, not {kind(value)}"
        raise ValueError(message)
    return value


_CONVERTER = Converter()
_CONVERTER.register_structure_hook_factory(is_dataclass, _hook)


def _problems(error: Exception, path: KeyPath, origin: Origin) -> Iterator[Problem]:
    if isinstance(error, ClassValidationError):
        for inner, note in _flat(error):
            yield from _problems(inner, (*path, note) if note else path, origin)
    elif isinstance(error, IterableValidationError):
        for inner, index in error.group_exceptions()[0]:
            yield from _problems(inner, (*path, str(index.index)), origin)
    elif isinstance(error, ForbiddenExtraKeysError):
        for extra in sorted(error.extra_fields):
            yield origin.problem((*path, extra), _unknown(error.cl, (*path, extra), origin))
    elif isinstance(error, KeyError):
        yield origin.problem(path[:-1], f"{origin.header(path[:-1])} needs a '{path[-1]}'")
    else:
        yield origin.problem(path, f"{origin.key(path)} {error}")


def _flat(error: ClassValidationError) -> Iterator[tuple[Exception, str]]:
    noted, bare = error.group_exceptions()
    yield from ((inner, note.name) for inner, note in noted)
    yield from ((inner, "") for inner in bare)


def _unknown(cls: type[Any], path: KeyPath, origin: Origin) -> str:
    keys = [key.name for key in fields(cls) if "doc" in key.metadata]
    where = f" in {origin.header(path[:-1])}" if (*origin.table, *path[:-1]) else ""
    return f"unknown key '{path[-1]}'{where}{nearest(path[-1], keys)}"


def _without_nulls(value: Any) -> Any:
    """Drop the nulls that an editor sends for settings left alone."""
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return value
