"""docs/api.md says what the docstrings say; its examples and those of the README are true."""

from __future__ import annotations

import doctest

import pytest

import pollard
from tests.core import api_page

TEXT = api_page.PAGE.read_text(encoding="utf-8")
README = (api_page.PAGE.parents[1] / "README.md").read_text(encoding="utf-8")


def test_the_page_is_made_from_the_docstrings():
    assert api_page.page() == TEXT, "run python -m tests.core.api_page"


def test_the_page_has_every_name():
    assert sorted(" ".join(api_page.SECTIONS.values()).split()) == pollard.__all__


@pytest.mark.parametrize("example", [*api_page.examples(TEXT), *api_page.examples(README)])
def test_examples_are_true(example):
    parsed = doctest.DocTestParser().get_doctest(example, {}, "example", "api.md", 0)
    assert parsed.examples
    assert doctest.DocTestRunner().run(parsed).failed == 0


@pytest.mark.parametrize("text", [TEXT, README], ids=["api.md", "README.md"])
def test_all_examples_are_found(text):
    assert len(api_page.examples(text)) == text.count("```pycon") > 0
