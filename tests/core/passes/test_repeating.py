"""What failed is put off: `inline` tries it again once nothing else succeeds any more."""

from __future__ import annotations

from pollard.passes.coupling.inlining import inline
from tests.core.passes.support import Case, reduced

KEPT = b"a = f(1)\n"


def _attempts(others: int) -> list[int]:
    """Return how long the texts without the first declaration were, with so many others."""
    names = [b"b%d" % number for number in range(others)]
    declared = b"".join(b"%b = g(%d)\n" % (name, len(name)) for name in names)
    text = KEPT + declared + b"print(a, %b)\n" % b", ".join(names)
    result = reduced(Case(text, "python", lambda new: KEPT in new), inline)
    assert not any(name in result.text for name in names)
    return [len(each) for each in result.judge.asked if KEPT not in each]


def test_what_failed_is_tried_again_once_however_much_succeeded_since() -> None:
    assert len(_attempts(2)) == len(_attempts(8)) > 1


def test_what_becomes_possible_by_another_success_is_found() -> None:
    text = b"a = 1\nb = 2\nprint(a, b)\n"
    case = Case(text, "python", lambda new: b"a = 1" in new or b"b = 2" not in new)
    assert reduced(case, inline).text == b"print(1, 2)\n"
