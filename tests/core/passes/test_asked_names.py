"""A lone statement stands in the function for which an oracle asks in a list of calls."""

from __future__ import annotations

import pytest

from pollard.passes.coupling.alone import named
from tests.core.passes.support import Case, plain, reduced, squeezed

PYTHON = b"""import json
class Shop:
    def price(self, order, rates) -> int:
        return rates[order.region]
def total(shop, order):
    return shop.price(order, {})
total(Shop(), json)
"""
JAVASCRIPT = b"""class Shop {
  price(order, rates) {
    return rates[0].region;
  }
}
function total(shop) { return shop.price({}, []); }
total(new Shop());
"""
PHP = b"""<?php
class Shop {
  private static function price($rates): int { return $rates->sum * 0.5; }
  static function add($order): static { return $order->next; }
  function total($order) { return $order->sum; }
}
"""
LUA = b"""local function price(order, rates)
  return rates[order].region
end
local function total(order) return price(order, {}) end
total(1)
"""


@pytest.mark.parametrize(
    ("language", "text", "line", "asked", "wanted"),
    [
        ("python", PYTHON, b"return rates[order.region]", [b"total"], b"def total():"),
        ("javascript", JAVASCRIPT, b"return rates[0].region;", [b"price"], b"function price() {"),
        (
            "javascript",
            JAVASCRIPT,
            b"return rates[0].region;",
            [b"Shop", b"price"],
            b"class Shop {price() {",
        ),
        ("lua", LUA, b"return rates[order].region", [b"price"], b"local function price()"),
    ],
    ids=["around another function", "a method without its class", "with its class", "local"],
)
def test_a_statement_stands_in_the_function_that_is_asked_for(
    language, text, line, asked, wanted
) -> None:
    """It has no parameters and is called; what fails alone does not fail there."""
    call = asked[-1] + b"()"

    def fails(new: bytes) -> bool:
        return new == text or (
            plain(wanted) in plain(new) and plain(new).rstrip(b"; ").endswith(call)
        )

    case = Case(text, language, fails)
    assert reduced(case, named, failing_lines=[line]).text == text
    assert reduced(case, named, failing_lines=[line], asked_names=asked).text != text


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            b"private static function price($rates): int { return $rates->sum * 0.5; }",
            b"<?php\nfunction price(): int { return .5 * 0.5; }price();",
        ),
        (b"function total($order) { return $order->sum; }", None),
    ],
    ids=["of a declared type", "of any type"],
)
def test_a_result_that_is_checked_stays_in_its_function(line: bytes, wanted: bytes | None) -> None:
    """The function loses its class, its modifiers and its parameters; a call hardly fails there."""
    asked: list[bytes] = []
    case = Case(
        PHP, "php", lambda new: asked.append(new) or squeezed(new) == squeezed(wanted or b"")
    )
    result = reduced(case, named, failing_lines=[line]).text
    assert squeezed(result) == squeezed(wanted or PHP)
    assert wanted is not None or not any(b"function" in each for each in asked)


def test_a_kept_variable_comes_before_the_statement() -> None:
    """Several files in one text may each begin like a program."""
    text = (
        b"'use strict';\nfunction f(tags) {\n  return tags.map(g);\n}\nf(0);\n'use strict';\n0;\n"
    )
    case = Case(
        text,
        "javascript",
        lambda new: new == text or 0 < new.find(b"let tags") < new.find(b"tags.map"),
    )
    line, words = b"return tags.map(g);", [b"tags"]
    assert reduced(case, named, failing_lines=[line], failing_words=words).text != text
