"""A search that reaches a limit ends with its best text, laid out, and can go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pollard.events import Reduced
from pollard.limits import Clock, SearchEnded, SearchLimits
from pollard.oracle import Predicate
from pollard.reduction import Reduction
from pollard.speculation import Speculation, modes
from pollard.syntax.grammars.languages import find
from tests.core.reductions import Watched, plan, shell, watched

ROWS = "[\n" + ",\n".join(f"    {{{n}: [{n}, needle({n})]}}" for n in range(12)) + "\n]\n"
TEXT = ROWS.encode()
#: Runs in the middle of the search for five needles, which takes more than twice as many.
LIMIT = 20


def _five_needles(text: bytes) -> bool:
    return text.count(b"needle") >= 5


def _reduced(max_runs: int | None, jobs: int = 1, **options) -> Watched:
    settings = {
        "text": TEXT,
        "filename": "case.py",
        "grammar": find("python"),
        "oracle": Predicate(_five_needles),
        "search_limits": SearchLimits(max_runs),
    }
    return watched(plan(jobs=jobs, **{**settings, **options}))


def test_limits_end_the_search_at_the_run_after_the_last_and_say_so():
    limits = SearchLimits(max_runs=3, max_seconds=60.0)
    limits.check(2, 59.9)
    with pytest.raises(SearchEnded, match=r"limit of 3 runs\.") as by_runs:
        limits.check(3, 0.0)
    with pytest.raises(SearchEnded, match=r"limit of 1 min\.") as by_time:
        limits.check(0, 60.0)
    assert (by_runs.value.by, by_time.value.by) == ("max_runs", "max_time")
    SearchLimits().check(10**9, 1e9)


def test_a_clock_stands_still_while_it_is_paused():
    clock = Clock()
    clock.pause()
    paused = clock.seconds
    assert clock.seconds == paused
    clock.pause()
    assert clock.seconds == paused
    clock.go_on()
    clock.go_on()
    assert clock.seconds < paused + 60


def test_at_its_limit_a_search_ends_with_the_best_text_laid_out():
    whole, ended = _reduced(None), _reduced(LIMIT)
    result = ended.result
    assert whole.result.ended_by is None
    assert (result.ended_by, result.cancelled) == ("max_runs", False)
    assert result.notes[-1] == f"The search ended at its limit of {LIMIT} runs."
    assert len(whole.result.text) < len(result.text) < len(TEXT)
    assert _five_needles(result.text)
    # The texts up to the limit are those of the whole search; what follows lays out the last one.
    searched = [text for text in ended.texts if text in whole.texts]
    assert searched == whole.texts[: len(searched)]
    assert "".join(ended.texts[-1].decode().split()) == "".join(searched[-1].decode().split())
    assert "tidy" in [each.name for each in result.passes]


def test_the_search_uses_its_runs_but_no_more():
    """Only what lays the result out may be run after the limit."""
    result = _reduced(LIMIT).result
    tidying = next(each.runs for each in result.passes if each.name == "tidy")
    searching = sum(each.runs for each in result.passes) - tidying
    assert searching == LIMIT
    assert result.counts.runs <= LIMIT + tidying


@pytest.mark.parametrize("speculation", [Speculation.OFF, Speculation.EAGER])
@pytest.mark.parametrize("limit", [1, 7, LIMIT])
def test_any_number_of_jobs_ends_at_the_same_text(
    limit: int, speculation: Speculation, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(modes, "_MIN_RUN_SECONDS", 0.0)
    alone, many = _reduced(limit), _reduced(limit, 3, speculation=speculation)
    assert many.texts == alone.texts
    assert many.result.text == alone.result.text
    assert many.result.counts.runs == alone.result.counts.runs


def test_a_region_stays_the_only_part_that_changes_after_the_limit():
    start, end = TEXT.index(b"    {3"), TEXT.index(b"    {9")
    result = _reduced(8, region=(start, end), oracle=Predicate(lambda t: b"(5)" in t)).result
    assert result.ended_by == "max_runs"
    assert len(result.text) < len(TEXT)
    assert result.text.startswith(TEXT[:start])
    assert result.text.endswith(TEXT[end:])


def test_another_reduction_goes_on_where_a_limited_one_ended(tmp_path: Path):
    """As if there had been no limit: the texts and the verdicts of the first are there."""
    oracle = shell('[ "$(grep -o needle "$1" | wc -l)" -ge 5 ]')
    options = {"text": TEXT, "filename": "case.py", "grammar": find("python"), "oracle": oracle}
    ended = watched(plan(**options, journal=tmp_path, search_limits=SearchLimits(LIMIT)))
    further = watched(
        plan(**options, journal=tmp_path, resume=True, search_limits=SearchLimits(LIMIT // 2))
    )
    resumed = watched(plan(**options, journal=tmp_path, resume=True))
    assert ended.result.ended_by == further.result.ended_by == "max_runs"
    assert len(further.result.text) < len(ended.result.text)
    assert resumed.result.ended_by is None
    assert resumed.result.text == _reduced(None).result.text


def test_the_formatter_formats_the_text_at_the_limit():
    oracle = shell('[ "$(grep -o needle "$1" | wc -l)" -ge 5 ]', formatter=("sed", "s/ *$/ /"))
    formatted = _reduced(LIMIT, oracle=oracle).result
    assert formatted.ended_by == "max_runs"
    assert formatted.passes[-1].name == "formatter"
    assert all(line.endswith(b" ") for line in formatted.text.splitlines())


def test_a_limit_without_any_success_leaves_the_file_as_it_is():
    result = _reduced(1).result
    assert (result.ended_by, result.text) == ("max_runs", TEXT)


def test_an_hour_of_search_reaches_a_limit_of_an_hour():
    def pass_an_hour(event) -> None:
        if isinstance(event, Reduced):
            reduction._standing.clock._began -= 3600

    options = {"text": TEXT, "filename": "case.py", "grammar": find("python")}
    limited = plan(
        **options, oracle=Predicate(_five_needles), search_limits=SearchLimits(max_seconds=3600.0)
    )
    reduction = Reduction(limited, pass_an_hour)
    result = reduction.run()
    assert result.ended_by == "max_time"
    assert result.notes[-1] == "The search ended at its limit of 1 h."
    assert len(result.text) < len(TEXT)


def test_an_hour_of_pause_does_not():
    reduction = Reduction(
        plan(
            oracle=Predicate(lambda t: b"deep" in t), search_limits=SearchLimits(max_seconds=3600.0)
        )
    )
    reduction.pause()
    assert reduction._standing.clock._paused_at is not None
    reduction._standing.clock._paused_at -= 3600
    reduction._standing.clock._began -= 3600
    reduction.resume()
    assert reduction.run().ended_by is None
