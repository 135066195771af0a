"""Reads the arguments that came with a command, and says in one sentence what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from cattrs import ClassValidationError, Converter, ForbiddenExtraKeysError
from cattrs.gen import make_dict_structure_fn, override

from pollard.errors import PollardError
from pollard.settings.problems import nearest
from pollard_server.arguments.readers import kind, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


class InvalidArguments(PollardError):
    """A command's arguments are not what it takes; the text is one sentence."""


def parse(command: str, arguments: Sequence[object] | None, cls: type[T]) -> T:
    """Return the arguments of a command as a `cls`, which is the one in `COMMANDS`.

    `arguments` is what came in `ExecuteCommandParams`. Raises InvalidArguments at the first mistake.
    """
    known = {key.name for key in fields(cls)}  # type: ignore[arg-type]
    given = _only(command, list(arguments or ()))
    present = {key: given[key] for key in given if key not in known or given[key] is not None}
    try:
        return _CONVERTER.structure(present, cls)
    except ClassValidationError as error:
        raise InvalidArguments(f"{command}{_first(error, cls)}") from error


def _only(command: str, arguments: list[object]) -> Mapping[str, object]:
    """Return the one object, or an empty one in its place."""
    if not arguments or arguments in ([None], [[]]):  # a Lua table that is empty is sent as a list
        return {}
    if len(arguments) > 1:
        raise InvalidArguments(f"{command} takes one object, not {len(arguments)} arguments.")
    if not isinstance(arguments[0], Mapping):
        raise InvalidArguments(f"{command} takes an object, not {kind(arguments[0])}.")
    return arguments[0]


def _first(error: ClassValidationError, cls: type[Any]) -> str:
    """Return what follows the command's name in the message: unknown keys are told last."""
    noted, others = error.group_exceptions()
    for inner, note in noted:
        if isinstance(inner, KeyError):
            return f" needs the argument '{note.name}'."
        return f": '{note.name}' {inner}."
    for other in others:
        if isinstance(other, ForbiddenExtraKeysError):
            key = min(map(str, other.extra_fields))
            near = nearest(key, [known.name for known in fields(cls)])
            return f" has no argument {quoted(key)}{near or '.'}"
    return f" {others[0]}."


def _hook(cls: type[Any]) -> Callable[[Mapping[str, Any], type], Any]:
    overrides: dict[str, Any] = {
        key.name: override(struct_hook=_with(key.metadata["read"])) for key in fields(cls)
    }
    return make_dict_structure_fn(cls, _CONVERTER, _cattrs_forbid_extra_keys=True, **overrides)


def _with(read: Callable[[object], object]) -> Callable[[object, type], object]:
    return lambda value, _: read(value)


_CONVERTER = Converter()
_CONVERTER.register_structure_hook_factory(is_dataclass, _hook)
