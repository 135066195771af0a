"""A decorator for tests of a text: when one fails, it shows the part of the text that matters.

`pytest examples/test_with_pytest.py` fails: `mean_prices` has a bug.
"""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

import pytest

import pollard

if TYPE_CHECKING:
    from collections.abc import Callable

ORDERS = b"""{
  "shop": "north",
  "orders": [
    {"id": 1, "lines": [{"item": "pot", "price": 900}, {"item": "lid", "price": 300}]},
    {"id": 2, "lines": [{"item": "pan", "price": 2500}], "note": "call first"},
    {"id": 3, "lines": [], "note": "cancelled"},
    {"id": 4, "lines": [{"item": "jug", "price": 1200}]}
  ]
}"""


def reduces_its_text(test: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Add to the failure of a test the smallest text that fails with the same kind of error."""

    def error_of(text: bytes) -> Exception | None:
        try:
            test(text)
        except Exception as error:
            return error
        return None

    @functools.wraps(test)
    def run(text: bytes) -> None:
        error = error_of(text)
        if error is not None:
            result = pollard.reduce(text, lambda smaller: type(error_of(smaller)) is type(error))
            raise AssertionError(f"The test also fails for {result.text.decode()}") from error

    return run


def mean_prices(text: bytes) -> list[float]:
    """Return the mean price of the lines of each order. The bug: an order may have no lines."""
    orders = json.loads(text)["orders"]
    return [sum(line["price"] for line in order["lines"]) / len(order["lines"]) for order in orders]


@pytest.mark.parametrize("text", [ORDERS])
@reduces_its_text
def test_prices_are_positive(text: bytes) -> None:
    """Fails with ZeroDivisionError."""
    assert all(price > 0 for price in mean_prices(text))
