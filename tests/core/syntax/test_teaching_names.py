"""The example of a language's names in CONTRIBUTING.md works as it stands there."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pollard.syntax.grammars.languages import find
from pollard.syntax.names import conventions
from pollard.syntax.tree.document import Document
from tests.core.syntax.test_names import definitions_in

SECTION = (
    (Path(__file__).resolve().parents[3] / "CONTRIBUTING.md")
    .read_text(encoding="utf-8")
    .partition("## Teach Pollard a language's names\n")[2]
    .partition("\n## ")[0]
)


def _block(kind: str) -> str:
    (found,) = re.findall(rf"```{kind}\n(.*?)```", SECTION, re.DOTALL)
    return found


@pytest.fixture
def _taught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pollard with the file of the example among its languages' files."""
    folder = tmp_path / "languages"
    shutil.copytree(conventions.FOLDER, folder)
    (folder / "gn.toml").write_text(_block("toml"), encoding="utf-8")
    monkeypatch.setattr(conventions, "FOLDER", folder)
    conventions.conventions.cache_clear()
    yield
    conventions.conventions.cache_clear()


def _examples() -> dict[str, tuple[str, bytes, dict[str, list[str]]]]:
    """Return the lines that the section adds to the table of the test."""
    table: dict[str, Any] = {}
    exec(_block("python"), table)
    return table["FOUND"]


@pytest.mark.usefixtures("_taught")
def test_the_file_of_the_example_makes_its_test_pass() -> None:
    for language, text, expected in _examples().values():
        assert definitions_in(text, language) == expected


def test_without_the_file_the_test_fails() -> None:
    assert all(definitions_in(text, name) != found for name, text, found in _examples().values())


def test_the_tree_is_the_one_that_the_page_shows() -> None:
    assert str(Document(b"x = 1", find("gn").language).root) in SECTION


def test_every_key_that_the_page_names_is_read() -> None:
    rows = re.findall(r"^\| (`.*`) \|", SECTION, re.MULTILINE)
    keys = re.findall(r"`([\w.]+)`", " ".join(rows))
    exact = {f"kinds.{name}" for name in conventions.NodeKinds.__dataclass_fields__}
    exact |= {f"fields.{name}" for name in conventions.FieldNames.__dataclass_fields__}
    exact |= {f"tokens.{name}" for name in conventions.Tokens.__dataclass_fields__}
    tables = {"inner_parts", "words", "bodies", "entry", "unused", "loose_methods", "header_names"}
    assert set(keys) <= exact | tables | {"stub", "like", "detours", "typed_value", "untyped_value"}
    assert len(keys) > len(rows) > 5
