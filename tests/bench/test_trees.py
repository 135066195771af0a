"""The pictures of docs/comparison.md show what the passes do, and are up to date."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pollard.syntax.grammars.languages import find
from pollard.syntax.tree.document import Document
from tests.bench import blocks, trees
from tests.bench.fates import Fate, TreeRow, line_rows, original_rows, result_rows
from tests.bench.trace import Trace, trace

_DOCS = Path(__file__).parents[2] / "docs"
_TEXT = b"f(1);\ng(h(23), 4);\n"


def _traced(strategy: str, pattern: str) -> Trace:
    text = Document(_TEXT, find("javascript").language)
    return trace(text, lambda tried: bool(re.search(pattern, tried.decode())), strategy)


def _row(rows: list[TreeRow], label: str) -> TreeRow:
    return next(row for row in rows if row.label == label)


def test_the_section_and_the_pictures_are_what_the_passes_do_now() -> None:
    """If this fails, the engine does something else than is drawn: `python -m tests.bench.trees`."""
    traces = trees.all_traces()
    assert blocks.read(_DOCS / "comparison.md", "trees") == trees.section(traces).strip()
    for made in traces:
        drawn = _DOCS / "trees" / trees.file_of(made.strategy)
        assert drawn.read_text(encoding="utf-8") == trees.picture(made)
    assert len(list((_DOCS / "trees").iterdir())) == len(traces)


@pytest.mark.parametrize(
    "file", sorted((_DOCS / "trees").glob("*.svg")), ids=lambda file: file.stem
)
def test_pictures_are_small_and_need_nothing_from_elsewhere(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert len(text) < 30_000
    assert not re.search(r"(href|src|url\((?!#)|@import|<script|https?://(?!www\.w3\.org/))", text)


def test_every_result_is_interesting_and_costs_what_is_said() -> None:
    """The runs are distinct texts: as many as the oracle is asked about."""
    for strategy in ("hdd*", "hddh*"):
        asked: list[bytes] = []

        def test(text: bytes, asked: list[bytes] = asked) -> bool:
            asked.append(text)
            return trees.is_interesting(text)

        text = Document(trees.PROGRAM, find("javascript").language)
        made = trace(text, test, strategy)
        assert trees.is_interesting(made.after.text)
        assert made.runs == len(asked) == len(set(asked))


def test_bytes_are_followed_through_all_accepted_texts() -> None:
    """Each byte that is left and not new is the byte of the original that it comes from."""
    for made in trees.all_traces():
        for step in made.steps[-1:]:
            assert len(step.origins) == len(made.after.text)
            for place, origin in enumerate(step.origins):
                assert origin < 0 or made.before.text[origin] == made.after.text[place]


def test_removed_nodes_have_the_number_of_the_step_that_removed_them() -> None:
    made = _traced("hdd*", r"g\(")
    rows = original_rows(made, hoists=False)
    first = next(row for row in rows if row.depth == 1)
    assert (first.fate, first.numbers) == (Fate.REMOVED, (1,))
    assert _row(rows, "f").fate is Fate.WITH
    assert _row(rows, "g").fate is Fate.KEPT


def test_replaced_nodes_show_what_stands_there_now() -> None:
    made = _traced("hdd*", r"g\(h\(\d+\)")
    row = _row(original_rows(made, hoists=False), "23")
    new = row.new
    assert row.fate is Fate.REPLACED
    assert new
    assert new.encode() in made.after.text
    assert _row(result_rows(made), new).fate is Fate.REPLACED


def test_hoisted_nodes_point_at_what_they_replaced() -> None:
    made = _traced("hoist*", r"h\(23\)")
    rows = original_rows(made, hoists=True)
    hoisted = rows[rows.index(_row(rows, "h")) - 1]
    assert hoisted.fate is Fate.HOISTED
    assert hoisted.target is not None
    target = rows[hoisted.target]
    assert (target.fate, target.depth) == (Fate.WITH, 1)
    assert _row(rows, "g").fate is Fate.WITH


def test_lines_keep_their_indentation() -> None:
    made = trace(Document(b"a\n  b\n    c\n"), lambda text: b"b" in text, "lines*")
    rows = line_rows(made)
    assert [row.label for row in rows] == ["a", "b", "c"]
    assert [row.depth for row in rows] == [0, 1, 2]
    assert [row.fate for row in rows] == [Fate.REMOVED, Fate.KEPT, Fate.REMOVED]
