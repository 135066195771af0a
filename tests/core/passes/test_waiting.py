"""The queue of Perses and Pardis: who is next, also after the document has changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.levels import relocate
from pollard.engine.subject import Candidate, Subject
from pollard.passes.papers.queue import Waiting
from pollard.syntax.branches.branches import Branch, below
from pollard.syntax.tree.edits import Edit, join
from pollard.syntax.tree.sizes import leaves
from tests.core.passes.support import SAMPLES, Loop, document
from tests.examples import examples

TEXT = b'["one", [2, 3], 4, [5, [6]], "seven", [8, 9]]\n'


def _subject(name: str, text: bytes) -> Subject:
    return Subject(document(text, name), Loop(lambda _: True), guard=False)


def _level(subject: Subject, depth: int = 2) -> list[Branch]:
    level = [subject.root]
    for _ in range(depth):
        level = below(level, subject.span)
    return level


def _values(subject: Subject) -> list[Branch]:
    return [branch for branch in _level(subject) if not branch.is_token]


def _popped(waiting: Waiting, subject: Subject) -> list[bytes]:
    found = iter(waiting.pop, None)
    return [subject.document.text[branch.start : branch.end] for branch in found]


def _accept(subject: Subject, *edits: Edit) -> tuple[Edit, ...]:
    joined = join(edits)
    assert subject.first([Candidate(subject.document, joined)]) is not None
    return joined


def test_the_branch_with_most_tokens_is_next_and_ties_keep_their_order():
    subject = _subject("json", TEXT)
    waiting = Waiting(subject, _values(subject))
    strings_have_three = [b"[5, [6]]", b"[2, 3]", b"[8, 9]", b'"one"', b'"seven"', b"4"]
    assert _popped(waiting, subject) == strings_have_three


def test_branches_pushed_later_are_sorted_in():
    subject = _subject("json", TEXT)
    waiting = Waiting(subject, _values(subject))
    heaviest = waiting.pop()
    assert heaviest is not None
    waiting.push(branch for branch in heaviest.children if not branch.is_token)
    assert _popped(waiting, subject) == [
        b"[2, 3]",
        b"[8, 9]",
        b'"one"',
        b'"seven"',
        b"[6]",
        b"4",
        b"5",
    ]


def test_branches_popped_together_are_siblings():
    subject = _subject("json", b"[[1, 2], [[3], [4]], [5, 6]]\n")
    waiting = Waiting(subject, _values(subject))
    assert [branch.start for branch in waiting.pop_equals()] == [9]
    waiting.push(_level(_subject("json", b"[[7, 8]]\n")))
    assert [branch.start for branch in waiting.pop_equals()] == [1, 21]
    assert len(waiting) == 3


def test_a_lighter_branch_is_not_popped_with_heavier_ones_even_if_one_of_them_is_gone():
    subject = _subject("json", TEXT)
    waiting = Waiting(subject, [branch for branch in _values(subject) if leaves(branch.node) < 7])
    start = TEXT.index(b", [8")
    waiting.on_moved(_accept(subject, Edit(start, start + 8)))
    assert [branch.start for branch in waiting.pop_equals()] == [TEXT.index(b"[2")]
    assert [branch.start for branch in waiting.pop_equals()] == [1, TEXT.index(b'"seven')]


def test_after_an_edit_the_branches_that_are_left_are_found_at_their_new_places():
    subject = _subject("json", TEXT)
    waiting = Waiting(subject, _values(subject))
    start = TEXT.index(b"[5")
    waiting.on_moved(_accept(subject, Edit(1, 8), Edit(start, start + 10)))
    waiting.on_moved(_accept(subject, Edit(3, 6)))
    assert subject.document.text == b'[[2], 4, "seven", [8, 9]]\n'
    assert _popped(waiting, subject) == [b"[2]", b"[8, 9]", b'"seven"', b"4"]


_SPANS = st.lists(st.tuples(st.integers(0, 200), st.integers(1, 30)), min_size=1, max_size=3)


@examples(80)
@given(
    st.sampled_from(sorted(SAMPLES)), st.lists(_SPANS, min_size=1, max_size=3), st.integers(1, 3)
)
def test_lazy_lookups_find_what_looking_up_all_branches_at_once_finds(
    name: str, rounds: list[list[tuple[int, int]]], depth: int
):
    subject = _subject(name, SAMPLES[name])
    left = _level(subject, depth)
    waiting = Waiting(subject, left)
    for spans in rounds:
        last = len(subject.document.text) - 1
        joined = join(Edit(min(a, last), min(a + n, last)) for a, n in spans)
        if joined:
            edits = _accept(subject, *joined)
            left = relocate(subject, left, edits)
            waiting.on_moved(edits)
    found = {(branch.start, branch.end) for branch in iter(waiting.pop, None)}
    assert {(branch.start, branch.end) for branch in left} <= found


@examples(60)
@given(st.sampled_from(sorted(SAMPLES)), st.integers(0, 12), st.integers(0, 12), st.booleans())
def test_turns_and_pushes_can_be_undone(name: str, before: int, after: int, lists: bool):
    """Branches that were read ahead do not change which is next."""
    subject = _subject(name, SAMPLES[name])

    def turn(waiting: Waiting) -> None:
        branches = waiting.pop_equals() if lists else waiting.pop_first()
        waiting.push(below(branches, subject.span))

    def advanced(turns: int) -> Waiting:
        waiting = Waiting(subject, _level(subject, 1))
        for _ in range(turns):
            turn(waiting)
        return waiting

    waiting = advanced(before)
    mark = waiting.mark()
    for _ in range(after):
        turn(waiting)
    waiting.rewind(mark)
    for _ in range(5):
        turn(waiting)
    assert _popped(waiting, subject) == _popped(advanced(before + 5), subject)


def test_weights_are_numbers_of_leaves():
    subject = _subject("json", TEXT)
    assert [leaves(branch.node) for branch in _values(subject)] == [3, 5, 1, 7, 3, 5]
