"""Accepted texts are proved at growing intervals, and the first that cannot be proved is said."""

from __future__ import annotations

import pytest

from pollard.oracle.warm.proving import Disproved, Proofs


def test_the_first_second_fourth_and_eighth_accepted_texts_are_proved():
    asked = []
    proofs = Proofs(b"original", lambda text: bool(asked.append(text)) or True)
    for number in range(1, 12):
        proofs.accepted(b"%d" % number)
    assert asked == [b"1", b"2", b"4", b"8"]
    assert proofs.proved == b"8"


def test_a_text_that_a_cold_run_does_not_confirm_leaves_the_proved_one():
    proofs = Proofs(b"original", lambda text: text != b"4")
    for number in range(1, 4):
        proofs.accepted(b"%d" % number)
    with pytest.raises(Disproved) as raised:
        proofs.accepted(b"4")
    assert (raised.value.text, proofs.proved) == (b"4", b"2")
