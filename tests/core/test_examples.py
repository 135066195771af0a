"""The files of examples/ do what they say."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from pollard.settings.settings_file import read_settings
from pollard.syntax.grammars.languages import grammar_for
from pollard.syntax.tree.document import Document

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_a_failing_pytest_test_shows_its_reduced_input():
    example = runpy.run_path(str(EXAMPLES / "test_with_pytest.py"))
    with pytest.raises(AssertionError) as caught:
        example["test_prices_are_positive"](example["ORDERS"])
    shown = "".join(str(caught.value).split())
    assert shown == 'Thetestalsofailsfor{"orders":[{"lines":[]}]}'
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_failing_hypothesis_test_shows_its_reduced_input():
    example = runpy.run_path(str(EXAMPLES / "test_with_hypothesis.py"))
    with pytest.raises(AssertionError, match=r"^The meaning changes for '#'$"):
        example["test_comments_have_no_meaning"]()


@pytest.mark.parametrize(("name", "oracle"), [("blur.c", "gcc-ice"), ("cart.js", "esbuild")])
def test_each_file_of_the_tour_has_its_oracle(name, oracle):
    text = (EXAMPLES / name).read_bytes()
    grammar = grammar_for(name, text, None)
    assert grammar is not None
    assert Document(text, grammar.language).errors == 0
    assert read_settings(EXAMPLES / "pollard.toml").oracle_for(grammar.name).name == oracle


def test_the_page_of_the_examples_names_them_all():
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in EXAMPLES.iterdir() if path.is_file()} - {"README.md"}
    assert {name for name in files if f"`{name}`" in page} == files
