"""One statement alone: where a value comes a long way, the statement that fails gets it at once."""

from __future__ import annotations

import pytest

from pollard.passes.coupling.alone import alone, named
from tests.core.passes.alone_cases import (
    FAILING,
    JAVASCRIPT,
    LUA,
    PERL,
    PYTHON,
    WANTED,
    tried_first,
)
from tests.core.passes.support import Case, plain, reduced


@pytest.mark.parametrize("name", WANTED)
def test_the_statement_that_fails_gets_its_value_where_it_stands(name: str) -> None:
    language, text, wanted = WANTED[name]
    case = Case(text, language, lambda new: new == text or plain(new) == plain(wanted))
    assert plain(reduced(case, alone).text) == plain(wanted)


def test_where_no_statement_fails_alone_few_are_tried() -> None:
    many = PYTHON + b"".join(
        b"def f%d(order):\n    return order.get(%d)\n" % (each, each) for each in range(20)
    )
    asked = reduced(Case(many, "python", lambda _: False), alone).judge.asked
    assert 0 < len(asked) <= 28


def test_without_an_operator_no_unlike_values_are_tried() -> None:
    asked = reduced(Case(PYTHON, "python", lambda _: False), alone).judge.asked
    assert not any(b"None" in text and b"0" in text for text in asked)


def test_what_decides_how_a_program_runs_is_no_value() -> None:
    text = b'"use strict";\n' + JAVASCRIPT
    asked = reduced(Case(text, "javascript", lambda _: False), alone).judge.asked
    assert any(b"'a'" in each for each in asked)
    assert not any(b'"use"' in each for each in asked)


def test_a_function_that_does_nothing_is_no_statement_that_fails() -> None:
    text = LUA + b"function lines:empty(key)\nend\n"
    asked = reduced(Case(text, "lua", lambda _: False), alone).judge.asked
    assert asked
    assert not any(b"empty" in each for each in asked)


def test_what_calls_a_function_of_the_program_is_not_tried() -> None:
    asked = reduced(Case(PYTHON, "python", lambda _: False), alone).judge.asked
    assert not any(b".tax(" in text or b"load(" in text for text in asked)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", b'def f(x):\n    return x["a"]\nf({})\n'),
        ("python", PYTHON * 40),
        ("c", b"int f(struct s *x) { return x->y; }\n" * 8),
    ],
    ids=["a short text", "a long text", "a language without statements of its own"],
)
def test_where_a_statement_alone_cannot_pay_none_is_tried(language: str, text: bytes) -> None:
    assert reduced(Case(text, language, lambda _: False), alone).judge.asked == []


SHORT = b"""class Shelf
  def initialize; @items = {}; end
  def fetch(name) = @items.fetch(name)
  def label = @items.key(name)
end
Shelf.new.fetch("paper")
"""


def _of_lines(*lines: bytes) -> list[bytes]:
    """Return what is tried on a short text if the failure's output names these lines."""
    case = Case(SHORT, "ruby", lambda _: False)
    asked = reduced(case, alone, failing_lines=lines).judge.asked
    return [plain(text) for text in asked]


def test_the_statement_that_the_output_names_is_tried_in_a_short_text_too() -> None:
    asked = _of_lines(b"def fetch(name) = @items.fetch(name)")
    assert asked[0] == b"nil.fetch(nil)"
    assert not any(b"key" in text for text in asked)


def test_a_line_is_recognised_after_parts_of_it_have_gone() -> None:
    assert _of_lines(b"def fetch(name, default = @items.size) = @items.fetch(name, default)")


def test_a_statement_without_a_value_from_elsewhere_is_tried_if_the_output_names_it() -> None:
    text = PERL.replace(b"$sum / @{ $self->{values} }", b"$_[0] / $_[1]")
    case = Case(text, "perl", lambda _: False)
    asked = reduced(case, named, failing_lines=[b"    return $_[0] / $_[1];"]).judge.asked
    assert [plain(each) for each in asked] == [b"$_[0] / $_[1]"]


