"""The arguments of calls that mean the same in several functions."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from pollard.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

P = ParamSpec("P")
T = TypeVar("T")

_CALL = "the call"

# The arguments of `reduce` and `reduce_files` that are settings as well.
_SETTINGS = ("renaming", "jobs", "speculation", "guard", "learn_invalid", "checks", "cache")
_LIMITS = ("max_runs", "max_time")


def settings_of(arguments: Mapping[str, Any]) -> Settings:
    """Return the settings that a call makes with its arguments."""
    return Settings().override({key: arguments[key] for key in (*_SETTINGS, *_LIMITS)}, _CALL)


def with_arguments_of(model: Callable[P, object]) -> Callable[[Callable[..., T]], Callable[P, T]]:
    """Return a decorator that gives a function, for type checkers and `help`, `model`'s arguments."""

    def declare(function: Callable[..., T]) -> Callable[P, T]:
        returned = inspect.signature(function).return_annotation
        signature = inspect.signature(model).replace(return_annotation=returned)
        function.__signature__ = signature  # type: ignore[attr-defined]
        return function

    return declare
