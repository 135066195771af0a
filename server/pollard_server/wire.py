"""How the server's own values are written in JSON: camelCase keys, null for None."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn, override

if TYPE_CHECKING:
    from collections.abc import Callable

_CONVERTER = Converter(unstruct_collection_overrides={tuple: list})


def to_json(value: object) -> dict[str, Any]:
    """Return a frozen dataclass of this package as the plain dictionary that goes to the editor."""
    message: dict[str, Any] = _CONVERTER.unstructure(value)
    return message


def camel(name: str) -> str:
    """Return a field's name as the protocol spells it: "originalBytes", "pass" for "pass_"."""
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _hook(cls: type[Any]) -> Callable[[Any], dict[str, Any]]:
    renamed: dict[str, Any] = {key.name: override(rename=camel(key.name)) for key in fields(cls)}
    return make_dict_unstructure_fn(cls, _CONVERTER, **renamed)


_CONVERTER.register_unstructure_hook_factory(is_dataclass, _hook)