def test_a_line_that_has_gone_says_nothing() -> None:
    assert _of_lines(b"raise Missing, name", b"") == []


CALLING = b"        ledger.tax(Order(region, amount))"


def test_what_the_output_names_is_tried_first_in_a_text_of_any_length() -> None:
    assert tried_first(PYTHON * 40, FAILING)[0] == b"rate = None[None.region]\n"


HEADS = {
    "a condition": (
        "python",
        b"def f(a, b):\n    if a.size < b.size:\n        g(a)\n        h(b)\n",
        b"    if a.size < b.size:",
        b"None < 0",
    ),
    "a loop": (
        "python",
        b"def f(a):\n    for b in a.items:\n        g(b)\n        h(b)\n",
        b"    for b in a.items:",
        b"for b in None: 0",
    ),
    "a condition that is no statement alone": (
        "lua",
        b"local function f(a, b)\n  if a.size < b.size then\n    g(a)\n    h(b)\n  end\nend\n",
        b"  if a.size < b.size then",
        b"return nil < 0",
    ),
    "a condition that ends with a semicolon": (
        "php",
        b"<?php\nfunction f($a) {\n  while ($a->size > 7) {\n    g($a);\n    h($a);\n  }\n}\n",
        b"  while ($a->size > 7) {",
        b"<?php ([]->size > 7);",
    ),
    "a condition with the variable of a loop": (
        "php",
        b"<?php\nforeach ($a as $b) {\n  if ($b->size > 7) {\n    g($b);\n    h($b);\n  }\n}\n",
        b"  if ($b->size > 7) {",
        b"<?php ([]->size > 7);",
    ),
    "a condition that begins with a plain variable": (
        "ruby",
        b"def f(a, b)\n  if a < b.size\n    g(a)\n    h(b)\n  end\nend\n",
        b"  if a < b.size",
        b"nil < nil.size",
    ),
    "a loop over what a variable has": (
        "javascript",
        b"function f(a) {\n  for (const b of a.items) {\n    g(b);\n    h(b);\n  }\n}\n",
        b"  for (const b of a.items) {",
        b"for (const b of 0) { 0 }",
    ),
    "the condition of a second branch": (
        "ruby",
        b"def f(a, b)\n  if c\n    g(a)\n  elsif a.size > b\n    h(b)\n  end\nend\n",
        b"  elsif a.size > b",
        b"nil > 0",
    ),
}


@pytest.mark.parametrize("what", HEADS)
def test_of_a_statement_with_blocks_only_the_head_is_tried_if_the_output_names_it(
    what: str,
) -> None:
    language, text, line, wanted = HEADS[what]
    case = Case(text, language, lambda new: new == text or plain(new) == plain(wanted))
    assert plain(reduced(case, named, failing_lines=(line,)).text) == plain(wanted)
    assert reduced(case, named).text == text


PARTS = {
    "the same value in both parts": (
        "python",
        b"def f(a, b):\n    return sum(a) / len(a) if a else b.c\n",
        b"    return sum(a) / len(a) if a else b.c",
        b"sum([]) / len([])",
    ),
    "a choice between two values": (
        "python",
        b"def f(items):\n    return max(\n        lambda a, b: a if a.x > b.x else b, items\n    )\n",
        b"lambda a, b: a if a.x > b.x else b, items",
        b"None > 0",
    ),
    "a choice that refuses a number with a point": (
        "python",
        b"def f(items):\n    return max(\n        lambda a, b: a if a.x > b.x else b, items\n    )\n",
        b"lambda a, b: a if a.x > b.x else b, items",
        b"None > .0",
    ),
    "one of two conditions": (
        "lua",
        b"local function f(a, b)\n  if not a.x or b > a.x then\n    g(a)\n    h(b)\n  end\nend\n",
        b"if not a.x or b > a.x then",
        b"return nil > 0",
    ),
    "what a generator goes over": (
        "python",
        b'def f(a):\n    return a.x + ",".join(b.strip() for b in a.y)\n',
        b'    return a.x + ",".join(b.strip() for b in a.y)',
        b"(b.strip() for b in None)",
    ),
}


