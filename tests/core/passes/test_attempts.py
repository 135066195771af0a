"""What was tried in vain is known again, by its name, its text and how much text there was."""

from __future__ import annotations

import pytest

from pollard.engine import memory
from pollard.engine.memory import Attempts, GroupAttempts, branch_key
from pollard.syntax.branches.branches import Branch, below
from tests.core.passes.support import Case, Loop, subject_of


def branches(text: bytes) -> list[Branch]:
    """The declarations of a text in C."""
    subject = subject_of(Case(text, "c", lambda _: True), Loop(lambda _: True), [])
    return below([subject.root], subject.span)


def traces(text: bytes) -> list[bytes]:
    return [branch_key(text, branch) for branch in branches(text)]


LONG = b"int a_name_that_is_not_met_twice = 1;\n"


def test_a_long_piece_is_recognised_at_any_place() -> None:
    assert traces(LONG)[0] == LONG.strip()
    assert traces(b"int a;\n" + LONG + b"int b;\n")[1] == LONG.strip()


def test_short_pieces_are_distinguished_by_their_distance_from_the_end() -> None:
    """Equal elements of a list are different steps, even after earlier ones are removed."""
    six, five = traces(b"int a;\n" * 6), traces(b"int a;\n" * 5)
    assert len(set(six)) == 6
    assert five[2:] == six[3:]


def test_short_pieces_are_distinguished_by_their_kinds() -> None:
    text = b"int a = b;\n"
    (declaration,) = branches(text)
    inside = below(below([declaration], (0, len(text))), (0, len(text)))
    named = {branch_key(text, branch): branch for branch in inside}
    assert len(named) == len(inside) > 1


@pytest.mark.parametrize(("most", "known"), [(99, False), (99.5, False), (100, True), (400, True)])
def test_an_attempt_is_known_as_long_as_enough_of_the_text_is_left(
    most: float, known: bool
) -> None:
    attempts = Attempts()
    assert not attempts.knows("remove", b"a", most)
    attempts.note("remove", b"a", 100)
    assert attempts.knows("remove", b"a", most) == known
    assert not attempts.knows("replace", b"a", most)
    assert not attempts.knows("remove", b"b", most)


def test_a_piece_as_long_as_none_that_was_tried_is_not_hashed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Levels of a long text have pieces of megabytes, most of which were never tried."""
    attempts = Attempts()
    attempts.note("remove", b"a", 100)
    attempts.carry(b"a", b"abc")
    monkeypatch.setattr(memory, "_attempt_key", None)
    assert not attempts.knows("remove", b"ab", 100)
    assert not attempts.knows("hoist", b"a", 100)
    assert not GroupAttempts(attempts, "remove", [b"ab", b"cde"]).knows({0, 1}, 100)
    monkeypatch.undo()
    assert attempts.knows("remove", b"abc", 100)


def test_the_latest_attempt_counts() -> None:
    attempts = Attempts()
    for weight in (100, 20):
        attempts.note("hoist", b"a", weight)
    assert attempts.knows("hoist", b"a", 20)


def test_attempts_on_a_piece_are_kept_when_the_piece_changes() -> None:
    attempts = Attempts()
    attempts.note("remove", b"a = 1", 100)
    attempts.note("hoist", b"a = 1", 40)
    attempts.note("remove", b"b = 1", 20)
    attempts.carry(b"a = 1", b"b = 1")
    attempts.carry(b"c = 1", b"d = 1")
    assert attempts.knows("hoist", b"b = 1", 40)
    assert not attempts.knows("hoist", b"b = 1", 39)
    assert attempts.knows("remove", b"b = 1", 20), "what it was tried on itself counts"
    assert not attempts.knows("remove", b"d = 1", 1000)


def test_a_group_is_known_as_a_whole_only_and_by_its_traces() -> None:
    """In another document the same pieces are elsewhere; the order of a group is that of its places."""
    attempts = Attempts()
    before = GroupAttempts(attempts, "remove", [b"a", b"b", b"c"])
    before.note({0, 2}, 100)
    before.note({1}, 100)
    after = GroupAttempts(attempts, "remove", [b"a", b"c", b"b"])
    assert after.knows({1, 0}, 100)
    assert not after.knows({0, 1, 2}, 100)
    assert [after.knows_alone(place, 100) for place in range(3)] == [False, False, True]
    assert not GroupAttempts(attempts, "hollow", [b"a", b"c"]).knows({0, 1}, 100)
