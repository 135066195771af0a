"""Programs of which one statement fails alone, and what is tried on them, for `test_alone*.py`."""

from __future__ import annotations

from collections.abc import Sequence

from pollard.passes.coupling.alone import named
from tests.core.passes.support import Case, reduced

PYTHON = b"""class Ledger:
    def __init__(self, rates):
        self.rates = rates

    def tax(self, order):
        rate = self.rates[order.region]
        return rate

def load(lines):
    ledger = Ledger({})
    for line in lines:
        region, amount = line.split(",")
        ledger.tax(Order(region, amount))
    return ledger

load(["west, 12.50, paid late", "east"])
print("a line so that the text is long enough for this pass, as it has more than 128 bytes")
"""

PHP = b"""<?php
function clean($value) {
    $value = $value ?? null;
    return strtoupper($value);
}
echo clean($_GET);
echo 'a line so that the text is long enough for this pass, as it has more than 128 bytes';
"""
LUA_RETURN = b"""local function area(a, b)
  return a * b
end
print(area())
print("a line so that the text is long enough for this pass, as it has more than 128 bytes, no less")
"""
LUA = b"""local function css(self, key)
  local lines = {}
  lines[#lines + 1] = self.options.colours[key]
end
print("a line so that the text is long enough for this pass, as it has more than 128 bytes")
"""
JAVASCRIPT = b"""function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price * 2;
  }
  return sum;
}
console.log('a line so that the text is long enough for this pass, as it has more than 128 bytes');
"""
RUBY = b"""class Section
  attr_reader :values
  def url
    "http://#{values.fetch(:port)}"
  end
end
puts "a line so that the text is long enough for this pass, as it has more than 128 bytes"
"""
PERL = b"""sub mean {
    my $self = shift;
    my $sum = 0;
    return $sum / @{ $self->{values} };
}
print "a line so that the text is long enough for this pass, as it has more than 128 bytes";
"""