@pytest.mark.parametrize("what", PARTS)
def test_a_part_is_tried_without_the_rest_of_its_statement(what: str) -> None:
    language, text, line, wanted = PARTS[what]
    case = Case(text, language, lambda new: new == text or plain(new) == wanted)
    assert plain(reduced(case, named, failing_lines=(line,)).text) == wanted


def test_what_a_generator_gives_is_tried_although_the_output_quotes_other_words() -> None:
    line, wanted = b"    return all(a[c] > 7 for c in b if c not in d)", b'b"" > 7'
    text = b"def f(a, b, d):\n%s\n\nprint(f(g(), [1], []))\n" % line
    case = Case(text, "python", lambda new: new == text or plain(new) == wanted)
    lines, words = (b"print(f(g(), [1], []))", line), (b"int", b"a")
    done = reduced(case, named, failing_lines=lines, failing_words=words)
    assert plain(done.text) == wanted


RAISED = {
    "Python": (
        "python",
        (
            b"class Fault(Exception):\n    pass\nclass Low(Fault):\n    pass\nclass Other:\n    x = 7\n"
            b"def f(a):\n    if a.x:\n        raise Low(f'{a.x} is low')\n"
        ),
        b"        raise Low(f'{a.x} is low')",
        b"class Fault(Exception): pass class Low(Fault): pass raise Low(f'{0} is low')",
    ),
    "JavaScript": (
        "javascript",
        (
            b"class Low extends Error {}\nclass Other { x = 7 }\n"
            b"function f(a) {\n  throw new Low(a.x + ' is low');\n}\n"
        ),
        b"  throw new Low(a.x + ' is low');",
        b"class Low extends Error {} throw new Low(0 + ' is low');",
    ),
    "PHP": (
        "php",
        (
            b"<?php\nclass Low extends Exception {}\nclass Other { public $x = 7; }\n"
            b"function f($a) {\n  throw new Low($a->x);\n}\n"
        ),
        b"  throw new Low($a->x);",
        b"<?php class Low extends Exception {} throw new Low(0);",
    ),
}


@pytest.mark.parametrize("name", RAISED)
def test_an_error_keeps_its_classes(name: str) -> None:
    language, text, line, wanted = RAISED[name]
    case = Case(text, language, lambda new: new == text or plain(new) == wanted)
    assert plain(reduced(case, named, failing_lines=(line,)).text) == wanted


def test_the_first_and_the_last_line_that_the_output_names_fail_most_probably() -> None:
    names = (b"first", b"second", b"third", b"fourth", b"fifth")
    lines = [b"    return order.%s" % name for name in names]
    text = b"".join(b"def f%d(order):\n%s\n" % each for each in enumerate(lines))
    asked = b"".join(tried_first(text, *lines)[:2])
    assert b"first" in asked
    assert b"fifth" in asked


def test_a_word_that_only_ends_a_statement_names_none() -> None:
    text = LUA + b"function f(a)\n  for b in a.items do\n    g(b)\n  end\nend\n"
    case = Case(text, "lua", lambda _: False)
    asked = reduced(case, named, failing_lines=[b"for x in y() do z() end"]).judge.asked
    assert not any(b"items" in each for each in asked)


def test_of_the_lines_of_a_traceback_the_one_that_calls_no_function_fails() -> None:
    assert all(b"rate" in text for text in tried_first(PYTHON, CALLING, FAILING))


def test_a_method_with_the_name_of_a_function_is_tried_if_nothing_else_is_named() -> None:
    assert any(b".tax(" in text for text in tried_first(PYTHON, CALLING))


def test_what_calls_a_function_of_the_program_by_its_name_is_nottried_first() -> None:
    assert tried_first(PYTHON, b'load(["west, 12.50, paid late", "east"])') == []


