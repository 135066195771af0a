"""The judgement on forecasts, and the figures that are fitted from recorded reductions."""

from __future__ import annotations

from pollard.events import Counts, Progress, Reduced
from pollard.forecast import Outlook
from tests.bench.forecasts import Recording, fitted

_FINAL = Outlook(50, 0.01)
_OPEN = Outlook(50, 0.5)


def _recording(*runs: tuple[str, Outlook, int | None]) -> Recording:
    """A recording of a text of 100 bytes; a run has a pass, a forecast and perhaps a new size."""
    recording = Recording("case", 100)
    for number, (name, outlook, size) in enumerate(runs, 1):
        counts = Counts(runs=number)
        recording.listen(Progress(100, 100, name, counts, outlook))
        if size is not None:
            recording.listen(Reduced(b"x" * size, number, name, counts))
    return recording


def test_a_forecast_is_wrong_if_a_percent_goes_soon_after_it():
    right = _recording(("a", _OPEN, 50), ("a", _FINAL, None), ("a", _FINAL, None))
    wrong = _recording(("a", _FINAL, None), ("a", _OPEN, 90))
    late = _recording(("a", _FINAL, None), *[("a", _OPEN, None)] * 100, ("a", _OPEN, 90))
    assert right.is_right
    assert not wrong.is_right
    assert late.is_right


def test_a_forecast_from_before_a_text_was_accepted_does_not_count():
    assert _recording(("a", _FINAL, 50), ("a", _OPEN, None)).first_likely_final is None


def test_figures_are_those_of_the_turns():
    saving = ("a", _OPEN, 50), ("a", _OPEN, None), ("a", _OPEN, 25), ("b", _OPEN, None)
    figures = fitted([_recording(*saving), _recording(("a", _OPEN, None))], ["a", "b"])
    (of_a,), (of_b,) = figures["a"], figures["b"]
    assert (of_a.first, of_a.again, of_a.runs, of_a.left) == (0.5, 0.5, 1.5, 0.5)
    assert (of_b.first, of_b.left) == (0.0, 1.0)


def test_each_turn_of_a_pass_has_its_own_figures_and_one_without_runs_saved_nothing():
    recording = _recording(("a", _OPEN, 50), ("b", _OPEN, None), ("c", _OPEN, None))
    assert [each.first for each in fitted([recording], "abaca")["a"]] == [1.0, 0.0, 0.0]
