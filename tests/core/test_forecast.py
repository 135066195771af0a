"""The forecast of a result's size, and of whether the text is likely final."""

from __future__ import annotations

import pytest

from pollard.events import Progress
from pollard.forecast import FIGURES, Forecast, Outlook
from pollard.oracle import Predicate
from pollard.passes.strategy import Strategy
from pollard.speculation import Speculation, modes
from tests.core.reductions import plan, watched


def _begun(passes: tuple[str, ...], size: int) -> Forecast:
    forecast = Forecast(passes, size)
    forecast.began(passes[0])
    return forecast


def test_without_further_savings_the_chance_falls_until_the_text_is_likely_final():
    forecast = _begun(("shorten",), 100)
    chances = []
    for runs in range(40):
        forecast.ran(runs)
        chances.append(forecast.chance)
    assert chances == sorted(chances, reverse=True)
    assert not Outlook(None, chances[0]).likely_final
    assert Outlook(None, chances[-1]).likely_final


def test_a_saving_of_a_percent_raises_the_chance_and_a_smaller_one_does_not():
    forecast = _begun(("heaviest",), 1000)
    forecast.ran(60)
    low = forecast.chance
    forecast.accepted(995)
    assert forecast.chance == low
    forecast.accepted(980)
    assert forecast.chance > low


def test_what_later_passes_may_save_counts():
    alone, followed = _begun(("heaviest",), 1000), _begun(("heaviest", "rename"), 1000)
    for forecast in (alone, followed):
        forecast.ran(10_000)
    assert alone.chance < 0.01
    assert followed.chance > 0.4
    assert followed.outlook(1000).bytes < alone.outlook(1000).bytes


def test_a_pass_of_which_nothing_is_known_is_doubted_for_long_and_gets_no_size():
    forecast = _begun(("lines",), 1000)
    forecast.ran(1000)
    assert not forecast.outlook(1000).likely_final
    forecast.ran(2000)
    assert forecast.outlook(1000) == Outlook(None, round(100 / 2100, 3))


@pytest.mark.parametrize("preset", ["default", "smallest"])
def test_something_is_known_of_every_pass_of_a_preset(preset: str):
    """Else no size is forecast until the pass is over."""
    assert {step.name for step in Strategy.parse(preset).steps} <= set(FIGURES)


def test_a_later_turn_of_a_pass_has_figures_of_its_own():
    first, second = _begun(("coupled",), 1000), _begun(("coupled", "inline", "coupled"), 1000)
    second.began("inline")
    second.began("coupled")
    assert second.chance < first.chance / 2


def test_the_size_forecast_ends_at_the_size_of_the_text():
    forecast = _begun(("heaviest",), 1000)
    assert forecast.outlook(1200).bytes < 1000
    forecast.accepted(400)
    forecast.ran(10_000)
    assert forecast.outlook(450).bytes == 450


def test_rounds_of_a_pass_are_one_turn_and_other_steps_are_none():
    forecast = _begun(("heaviest", "rename"), 1000)
    forecast.ran(50)
    before = forecast.chance
    forecast.began("heaviest")
    forecast.began("tidy")
    assert forecast.chance == before
    forecast.began("rename")
    assert forecast.chance != before


@pytest.mark.parametrize("strategy", ["default", "ddmin"])
def test_any_number_of_jobs_forecasts_the_same(strategy: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(modes, "_MIN_RUN_SECONDS", 0.0)

    def outlooks(jobs: int) -> list[Outlook]:
        of = plan(
            oracle=Predicate(lambda text: text.count(b"needle") == 2),
            strategy=Strategy.parse(strategy),
            jobs=jobs,
            speculation=Speculation.EAGER,
        )
        return [event.outlook for event in watched(of).of(Progress)]

    alone = outlooks(1)
    assert len(set(alone)) > 3
    assert outlooks(3) == alone
    assert any(outlook.bytes for outlook in alone) == (strategy == "default")