@pytest.mark.parametrize("call", [b"price(b)", b"self.price(b)"])
def test_a_call_in_the_innermost_line_has_returned(call: bytes) -> None:
    text = (
        b"class A\n  def price(b)\n    b.x\n  end\n  def f(a, b)\n    a + %s\n  end\nend\n" % call
    )
    case = Case(text, "ruby", lambda new: new == text or plain(new) == b"nil + 0")
    lines = [b"    a + " + call, b"A.new.f(nil, B)"]
    assert plain(reduced(case, named, failing_lines=lines).text) == b"nil + 0"
    outer = [b"    b.x", b"    a + " + call]
    assert not any(b"+" in each for each in tried_first(text, *outer, language="ruby"))


def test_a_method_in_the_innermost_line_may_have_returned() -> None:
    text = (
        b"local S = {}\nfunction S:pop() return table.remove(self) end\n"
        b"function S:add() return self.items:pop() + self:pop() end\nS:add()\n"
    )
    case = Case(text, "lua", lambda new: new == text or plain(new) == b"return nil + 0")
    lines = [b"function S:add() return self.items:pop() + self:pop() end", b"S:add()"]
    assert plain(reduced(case, named, failing_lines=lines).text) == b"return nil + 0"


@pytest.mark.parametrize(
    ("language", "line", "words", "alone"),
    [
        ("perl", b"$sum += $_->{size} for values %$items;", [], b"$sum += $a->{size}"),
        ("perl", b"$sum += $_->size for @items;", [b"size"], b"$a->size"),
        ("ruby", b"puts items.size if items", [], b"puts nil.size"),
    ],
)
def test_a_statement_stands_without_the_loop_or_condition_after_it(
    language: str, line: bytes, words: list[bytes], alone: bytes
) -> None:
    first = b"items = f()\n" if language == "ruby" else b"my $items = f();\nmy @items = g();\n"
    tried = tried_first(first + line + b"\n", line, language=language, words=words)
    assert alone in [plain(text).rstrip(b";") for text in tried]


def test_what_a_loop_after_a_statement_gives_values_keeps_them_in_it() -> None:
    line = b'print "by $_->{name}" for @{ $items }'
    tried = tried_first(b"my $items = f();\n%s;\n" % line, line, language="perl")
    assert b'print "by $_->{name}" for @{ $a }' in [plain(text).rstrip(b";") for text in tried]


def test_a_method_that_the_output_quotes_was_not_called() -> None:
    text = (
        b"<?php\nclass A { function b() {} }\nfunction f($a) {\n  echo 0, $a->b();\n}\nf(null);\n"
    )
    case = Case(text, "php", lambda new: new == text or b"class" not in new)
    found = reduced(case, named, failing_lines=[b"  echo 0, $a->b();"], failing_words=[b"b"])
    assert found.text == b"<?php\n[]->b();\n"


def test_nothing_is_tried_first_if_the_output_names_no_line() -> None:
    assert tried_first(PYTHON) == []
    assert tried_first(PYTHON, b"a line of a library") == []


def test_what_was_tried_on_the_original_does_not_count_later() -> None:
    """Else the first values would use up the limit twice, and the others would never be tried."""
    other = b"        count = self.counts[order.day]"
    lines = (FAILING, other, *(other.replace(b"day", word) for word in (b"year", b"hour")))
    case = Case(PYTHON.replace(FAILING, b"\n".join(lines)), "python", lambda _: False)
    first = reduced(case, named, failing_lines=lines).judge.asked
    both = reduced(case, lambda subject: (named(subject), alone(subject)), failing_lines=lines)
    assert len(both.judge.asked) > len(first)


def test_a_string_of_a_line_that_the_output_names_comes_before_longer_ones() -> None:
    lines = [FAILING, b'    ledger.tax(Order("east", 7))']
    text = PYTHON + b"def g(ledger):\n" + lines[1] + b"\n"
    values = [each for each in tried_first(text, *lines) if b"{}[" in each]
    assert plain(values[0]) == b'rate = {}["east"]'
