"""What goes early: in texts of some length only, and not for long where nothing goes."""

from __future__ import annotations

from functools import partial

from pollard.passes.coupling.early import early_coupled
from pollard.passes.coupling.inlining import dissolve_modules
from tests.core.passes.support import Case, reduced

GO = b"""package main

import (
\t"fmt"
\t"strconv"
)

func first() string {
\treturn strconv.Itoa(1234567890)
}

func second() {
\tfmt.Println("what is needed, and nothing else of all this is")
}
"""


def go_compiles(text: bytes) -> bool:
    """Go takes no import without a use, and no use without an import."""
    used = {name: text.count(name) for name in (b"fmt", b"strconv")}
    return b"fmt.Println" in text and set(used.values()) <= {0, 2}


def test_last_uses_go_early_with_their_imports() -> None:
    result = reduced(Case(GO, "go", go_compiles), early_coupled)
    assert b"strconv" not in result.text
    assert b"fmt" in result.text


def test_blocks_of_templates_go_early() -> None:
    text = (
        b"{% if x %}needed{% endif %}" + b"<p>{% for x in y %}needed by nobody{% endfor %}</p>" * 3
    )
    result = reduced(Case(text, "html", lambda each: b"needed" in each), early_coupled)
    assert result.text.count(b"{%") <= 2
    assert len(result.judge.asked) < 12


def test_only_last_uses_go_early() -> None:
    """A function is not asked for with its calls: `coupled` does that, when less is left."""
    text = b"int f();\nint main() { return f() + f(); }\n" * 6
    assert reduced(Case(text, "c", lambda _: False), early_coupled).judge.asked == []


def test_imports_that_are_needed_are_not_all_tried_early() -> None:
    """Seven functions with an import each, all needed."""
    numbers = range(7)
    imports = b"".join(b'import "path/p%d"\n' % number for number in numbers)
    users = b"".join(b"func f%d() { p%d.Println(1) }\n" % (number, number) for number in numbers)
    text = b"package main\n" + imports + users
    asked = reduced(Case(text, "go", lambda _: False), early_coupled).judge.asked
    assert 0 < len(asked) < len(numbers)


MODULES = b"".join(b"mod module_%d { pub fn f%d() {} }\n" % (n, n) for n in range(9))
RUST = MODULES + b"fn main() { module_1::f1(); module_2::f2(); }\n"


def test_modules_go_early_at_once() -> None:
    result = reduced(Case(RUST, "rust", lambda new: new.count(b"()") == 12), early_coupled)
    assert b"module" not in result.text
    assert b"{ f1(); f2(); }" in result.text
    assert result.judge.asked[0] == result.text


def test_modules_that_are_needed_are_given_up_soon() -> None:
    case = Case(RUST, "rust", lambda _: False)
    assert len(reduced(case, partial(dissolve_modules, patience=2)).judge.asked) == 2


def test_a_value_goes_early_where_its_name_was() -> None:
    text = (
        b"int function_f(void) { return 1; }\n" * 8
        + b"int value = 7; int main() { return value; }\n"
    )
    result = reduced(Case(text, "c", lambda new: b"return 7" in new), early_coupled)
    assert b"return 7" in result.text
    assert b"value" not in result.text


def test_nothing_is_early_in_a_short_text() -> None:
    text = b'package p\nimport "fmt"\nfunc long() {\n\tx := 1\n\tfmt.Println(x, "long")\n}\n'
    assert reduced(Case(text, "go", lambda _: True), early_coupled).judge.asked == []
    assert reduced(Case(text * 3, "go", lambda _: True), early_coupled).judge.asked
