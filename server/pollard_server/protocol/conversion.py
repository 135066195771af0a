"""Reads the arguments of commands from JSON, and writes results and notifications as JSON.

Arguments are read like the tables of settings, with `pollard.settings.structure`. This module adds
the readers that only commands need, and words its messages for people who write JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override
from lsprotocol import types as lsp

from pollard.errors import PollardError
from pollard.settings.readers import WrongValueError, described, is_whole, quoted
from pollard.settings.structure import Mistake, UnknownKeyError, typed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")

_MAX_NUMBER = 2**31 - 1  # the largest whole number in LSP


class InvalidArguments(PollardError):
    """A command's arguments are wrong; the text is one sentence."""


def parse(command: str, arguments: Sequence[object] | None, cls: type[T]) -> T:
    """Return the arguments of a command as a `cls`, its class in `COMMANDS`.

    `arguments` are those of `ExecuteCommandParams`. Raises InvalidArguments for the first
    mistake.
    """
    known = {key.name for key in fields(cls)}  # type: ignore[arg-type]
    given = _single_object(command, list(arguments or ()))
    present = {key: given[key] for key in given if key not in known or given[key] is not None}
    read = typed(cls, present)
    if isinstance(read, list):
        raise InvalidArguments(f"{command}{_sentence_end(read[0])}")
    return read


def whole(value: object) -> int:
    """Read a whole number from 0 to LSP's largest."""
    return _number(value, 0)


def positive(value: object) -> int:
    """Read a whole number from 1 to LSP's largest."""
    return _number(value, 1)


def table(value: object) -> Mapping[str, object]:
    """Read an object that is not empty."""
    if isinstance(value, Mapping) and value:
        return value
    raise WrongValueError("an object that is not empty", value)


def texts_by_name(value: object) -> Mapping[str, str]:
    """Read an object whose values are texts, which may be empty."""
    if isinstance(value, Mapping) and all(isinstance(text, str) for text in value.values()):
        return value
    raise WrongValueError("an object of texts", value)


def range_(value: object) -> lsp.Range:
    """Read a range of LSP; its ends may be in either order."""
    if not (isinstance(value, Mapping) and value.keys() == {"start", "end"}):
        raise WrongValueError("a range {start, end}", value)
    start, end = _position(value["start"]), _position(value["end"])
    if start and end:
        return lsp.Range(start=start, end=end)
    message = (
        "must have a start and an end of the form {line, character}, both whole numbers from 0 "
        f"to {_MAX_NUMBER}"
    )
    raise ValueError(message)


def _single_object(command: str, arguments: list[object]) -> Mapping[str, object]:
    """Return the one object in `arguments`, or an empty one if there is none."""
    if not arguments or arguments in ([None], [[]]):  # Lua sends an empty table as a list
        return {}
    if len(arguments) > 1:
        raise InvalidArguments(f"{command} takes one object, not {len(arguments)} arguments.")
    if not isinstance(arguments[0], Mapping):
        raise InvalidArguments(f"{command} takes an object, not {_in_json(arguments[0])}.")
    return arguments[0]


def _sentence_end(mistake: Mistake) -> str:
    """Return what follows the command's name in the message."""
    path, error = mistake.path, mistake.error
    if not path:
        return f" {error}."
    if isinstance(error, KeyError):
        return f" needs the argument '{path[-1]}'."
    if isinstance(error, UnknownKeyError):
        return f" has no argument {quoted(path[-1])}{str(error) or '.'}"
    if isinstance(error, WrongValueError):
        return f": '{path[-1]}' must be {error.wanted}, not {_in_json(error.value)}."
    return f": '{path[-1]}' {error}."


def _in_json(value: object) -> str:
    """Describe a value in the terms of JSON."""
    if isinstance(value, Mapping):
        return "an object"
    return f"the text {described(value)}" if isinstance(value, str) else described(value)


def _number(value: object, minimum: int) -> int:
    if is_whole(value, minimum) and value <= _MAX_NUMBER:
        return value
    raise WrongValueError(f"a whole number from {minimum} to {_MAX_NUMBER}", value)


def _position(value: object) -> lsp.Position | None:
    if not (isinstance(value, Mapping) and value.keys() == {"line", "character"}):
        return None
    numbers = [value["line"], value["character"]]
    if all(is_whole(number, 0) and number <= _MAX_NUMBER for number in numbers):
        return lsp.Position(*numbers)
    return None


_CONVERTER = Converter(unstruct_collection_overrides={tuple: list})


def to_json(value: object) -> dict[str, Any]:
    """Return a result or notification as the dictionary that is sent to the editor."""
    message: dict[str, Any] = _CONVERTER.unstructure(value)
    return message


def camel(name: str) -> str:
    """Return the protocol's spelling of a field's name: "originalBytes", "pass" for "pass_"."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _hook(cls: type[Any]) -> Callable[[Any], dict[str, Any]]:
    renamed: dict[str, Any] = {key.name: override(rename=camel(key.name)) for key in fields(cls)}
    return make_dict_unstructure_fn(cls, _CONVERTER, **renamed)


_CONVERTER.register_unstructure_hook_factory(is_dataclass, _hook)
