"""What the failure's output quotes: a value, a class, a member or a variable of a lone statement."""

from __future__ import annotations

import pytest

from pollard.passes.coupling.alone import named
from tests.core.passes.alone_cases import JAVASCRIPT, LUA, PYTHON
from tests.core.passes.support import Case, plain, reduced


def test_what_the_output_quotes_is_tried_as_a_value() -> None:
    """Here the value is neither the first piece of a string nor in a line of the traceback."""
    text = PYTHON.replace(b"west, 12.50", b"12.50, west")
    line = b"        rate = self.rates[order.region]"
    case = Case(text, "python", lambda new: new == text or b'{}["west"]' in new)
    assert reduced(case, named, failing_lines=[line]).text == text
    found = reduced(case, named, failing_lines=[line], failing_words=[b"west"]).text
    assert plain(found) == b'{}["west"]'


def test_an_object_of_a_class_that_the_output_names_is_a_value() -> None:
    text = PYTHON.replace(b"self.rates[order.region]", b"order.region")
    wanted = b'type("Ledger", (), {})().region'
    case = Case(text, "python", lambda new: new == text or plain(new) == wanted)
    words = [b"Ledger", b"region"]
    line = b"        rate = order.region"
    assert plain(reduced(case, named, failing_lines=[line], failing_words=words).text) == wanted


@pytest.mark.parametrize(
    ("added", "words", "wanted"),
    [
        (b"order.price + self.rates[order.region]", [b"west"], b'{}["west"]'),
        (b"order.price + self.rates.get(order).region", [b"region"], b"None.region"),
    ],
    ids=["a key", "a member"],
)
def test_only_what_the_output_quotes_is_left_of_a_statement(added, words, wanted) -> None:
    """Here the other value would fail first."""
    text = PYTHON.replace(b"self.rates[order.region]", added)
    case = Case(text, "python", lambda new: new == text or plain(new) == wanted)
    line = b"        rate = " + added
    assert plain(reduced(case, named, failing_lines=[line], failing_words=words).text) == wanted


def test_a_member_that_is_missing_fails_by_the_next_one() -> None:
    """Lua says `index field 'colours'`: it names what is missing, not what was asked of that."""
    wanted = b'return ("").colours[0]'
    case = Case(LUA, "lua", lambda new: new == LUA or plain(new) == wanted)
    line = b"  lines[#lines + 1] = self.options.colours[key]"
    found = reduced(case, named, failing_lines=[line], failing_words=[b"colours"])
    assert plain(found.text) == wanted


def test_a_member_that_is_missing_fails_by_an_operator() -> None:
    """Lua says `concatenate field 'name'`: a part of the statement fails, and not its other parts."""
    added = b"self.size .. ': ' .. key.name"
    text, wanted = LUA.replace(b"self.options.colours[key]", added), b"return ': ' .. (\"\").name"
    case = Case(text, "lua", lambda new: new == text or plain(new) == wanted)
    line = b"  lines[#lines + 1] = " + added
    found = reduced(case, named, failing_lines=[line], failing_words=[b"name"])
    assert plain(found.text) == wanted


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("lua", LUA.replace(b"self.options.colours[key]", b"key.size"), b"local key = nil "),
        ("javascript", JAVASCRIPT, b"let items = 0; "),
        ("php", b"<?php\nfunction f($row) {\n    g($row->size);\n}\n", b"$row = []; "),
    ],
    ids=["Lua", "JavaScript", "PHP"],
)
def test_a_variable_that_the_message_names_keeps_its_name(
    language: str, text: bytes, wanted: bytes
) -> None:
    """As in `attempt to index local 'key'` and `items is not iterable`."""
    case = Case(text, language, lambda new: new == text or wanted in plain(new) + b" ")
    lines = [line for line in text.split(b"\n") if b"key.size" in line or b" of " in line]
    lines = lines or text.split(b"\n")[2:3]
    words = [b"key", b"items", b"row"]
    found = plain(reduced(case, named, failing_lines=lines, failing_words=words).text)
    assert wanted in found
    assert b"function" not in found
