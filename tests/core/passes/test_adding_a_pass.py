"""The example of a pass in CONTRIBUTING.md works as it stands there."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pollard.engine import declaration
from pollard.engine.declaration import declared_in
from pollard.passes import catalogue, strategy
from pollard.passes.strategy import Strategy
from tests.core.passes.support import Case, reduced

PAGE = Path(__file__).resolve().parents[3] / "CONTRIBUTING.md"
NAME = "pollard.passes.text.comments"


def _examples() -> tuple[str, str, str]:
    """Return the pass, the lines of the catalogue, and the test."""
    section = PAGE.read_text(encoding="utf-8").partition("## Add a pass\n")[2].partition("\n## ")[0]
    made, named, tested = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    return made, named, tested


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The module of the example, imported as if its file were there and the catalogue named it."""
    made = ModuleType(NAME)
    monkeypatch.setitem(sys.modules, NAME, made)
    monkeypatch.setattr(declaration, "_DECLARED", [*declaration._DECLARED])
    exec(compile(_examples()[0], NAME, "exec"), made.__dict__)
    known = {**catalogue.PASSES, **{one.name: one for one in declared_in(made)}}
    monkeypatch.setattr(strategy, "PASSES", known)
    return made


@pytest.mark.usefixtures("module")
def test_the_tests_of_the_example_pass() -> None:
    tests: dict[str, object] = {}
    exec(compile(_examples()[2], "test_comments", "exec"), tests)
    found = [test for name, test in tests.items() if name.startswith("test_")]
    assert len(found) > 1
    for test in found:
        test()


def test_the_pass_is_declared_and_a_part_of_strategies(module: ModuleType) -> None:
    (one,) = declared_in(module)
    assert one.summary == "Remove comments, one at a time, until none can go."
    assert (one.name, one.minimises_lists, one.renames) == ("comments", False, False)
    assert Strategy.parse("comments").needs_tree
    case = Case(b"// one\nint a; // needle\n", "c", lambda text: b"needle" in text)
    assert reduced(case, "comments*").text == b"int a; // needle\n"


def test_the_line_of_the_catalogue_is_the_one_that_is_there_with_the_new_module() -> None:
    imported = _examples()[1].splitlines()[0]
    source = Path(catalogue.__file__).read_text(encoding="utf-8")
    assert imported.replace("comments, ", "") in source.splitlines()