#: By what is tried: the language, a text, and the statement that stays.
WANTED = {
    "a word of a string as a key": ("python", PYTHON, b'rate = {}["west"]'),
    "nothing as the object of a method": (
        "python",
        PYTHON.replace(b"self.rates[order.region]", b"order.match.group(1)"),
        b"rate = None.group(1)",
    ),
    "a member of an object that only a method has": (
        "php",
        PHP.replace(b"{\n", b"{ function f($n) { $this->share = intdiv(100, $n); }\n", 1),
        b"<?php\n$share = intdiv(100, 0);",
    ),
    "an empty list as an argument": ("php", PHP, b"<?php\nstrtoupper([]);"),
    "an object without the member of a member": ("lua", LUA, b'lines = ("").colours[0]'),
    "a table beside the object of a method": (
        "lua",
        LUA.replace(b"self.options.colours[key]", b"0\n  table.insert(lines, (key:gsub('a', '')))"),
        b"table.insert({}, ((\"\"):gsub('a', '')))",
    ),
    "what is added to a variable": ("javascript", JAVASCRIPT, b"undefined.price * 2;"),
    "an object that a symbol names, in a string": ("ruby", RUBY, b'"http://#{{}.fetch(:port)}"'),
    "a result of a language in which a value is no statement": (
        "lua",
        LUA_RETURN,
        b"return nil * nil",
    ),
    "an expression that is all of a function": (
        "ruby",
        RUBY.replace(b'"http://#{values.fetch(:port)}"', b"0").replace(
            b"class Section", b"def port = values.fetch(:port)\nclass Section"
        ),
        b"nil.fetch(:port)",
    ),
    "a string as the object of a member": (
        "perl",
        PERL.replace(b"$sum / @{ $self->{values} }", b"$self->{values}") + b"# and a comment",
        b'"a"->{values}',
    ),
    "the imports that the statement uses": (
        "python",
        b"import json, os\nimport re\n"
        + PYTHON.replace(b"self.rates[order.region]", b"re.compile(order)"),
        b"import re rate = re.compile(None)",
    ),
    "what a function imports": (
        "javascript",
        b"const fs = require('fs');\nconst os = require('os');\n"
        + JAVASCRIPT.replace(b"item.price * 2", b"fs.readFileSync(item.path)"),
        b"const fs = require('fs'); fs.readFileSync(undefined.path);",
    ),
    "an object that is returned, in parentheses": (
        "javascript",
        JAVASCRIPT.replace(b"item.price * 2", b"{ price: item.price.net }"),
        b"({ price: undefined.net })",
    ),
    "a number as the object of a method": (
        "javascript",
        JAVASCRIPT.replace(b"item.price * 2", b"item.toString(item.base)"),
        b"0..toString(0);",
    ),
    "values of any type, where the language must know one": (
        "typescript",
        JAVASCRIPT.replace(b"(items) {", b"(items: I[]): number {", 1),
        b"(undefined as any).price * 2;",
    ),
    "variables of a list, and what a warning needs": (
        "perl",
        b"use warnings;\n"
        + PERL.replace(b"my $self = shift;", b"my ($self, $x) = @_;").replace(
            b"/ @{ $self->{values} }", b"+ $x"
        ),
        b'use warnings; "a" + "a"',
    ),
    "two operands": ("perl", PERL, b"[] / @{ [] }"),
    "two operands of unlike types": (
        "python",
        PYTHON.replace(b"self.rates[order.region]", b"self.fee + order.fee"),
        b"rate = 0 + None",
    ),
    "an operator in what is added": (
        "python",
        PYTHON.replace(b"rate = self.rates[order.region]", b"rate += order.count * order.price"),
        b"None * 0",
    ),
    "what a variable gets, of another type than it has": (
        "ruby",
        RUBY.replace(b'"http://#{values.fetch(:port)}"', b"@total += values[:port]"),
        b"0 + nil",
    ),
    "operands of unlike types where a value is no statement": (
        "lua",
        LUA_RETURN.replace(b"a * b", b"a.size < b.size"),
        b"return nil < 0",
    ),
    "what makes all strings constants": (
        "ruby",
        b"# frozen_string_literal: true\n"
        + RUBY.replace(b'"http://#{values.fetch(:port)}"', b'"url" << values'),
        b'# frozen_string_literal: true "url" << 0',
    ),
    "what makes types strict": (
        "php",
        PHP.replace(b"<?php", b"<?php\ndeclare(strict_types=1);"),
        b"<?php declare(strict_types=1); strtoupper(0);",
    ),
    "what forbids names in strings": (
        "perl",
        b"use strict;\n" + PERL.replace(b"$sum / @{ $self->{values} }", b"@{ $self }"),
        b'use strict; @{ "a" }',
    ),
    "what a variable gets that is declared there": (
        "perl",
        PERL.replace(b"return $sum / @{ $self->{values} }", b"my $mean = $sum / $self->{count}"),
        b"my $mean = 0 / 0",
    ),
    "what makes errors of what has no effect": (
        "javascript",
        b'"use strict";\n' + JAVASCRIPT.replace(b"item.price * 2", b"delete item.price"),
        b'"use strict"; delete "".price;',
    ),
    "nothing and a number": (
        "perl",
        PERL.replace(b"$sum / @{ $self->{values} }", b"$sum->{a} < $sum->{b}"),
        b"(undef) < 0",
    ),
    "a list and a number": (
        "php",
        PHP.replace(b"strtoupper($value)", b"$value[0] * $value[1]"),
        b"<?php [] * 0;",
    ),
    "the variable of a pattern": (
        "python",
        PYTHON.replace(
            b"rate = self.rates[order.region]",
            b"match order:\n            case [first, *rest]:\n                first.rate()",
        ),
        b"None.rate()",
    ),
    "the variable of a handler": (
        "ruby",
        RUBY.replace(
            b'"http://#{values.fetch(:port)}"',
            b"begin\n      g\n    rescue E => err\n      err.port\n    end",
        ),
        b"nil.port",
    ),
    "the parameter of a function inside the statement": (
        "php",
        PHP.replace(b"strtoupper($value)", b"array_map(fn($part) => $part['net'], $this->parts)"),
        b"<?php\narray_map(fn($part) => $part['net'], []->parts);",
    ),
    "the variable of a comprehension": (
        "python",
        PYTHON.replace(b"self.rates[order.region]", b"[part.net for part in order.parts]"),
        b"rate = [part.net for part in None.parts]",
    ),
}

#: A line of `PYTHON` that fails.
FAILING = b"        rate = self.rates[order.region]"


def tried_first(
    text: bytes, *lines: bytes, language: str = "python", words: Sequence[bytes] = ()
) -> list[bytes]:
    """Return what `named` tries on a text if the failure's output names some lines and words."""
    case = Case(text, language, lambda _: False)
    return reduced(case, named, failing_lines=lines, failing_words=words).judge.asked
