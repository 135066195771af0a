"""Accepted texts are proved at growing intervals, and the first that cannot be proved is said."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pollard.oracle.warm.proving import Disproved, Proofs


@dataclass
class ByHand:
    """A proof that is over when the test says so."""

    text: bytes
    is_true: bool = True
    is_done: bool = False

    def is_over(self):
        return self.is_done

    def holds(self):
        return self.is_true


@dataclass
class Seen:
    """What proofs have begun, the numbers of the texts that were kept, and what was taken back."""

    begun: list[ByHand]
    kept: list[int]
    taken_back: list[int]


@pytest.fixture
def accepting():
    """A function that has so many texts accepted, of which those that it names are wrong."""

    def accept(count, wrong=()):
        seen = Seen([], [], [])

        def begin(text):
            seen.begun.append(ByHand(text, int(text) not in wrong))
            return seen.begun[-1]

        proofs = Proofs(b"original", begin)
        for number in range(1, count + 1):
            proofs.accepted(
                b"%d" % number,
                lambda number=number: seen.kept.append(number),
                lambda number=number: seen.taken_back.append(number),
            )
        return proofs, seen

    return accept


def test_the_first_second_fourth_and_eighth_accepted_texts_are_proved(accepting):
    proofs, seen = accepting(11)
    assert [proof.text for proof in seen.begun] == [b"1", b"2", b"4", b"8"]
    proofs.settle(wait=True)
    assert (proofs.proved, seen.kept) == (b"8", list(range(1, 12)))


def test_texts_are_kept_in_order_once_the_proofs_up_to_them_are_over(accepting):
    proofs, seen = accepting(5)
    seen.begun[1].is_done = True
    proofs.settle()
    assert (proofs.proved, seen.kept) == (b"original", [])
    seen.begun[0].is_done = True
    proofs.settle()
    assert (proofs.proved, seen.kept) == (b"2", [1, 2, 3])


def test_a_proof_that_fails_late_leaves_the_proved_text(accepting):
    proofs, seen = accepting(9, wrong=[4])
    with pytest.raises(Disproved) as raised:
        proofs.settle(wait=True)
    assert (raised.value.text, proofs.proved, seen.kept) == (b"4", b"2", [1, 2, 3])
    raised.value.take_back()
    assert seen.taken_back == [4]
    proofs.keep_all()
    assert seen.kept == [1, 2, 3]


def test_the_text_that_was_accepted_last_may_not_be_kept_yet(accepting):
    proofs, seen = accepting(3)
    assert proofs.last_accepted(b"best") == b"3"
    proofs.keep_all()
    assert seen.kept == [1, 2, 3]
    assert proofs.last_accepted(b"best") == b"best"
