"""How many examples Hypothesis draws for a property, by the profile.

`quick`, the default, draws a third of what `thorough` does, which `.ci/run --thorough` uses. Both
draw the same examples every time, so that a failure can be repeated and nothing fails by luck.
`HYPOTHESIS_PROFILE=dev` draws new ones.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

_PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
_EXAMPLES = 50  # of a property that does not say otherwise
_MIN_EXAMPLES = 3


def examples(count: int) -> settings:
    """Draw `count` examples in the profiles `thorough` and `dev`, and a third in `quick`."""
    return settings(max_examples=_scaled(count))


def rarely(*values: Any) -> list[Any]:
    """Return parameters that repeat a behaviour on more inputs, which only thorough runs try."""
    return [pytest.param(value, marks=pytest.mark.exhaustive) for value in values]


def load_profile() -> None:
    """Set what holds for all properties."""
    settings.register_profile(
        "pollard",
        deadline=None,
        max_examples=_scaled(_EXAMPLES),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    settings.load_profile("pollard")
    if _PROFILE != "dev":
        settings.register_profile(
            "repeatable", settings(), derandomize=True, database=None, print_blob=True
        )
        settings.load_profile("repeatable")
        _draw_no_local_constants()


def _scaled(count: int) -> int:
    return max(count // 3, _MIN_EXAMPLES) if _PROFILE == "quick" else count


def _draw_no_local_constants() -> None:
    """Keep Hypothesis from drawing the constants of loaded modules: each process has loaded others."""
    if hasattr(providers, "_get_local_constants"):  # since 6.131
        providers._get_local_constants = lambda: providers._local_constants
