"""Branches are found again after an accepted reduction, or known to be gone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.levels import relocate
from pollard.engine.subject import Candidate, Subject
from pollard.syntax.branches.branches import Branch, all_below
from pollard.syntax.tree.edits import Edit, join
from tests.core.passes.support import SAMPLES, Loop, document
from tests.examples import examples


def _edited(name: str, text: bytes, *edits: Edit) -> tuple[list[Branch], Subject]:
    """The branches of a text, and the subject after the edits were accepted."""
    subject = Subject(document(text, name), Loop(lambda _: True), guard=False)
    branches = all_below(subject.root, subject.span)
    assert subject.first([Candidate(subject.document, edits)]) is not None
    return branches, subject


def _texts(branches: list[Branch], text: bytes) -> list[bytes]:
    return [text[branch.start : branch.end] for branch in branches]


def test_what_is_left_is_found_at_its_new_place():
    text = b'[1, [2, 3], {"a": 4}]\n'
    edits = (Edit(1, 4),)
    branches, subject = _edited("json", text, *edits)
    arrays = [branch for branch in branches if branch.node.type in ("array", "object")]
    assert _texts(arrays[1:], text) == [b"[2, 3]", b'{"a": 4}']
    found = relocate(subject, arrays[1:], edits)
    assert _texts(found, subject.document.text) == [b"[2, 3]", b'{"a": 4}']
    assert all(branch.node.type in ("array", "object") for branch in found)


def test_what_is_gone_is_left_out_and_what_was_replaced_is_not():
    text = b"[1, [2, 3], 4]\n"
    edits = (Edit(1, 4), Edit(4, 10, b"0"))
    branches, subject = _edited("json", text, *edits)
    values = [branch for branch in branches if branch.parent.node.type == "array"]
    values = [branch for branch in values if not branch.is_token]
    assert _texts(values, text) == [b"1", b"[2, 3]", b"4", b"2", b"3"]
    found = relocate(subject, values[:3], edits)
    assert _texts(found, subject.document.text) == [b"0", b"4"]


def test_an_element_around_a_removal_keeps_its_place():
    text = b"[1, [2, 3], 4]\n"
    edits = (Edit(6, 9),)
    branches, subject = _edited("json", text, *edits)
    inner = [branch for branch in branches if text[branch.start : branch.end] == b"[2, 3]"]
    found = relocate(subject, inner, edits)
    assert _texts(found, subject.document.text) == [b"[2]"]


def test_without_edits_everything_is_found():
    for name, text in SAMPLES.items():
        subject = Subject(document(text, name), Loop(lambda _: True))
        level = [branch for branch in subject.root.children if branch.end > branch.start]
        found = relocate(subject, level, ())
        assert _texts(found, text) == _texts(level, text)


_SPANS = st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30)), min_size=1, max_size=4)


@examples(80)
@given(st.sampled_from(sorted(SAMPLES)), _SPANS, st.booleans())
def test_whatever_was_deleted_branches_are_found_in_order_with_what_is_left_of_them(
    name: str, spans: list[tuple[int, int]], whole: bool
):
    """Each found one has the bytes of an old one without the deleted ones."""
    text = SAMPLES[name]
    size = len(text)
    edits = join(Edit(min(a, size - 1), min(a + n, size)) for a, n in spans)
    branches, subject = _edited(name, text, *edits)
    level = [branch for branch in branches if branch.parent.parent is None]
    gone = {offset for edit in edits for offset in range(edit.start, edit.end)}
    left = [
        bytes(text[i] for i in range(branch.start, branch.end) if i not in gone) for branch in level
    ]
    found = _texts(relocate(subject, level, edits), subject.document.text)
    remaining = iter(left)
    assert all(one in remaining for one in found)
    if not gone.intersection(range(level[0].start, level[-1].end)) and whole:
        assert found == left
