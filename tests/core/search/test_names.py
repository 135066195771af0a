"""The names of list minimisers: families, suffixes, and messages for unknown ones."""

from __future__ import annotations

import re
from functools import partial

import pytest

from pollard.errors import PollardError
from pollard.search import (
    DdminOptions,
    Minimiser,
    cdd,
    ddmin,
    minimiser,
    one_by_one,
    probdd,
    remove_each,
    sequential,
    star,
    wdd,
)
from pollard.search.ddmin import backward, balanced_split, skip
from pollard.search.registry import FAMILIES, summaries
from tests.core.search.support import MINIMISERS, Problem, Recorder, closed, scattered

PROBLEMS = [
    Problem(13, lambda config: closed(frozenset({12}), ((12, 3), (3, 7), (5, 6)), config)),
    Problem(21, lambda config: scattered(5, 8, config)),
    Problem(30, lambda config: {2, 3, 17, 29}.issubset(config)),
]


def runs(minimise: Minimiser) -> list[object]:
    """Return results and tested configurations for problems that distinguish minimisers."""
    done: list[object] = []
    for problem in PROBLEMS:
        recorder = Recorder(problem)
        done += [minimise(problem.items, sequential(recorder)), *recorder.asked]
    return done


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("ddmin", ddmin),
        ("ddmin-3", partial(ddmin, options=DdminOptions(factor=3))),
        ("ddmin-balanced", partial(ddmin, options=DdminOptions(split=balanced_split))),
        ("ddmin-subset", partial(ddmin, options=DdminOptions(complements=skip))),
        ("ddmin-backsubsets", partial(ddmin, options=DdminOptions(subsets=backward))),
        ("ddmin-backcomplements", partial(ddmin, options=DdminOptions(complements=backward))),
        ("ddmin-last", partial(ddmin, options=DdminOptions(subsets_first=False))),
        ("ddmin-interleaved", partial(ddmin, options=DdminOptions(interleaved=True))),
        ("ddmin-uncached", partial(ddmin, options=DdminOptions(cached=False))),
        (
            "ddmin-4-complement-balanced-backward",
            partial(
                ddmin,
                options=DdminOptions(4, balanced_split, subsets=skip, complements=backward),
            ),
        ),
        ("ddmin-complement*", star(partial(ddmin, options=DdminOptions(subsets=skip)))),
        ("remove-each-backward", partial(remove_each, backward=True)),
        ("remove-each-once-whole", partial(remove_each, whole=True, repeat=False)),
        ("one-by-one", one_by_one),
        ("cdd", partial(cdd, p0=0.1)),
        ("cdd-.25", partial(cdd, p0=0.25)),
        ("probdd-0.05", partial(probdd, p0=0.05)),
        ("wdd", wdd),
    ],
)
def test_suffixes_set_options(name: str, same: Minimiser) -> None:
    assert runs(minimiser(name)) == runs(same)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ddmin-complement-backward", "ddmin-backward-complement"),
        ("ddmin-4-last-balanced", "ddmin-balanced-4-last"),
        ("remove-each-whole-backward", "remove-each-backward-whole"),
        ("cdd-backward-0.25", "cdd-0.25-backward"),
    ],
)
def test_suffixes_may_come_in_any_order(one: str, other: str) -> None:
    assert runs(minimiser(one)) == runs(minimiser(other))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_suffix_has_an_effect(family) -> None:  # type: ignore[no-untyped-def]
    plain = runs(minimiser(family.name))
    for suffix in family.suffixes:
        written = {"-2": "-3", "-0.1": "-0.4"}.get(f"-{suffix}", f"-{suffix}")
        assert runs(minimiser(family.name + written)) != plain, written


@pytest.mark.parametrize("name", ["cdd", "probdd", "wprobdd", "wdd", "one-by-one", "gallop"])
def test_backward_equals_forward_on_the_reversed_list(name: str) -> None:
    for problem in PROBLEMS:
        mirrored = Recorder[tuple[int, ...]](lambda config: problem(config[::-1]))  # noqa: B023
        expected = minimiser(name)(problem.items[::-1], sequential(mirrored))
        recorder = Recorder(problem)
        result = minimiser(f"{name}-backward")(problem.items, sequential(recorder))
        assert result == expected[::-1]
        assert recorder.asked == [config[::-1] for config in mirrored.asked]


@pytest.mark.parametrize(
    "name", ["ddmim", "", "*", "ddminx", "remove", "dd-min", "cdd**", "ddmin*-4", "-ddmin"]
)
def test_an_unknown_family_raises_and_lists_the_known_ones(name: str) -> None:
    with pytest.raises(PollardError) as refused:
        minimiser(name)
    if "ddmin*" not in name and name != "cdd**":
        assert str(refused.value).startswith("There is no list minimiser '")
    assert "ddmin, remove-each" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "wrong", "known"),
    [
        ("ddmin-complements", "complements", "-complement, -subset, -backward"),
        ("ddmin-1", "1", "-2"),
        ("ddmin-0", "0", "-2"),
        ("ddmin--backward", "", "-backward"),
        ("ddmin-", "", "-backward"),
        ("remove-each-balanced", "balanced", "only -whole, -backward, -once."),
        ("cdd-1", "1", "only -0.1, -backward."),
        ("cdd-0.0", "0.0", "-0.1"),
        ("probdd-1.5", "1.5", "-0.1"),
        ("wdd-0.1", "0.1", "only -backward."),
    ],
)
def test_an_unknown_suffix_raises_and_lists_the_known_ones(
    name: str, wrong: str, known: str
) -> None:
    with pytest.raises(PollardError, match="has no suffix") as refused:
        minimiser(name)
    assert f"'-{wrong}'" in str(refused.value)
    assert known in str(refused.value)


@pytest.mark.parametrize(
    "name",
    [
        "ddmin-backward-backward",
        "ddmin-2-4",
        "ddmin-complement-subset",
        "ddmin-backward-backsubsets",
        "remove-each-once-once",
        "cdd-0.1-0.25",
    ],
)
def test_repeated_or_contradictory_suffixes_raise(name: str) -> None:
    with pytest.raises(PollardError, match="repeats or contradicts") as refused:
        minimiser(name)
    assert f"'{name}'" in str(refused.value)


def test_names_can_be_written_in_strategies() -> None:
    """A strategy puts `:` before a minimiser, `+` after it, and `*` after the pass."""
    for name in [*MINIMISERS, *(written for written, _ in summaries())]:
        assert not re.search(r"[:+*]", name)
