"""Joint deletions on top of each other: what overlaps counts once. The analysis behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.subject import Subject
from pollard.passes.coupling.joint_deletions import Analysis, JointDeletion
from pollard.syntax.branches.units import removal
from pollard.syntax.tree.edits import Edit, join
from tests.core.passes.support import Case, Loop, document

if TYPE_CHECKING:
    from pollard.engine.subject import Edits
    from pollard.syntax.tree.document import Document

TEXT = b"f(x); g(y);\n"


def _analysis(text: bytes = TEXT) -> Analysis:
    return Analysis(Subject(document(text, "c"), Loop(Case(text, "c", lambda _: False))))


def _written(deletion: JointDeletion) -> bytes:
    analysis = _analysis()
    return analysis.document.edited(analysis.written(deletion)).text


SPANS = st.tuples(st.integers(0, 12), st.integers(0, 4)).map(lambda s: (s[0], s[0] + s[1]))
EDITS = st.builds(lambda span, new: Edit(*span, new), SPANS, st.sampled_from([b"", b"0", b"1"]))


@given(st.lists(EDITS, max_size=8))
def test_a_replacement_counts_unless_another_span_covers_it(edits):
    found = JointDeletion((), tuple(edits)).effective_edits()
    deleted = join(edit for edit in edits if not edit.new)
    first = {(e.start, e.end): e for e in reversed(edits) if e.new}
    others = [*deleted, *first.values()]
    kept = {
        edit
        for edit in first.values()
        if not any(o != edit and o.start <= edit.start and edit.end <= o.end for o in others)
    }
    assert {edit for edit in found if edit.new} == kept
    assert [edit for edit in found if not edit.new] == [edit for edit in edits if not edit.new]


def test_a_replacement_inside_a_deleted_span_is_dropped():
    deletion = JointDeletion((), (Edit(2, 3, b"0"),)) + JointDeletion((), (Edit(0, 5),))
    assert _written(deletion) == b"g(y);\n"
    assert deletion.saved(TEXT) == 5


def test_the_outer_or_else_the_first_of_two_replacements_counts():
    inner, outer = JointDeletion((), (Edit(0, 1, b"h"),)), JointDeletion((), (Edit(0, 4, b"0"),))
    assert _written(inner + outer) == _written(outer + inner) == b"0; g(y);\n"
    assert (inner + outer).saved(TEXT) == 3
    assert _written(inner + JointDeletion((), (Edit(0, 1, b"i"),))) == b"h(x); g(y);\n"


def test_neighbours_go_with_the_separators_between_them():
    text = b"f(g(x), y, z);\n"
    analysis = _analysis(text)
    names = {analysis.names.text_of(branch): branch for branch in analysis.names.units}
    deletion = JointDeletion(tuple(analysis.unit(names[name]) for name in (b"y", b"x", b"g(x)")))
    assert analysis.document.edited(analysis.written(deletion)).text == b"f(z);\n"


IMPORTS = b"import os, sys\nfrom re import (compile)\nprint(os, [1, 2])\n"


def _units(text: bytes, asked: list[bytes], **options: bool) -> set[bytes]:
    class Asked(Subject):
        def fits(self, base: Document, edits: Edits) -> bool:
            asked.append(base.edited(edits).text)
            return super().fits(base, edits)

    analysis = Analysis(Asked(document(text, "python"), Loop(lambda _: False)), **options)
    return {text[slice(*_span(removal(*unit)))] for unit in analysis.names.units.items()}


def _span(edit: Edit) -> tuple[int, int]:
    return edit.start, edit.end


def test_a_quick_analysis_asks_the_parser_about_imports_only():
    """So it knows that the brackets of an import must not become empty."""
    slow, quick = [], []
    every, likely = _units(IMPORTS, slow), _units(IMPORTS, quick, quick=True)
    assert {b"import os, sys", b"os,", b", sys"} <= every & likely
    assert b"compile" not in every | likely
    assert {b"1,", b", 2", b"print(os, [1, 2])"} <= every & likely
    assert 0 < len(quick) < len(slow)
    assert all(text.endswith(b"print(os, [1, 2])\n") for text in quick)


def test_the_analysis_of_a_long_text_is_quick():
    quick = []
    _units(IMPORTS + b"print(0)\n" * 4_000, quick)
    assert 0 < len(quick) < 40
