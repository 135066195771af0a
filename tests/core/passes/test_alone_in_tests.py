"""One statement alone, in a program with tests: a runner may report only what fails in one."""

from __future__ import annotations

import pytest

from pollard.passes.coupling.alone import named
from tests.core.passes.alone_cases import tried_first
from tests.core.passes.support import Case, plain, reduced

TESTS = {
    "a function whose name tells the runner": (
        "python",
        b"@mark.parametrize('day', ['mon'])\ndef test_fee(rates, day):\n    rates.get(day)\n",
        b"    rates.get(day)",
        b"def test_fee(): None.get(None)",
    ),
    "a method, without a class that only groups tests": (
        "python",
        b"class TestFee:\n    def test_fee(self, rates):\n        rates['mon']\n\n    x = 7\n",
        b"        rates['mon']",
        b"def test_fee(): None['mon']",
    ),
    "a method that its class finds, with an assertion of that": (
        "python",
        (
            b"from unittest import TestCase\nimport os\nclass T(TestCase):\n"
            b"    def setUp(self):\n        self.rates = {}\n\n"
            b"    def test_fee(self):\n        self.assertEqual(self.rates['mon'], 7)\n"
        ),
        b"        self.assertEqual(self.rates['mon'], 7)",
        (
            b"from unittest import TestCase class T(TestCase): "
            b"def test_fee(self): self.assertEqual(None['mon'], 7)"
        ),
    ),
    "the first test, where a function fails that it calls": (
        "python",
        b"def fee(day):\n    return day.rate\n\ndef test_fee():\n    assert fee(None) == 7\n",
        b"    return day.rate",
        b"def test_fee(): None.rate",
    ),
    "what a function of the program returns": (
        "python",
        b"def fee(day):\n    return 0\n\ndef test_fee():\n    assert fee(7) == 7\n",
        b"    assert fee(7) == 7",
        b"def test_fee(): assert 0 == 7",
    ),
    "a class of Ruby, with its require": (
        "ruby",
        (
            b'require "minitest/autorun"\nclass FeeTest < Minitest::Test\n  def setup\n'
            b"    @rates = {}\n  end\n  def test_fee\n    @rates.fetch(7)\n  end\nend\n"
        ),
        b"    @rates.fetch(7)",
        (
            b'require "minitest/autorun" class FeeTest < Minitest::Test '
            b"def test_fee nil.fetch(7) end end"
        ),
    ),
    "a function that a call gets": (
        "javascript",
        (
            b'const { it } = require("node:test");\nconst os = require("node:os");\n'
            b'it("pays", () => {\n  const rates = 7;\n  rates.mon.fee;\n});\n'
        ),
        b"  rates.mon.fee;",
        b'const { it } = require("node:test"); it("pays", () => {undefined.fee;})',
    ),
}


@pytest.mark.parametrize("name", TESTS)
def test_a_statement_of_a_program_with_tests_stays_in_one(name: str) -> None:
    language, text, line, wanted = TESTS[name]
    case = Case(text, language, lambda new: new == text or plain(new) == plain(wanted))
    assert plain(reduced(case, named, failing_lines=[line]).text) == plain(wanted)


def test_a_statement_without_its_test_comes_last() -> None:
    language, text, line, _ = TESTS["a method, without a class that only groups tests"]
    case = Case(text, language, lambda new: new == text or plain(new) == b"None['mon']")
    result = reduced(case, named, failing_lines=[line])
    assert plain(result.text) == b"None['mon']"
    assert all(
        b"def test_fee" in each for each in result.judge.asked[:-1][: len(result.judge.asked) // 2]
    )


def test_a_function_that_the_program_calls_is_no_test_of_a_runner() -> None:
    _, text, line, _ = TESTS["a method, without a class that only groups tests"]
    asked = tried_first(text + b"TestFee().test_fee(7)\n", line)
    assert asked
    assert not any(b"def test_fee" in each for each in asked)
