"""What goes early: in texts of some length only, and not for long where nothing goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pollard.passes.coupling.coupled import early_coupled
from pollard.passes.coupling.replacing import early_inline
from pollard.passes.shortening.renaming import early_rename, early_shorten
from tests.core.passes.support import Case, reduced

if TYPE_CHECKING:
    from pollard.engine.subject import Subject

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


def test_only_last_uses_go_early() -> None:
    """A function is not asked for with its calls: `coupled` does that, when less is left."""
    text = b"int f() { return 1; }\nint main() { return f() + f(); }\n" * 4
    assert reduced(Case(text, "c", lambda _: False), early_coupled).judge.asked == []


def early_coupled_after_every_unit(subject: Subject) -> None:
    subject.memory.every_unit_tried = True
    early_coupled(subject)


def pairs(lines: int) -> bytes:
    return b"".join(b"int f%02d; int g%02d = f%02d;\n" % (n, n, n) for n in range(lines))


def test_after_every_unit_a_declaration_goes_early_with_its_uses() -> None:
    case = Case(pairs(8), "c", lambda new: b"f03" not in new and b"f04" in new)
    result = reduced(case, early_coupled_after_every_unit)
    assert b"f03" not in result.text
    assert b"int f04; int g04 = f04;" in result.text


def test_in_a_longer_text_more_declarations_are_tried_early() -> None:
    cases = [Case(pairs(lines), "c", lambda _: False) for lines in (8, 16)]
    short, long = (len(reduced(each, early_coupled_after_every_unit).judge.asked) for each in cases)
    assert 0 < short < long


def test_imports_that_are_needed_are_not_all_tried_early() -> None:
    """Seven functions with an import each, all needed."""
    numbers = range(7)
    imports = b"".join(b'import "path/p%d"\n' % number for number in numbers)
    users = b"".join(b"func f%d() { p%d.Println(1) }\n" % (number, number) for number in numbers)
    text = b"package main\n" + imports + users
    asked = reduced(Case(text, "go", lambda _: False), early_coupled).judge.asked
    assert 0 < len(asked) < len(numbers)


@pytest.mark.parametrize("early", [early_coupled, early_inline, early_rename, early_shorten])
def test_nothing_is_early_in_a_short_text(early) -> None:
    text = b'package p\nimport "fmt"\nfunc long() {\n\tx := 1\n\tfmt.Println(x, "long")\n}\n'
    assert reduced(Case(text, "go", lambda _: True), early).judge.asked == []
    assert reduced(Case(text * 3, "go", lambda _: True), early).judge.asked
