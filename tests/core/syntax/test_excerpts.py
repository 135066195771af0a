"""Excerpts of long texts: short, true to the whole, and not used where they cannot be."""

from __future__ import annotations

import random

import pytest

from pollard.syntax.grammars.languages import find
from pollard.syntax.names.definitions import nodes
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.excerpts import Excerpts

COUNT = 3_000
TEXTS = {
    "python": "import os\n"
    + "".join(
        f"def f{n}(a, b=[1, {n}]):\n    if a:\n        return b[{n}:]\n    x = {{'k': a}}\n\n"
        for n in range(COUNT)
    ),
    "json": '{"a": [' + ", ".join(f'{{"k": {n}, "l": [{n}, true]}}' for n in range(COUNT)) + "]}",
    "javascript": "(function () {\n"
    + "".join(f"  var x{n} = [{n}, y]; if (x{n}) {{ g(x{n}); }} else h();\n" for n in range(COUNT))
    + "})();\n",
    "php": "<?php\n" + "".join(f"function f{n}($a) {{ return $a + {n}; }}\n" for n in range(COUNT)),
    "xml": "<r>\n" + "".join(f"<i n='{n}'><p>{n}</p><q/></i>\n" for n in range(COUNT)) + "</r>\n",
    "c": "int x;\n"
    + "".join(f"static int f{n}(int a, int b) {{ return a * {n} + b; }}\n" for n in range(COUNT)),
}


def whole(language: str) -> Document:
    return Document(TEXTS[language].encode(), find(language).language)


def removals(document: Document, count: int) -> list[Edit]:
    """Return deletions of nodes all over the text, alone and with the byte after them."""
    inside = [each for each in nodes(document.root) if 0 < each.end_byte - each.start_byte < 4_000]
    chosen = random.Random(1).sample(inside, count)
    return [Edit(each.start_byte, each.end_byte + place % 2) for place, each in enumerate(chosen)]


@pytest.mark.parametrize("language", TEXTS)
def test_an_edit_fits_in_the_excerpt_as_it_fits_in_the_whole(language):
    document = whole(language)
    excerpts = Excerpts(document)
    answers = set()
    for edit in removals(document, 100):
        found = excerpts.of([edit])
        assert found is not None
        excerpt, edits = found
        assert len(excerpt.text) < len(document.text) / 4
        broken = excerpt.edited(edits).has_more_errors_than(excerpt.errors)
        assert broken == document.edited([edit]).has_more_errors_than(document.errors)
        answers.add(broken)
    assert answers == {True, False}


@pytest.mark.parametrize("language", TEXTS)
def test_edits_have_the_same_text_around_them(language):
    document = whole(language)
    for edit in removals(document, 100):
        found = Excerpts(document).of([edit])
        assert found is not None
        excerpt, (moved,) = found
        for text, place in ((document.text, edit), (excerpt.text, moved)):
            assert text[place.start : place.end] == document.text[edit.start : edit.end]
        assert excerpt.text[moved.end :][:20] == document.text[edit.end :][:20]


def test_errors_elsewhere_do_not_matter_and_errors_here_are_counted():
    text = (
        TEXTS["c"].replace("f100(int a,", "f100(int a,,").replace("f2900(int a,", "f2900(int a,,")
    )
    document = Document(text.encode(), find("c").language)
    here = document.text.index(b"f100(")
    far = document.text.index(b"f1500(")
    for place, errors in ((here, 1), (far, 0)):
        found = Excerpts(document).of([Edit(place, place + 2)])
        assert found is not None
        assert found[0].errors == errors


def test_a_root_that_is_an_error_does_not_matter():
    text = TEXTS["c"].replace("{ return", "{ if (a) { return", 20)
    document = Document(text.encode(), find("c").language)
    assert document.root.is_error
    place = document.text.index(b"static int f1500(")
    found = Excerpts(document).of([Edit(place, place + 7)])
    assert found is not None
    assert not found[0].errors


@pytest.mark.parametrize(
    ("text", "edits"),
    {
        "a short text": (TEXTS["c"][:5_000], [Edit(0, 6)]),
        "no edit": (TEXTS["c"], []),
        "edits at both ends": (
            TEXTS["c"],
            [Edit(0, 6), Edit(len(TEXTS["c"]) - 50, len(TEXTS["c"]))],
        ),
        "one long token": ('char *x = "' + 100_000 * "a" + '";\n', [Edit(20, 30)]),
    }.values(),
)
def test_the_whole_is_needed(text, edits):
    assert Excerpts(Document(text.encode(), find("c").language)).of(edits) is None


def test_a_text_without_a_grammar_has_none():
    assert Excerpts(Document(TEXTS["c"].encode())).of([Edit(0, 6)]) is None
