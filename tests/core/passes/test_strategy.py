"""Strategies by name, and every preset on every kind of document."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from pollard.engine.declaration import Pass
from pollard.engine.statistics import PassStatistics, Statistics
from pollard.engine.subject import Subject
from pollard.errors import PollardError
from pollard.oracle.predicate import Predicate
from pollard.passes import strategy as strategies
from pollard.passes.catalogue import PASSES
from pollard.passes.strategy import (
    PRESETS,
    Step,
    Strategy,
    StrategyError,
    default_strategy,
)
from pollard.plan import Plan
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import SAMPLES, Case, cases, document, in_order, reduced, removable
from tests.core.search.support import MINIMISERS
from tests.examples import examples

#: The default strategy up to where the guard is left: from there on the trees are others.
GUARDED = "+".join(name for name in PRESETS["default"] if name != "unguarded")


def written(strategy: Strategy) -> list[str]:
    return [str(step) for step in strategy.steps]


@pytest.mark.parametrize("name", PRESETS)
def test_presets_have_the_name_that_the_user_gave(name: str):
    strategy = Strategy.parse(name)
    assert strategy.name == name
    assert written(strategy) == list(PRESETS[name])


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_is_a_strategy_with_and_without_a_star(name: str):
    assert Strategy.parse([name]).steps == (Step(name),)
    assert Strategy.parse([f"{name}*"]).steps == (Step(name, repeated=True),)
    if name not in PRESETS:
        assert Strategy.parse(name).steps == (Step(name),)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("hdd", ["hdd"]),
        ("coarse-hdd+hddr*", ["coarse-hdd", "hddr*"]),
        (" unnest + lines* ", ["unnest", "lines*"]),
        ("hdd+", ["hdd+"]),
        ("hdd+*", ["hdd+*"]),
        ("hoist+hdd", ["hoist", "hdd"]),
        (["coarse-hdd", "hddh*"], ["coarse-hdd", "hddh*"]),
        (("hdd+", "hoist*"), ["hdd+", "hoist*"]),
        ("hdd:ddmin+hddh:ddmin-complement*", ["hdd:ddmin", "hddh:ddmin-complement*"]),
    ],
)
def test_passes_are_joined_by_plus_or_listed(text: str | list[str], steps: list[str]):
    assert written(Strategy.parse(text)) == steps


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("unnest+hdd+", ["unnest", "hdd+"]),
        ("hdd+*+hoist", ["hdd+*", "hoist"]),
        ("hdd++hoist*", ["hdd+", "hoist*"]),
    ],
)
def test_hdd_plus_can_be_joined_with_others(text: str, steps: list[str]):
    """A list's name is its passes joined by `+`, and must mean the same list again."""
    assert written(Strategy.parse(text)) == steps
    assert written(Strategy.parse(Strategy.parse(steps).name)) == steps


def test_a_minimiser_after_a_colon_must_be_known_and_of_use():
    with pytest.raises(PollardError, match="no list minimiser 'ddmni'"):
        Strategy.parse("hdd:ddmni*")
    with pytest.raises(StrategyError, match="'hoist' minimises no lists"):
        Strategy.parse("hoist:ddmin")


@pytest.mark.parametrize("name", MINIMISERS)
def test_every_minimiser_can_be_written_after_a_pass(name: str):
    written = f"hdd:{name}*+lines:{name}"
    assert Strategy.parse(written).steps == (Step("hdd", name, repeated=True), Step("lines", name))
    assert Strategy.parse(written).name == written


@pytest.mark.parametrize("name", [name for name, one in PASSES.items() if one.minimises_lists])
def test_a_pass_uses_the_minimiser_after_its_colon(name: str, monkeypatch: pytest.MonkeyPatch):
    asked: list[int] = []

    def none(items: tuple[object, ...], _: object) -> tuple[object, ...]:
        asked.append(len(items))
        return items

    monkeypatch.setattr(strategies, "minimiser", lambda _: none)
    case = Case(b"[1, 2, 3]\n", "json", lambda _: False)
    Strategy.parse(f"{name}:ddmin").run(_subject(case))
    assert asked


@pytest.mark.parametrize(
    ("text", "wrong", "near"),
    [
        ("hddx", "hddx", "'hdd'"),
        ("corse-hdd*+hddh", "corse-hdd*", "'coarse-hdd'"),
        (["hoits*"], "hoits*", "'hoist'"),
        ("defualt", "defualt", "'default'"),
        ("sublime", "sublime", "Known: "),
        ("", "", "Known: "),
        ("hdd**", "hdd**", "'hdd*'"),
    ],
)
def test_unknown_names_are_told_with_the_nearest_that_is_known(text, wrong, near):
    with pytest.raises(StrategyError) as refused:
        Strategy.parse(text)
    assert isinstance(refused.value, PollardError)
    assert f"'{wrong}'" in str(refused.value)
    assert near in str(refused.value)


def test_presets_may_be_parts_of_a_list():
    steps = Strategy.parse("default").steps
    assert Strategy.parse(["lines", "default"]).steps == (Step("lines"), *steps)
    assert Strategy.parse("lines+default").steps == (Step("lines"), *steps)
    assert Strategy.parse(["default"]) == Strategy.parse("default")


def test_what_needs_a_tree():
    assert not Strategy.parse("ddmin").needs_tree
    assert not Strategy.parse("lines*+characters").needs_tree
    assert Strategy.parse("lines+hdd").needs_tree
    assert all(Strategy.parse(name).needs_tree for name in PRESETS if name != "ddmin")


def test_without_renaming_the_default_leaves_out_what_renames():
    every, without = default_strategy(), default_strategy(renaming=False)
    assert every == Strategy.parse("default")
    assert without.name == "default"
    renaming = {"rename", "shorten"}
    assert {step.name for step in every.steps} - {step.name for step in without.steps} == renaming
    kept = [one for one in PRESETS["default"] if one not in renaming]
    assert written(without) == kept


def test_a_function_is_inlined_once_nothing_else_is_in_it():
    """Its other statements can only go after its parameter did."""
    text = b"void p(int a) { h(a, 1); h(a, 2); h(a, 3); check(0); }\nint main() { p(7); }\n"
    inlined = re.compile(rb"main\(\)\{(h\(.*\);)*check\(0\);\}")
    called = re.compile(rb"voidp\(\)\{(h\(.*\);)*check\(0\);\}intmain\(\)\{p\(\);\}")

    def fails(candidate: bytes) -> bool:
        squeezed = b"".join(candidate.split())
        return bool(inlined.search(squeezed) or called.search(squeezed))

    result = reduced(Case(text, "c", fails), "default").text
    assert b"void p" not in result
    assert b"check(0);" in result


def test_smallest_has_all_of_the_default_in_its_order():
    steps = iter(PRESETS["smallest"])
    assert all(step in steps for step in PRESETS["default"])


@examples(40)
@given(case=cases())
def test_no_run_of_the_default_has_more_syntax_errors(case: Case):
    result = reduced(case, "default")
    errors = document(case.text, case.language).errors
    assert all(document(text, case.language).errors <= errors for text in result.judge.asked)


def test_a_second_look_leaves_out_what_the_first_began_with():
    again = written(default_strategy().second_look())
    assert again[:3] == ["heaviest", "coupled", "inline"]
    assert again[3:] == list(PRESETS["default"][PRESETS["default"].index("heaviest") :])
    assert Strategy.parse("hdd*").second_look() == Strategy.parse("hdd*")


def test_a_first_look_and_what_follows_it_are_the_whole_strategy():
    strategy = default_strategy(renaming=True)
    first, rest = strategy.first_look(), strategy.after_first_look()
    assert first.steps + rest.steps == strategy.steps
    assert written(first)[-1] == "heaviest*"
    assert "values" in written(rest)
    # What comes before the last step of the first look may find more after it.
    assert rest.ended_with == "heaviest"
    assert Strategy.parse("hdd*").first_look().steps == Strategy.parse("hdd*").steps


def test_what_shortens_is_the_end_of_a_strategy():
    strategy = default_strategy()
    body, end = strategy.unshortened(), strategy.shortening()
    assert body.steps + end.steps == strategy.steps
    assert written(end) == ["rename", "polish", "shorten"]
    assert Strategy.parse("hdd*").unshortened().steps == Strategy.parse("hdd*").steps
    assert Strategy.parse("hdd*").shortening().steps == ()


def test_a_second_look_at_what_is_not_finished_ends_with_the_steps_that_are_left():
    strategy = default_strategy()
    again = strategy.second_look(finished=False)
    assert again.steps[3:] == strategy.after_first_look().steps
    assert again.probes == 0


@pytest.mark.parametrize("achieves", [False, True])
def test_what_a_text_ended_with_runs_again_only_once_another_step_achieves_something(
    achieves: bool, monkeypatch: pytest.MonkeyPatch
):
    done: list[str] = []

    def other(subject: Subject) -> None:
        done.append("other")
        subject.tally.accepted += achieves

    fakes = {
        "former": Pass("former", lambda _: done.append("former"), runs=""),
        "other": Pass("other", other, runs=""),
    }
    monkeypatch.setattr(strategies, "PASSES", fakes)
    steps = (Step("former"), Step("other"), Step("former"))
    Strategy("mine", steps, ended_with="former").run(_subject())
    assert done == (["other", "former"] if achieves else ["other"])


@pytest.mark.parametrize("achieves", [False, True])
def test_the_steps_after_the_probes_run_only_if_those_achieve_something(
    achieves: bool, monkeypatch: pytest.MonkeyPatch
):
    done: list[str] = []

    def probe(subject: Subject) -> None:
        done.append("probe")
        subject.tally.accepted += achieves

    fakes = {
        "probe": Pass("probe", probe, runs=""),
        "other": Pass("other", lambda _: done.append("other"), runs=""),
    }
    monkeypatch.setattr(strategies, "PASSES", fakes)
    Strategy("mine", (Step("probe"), Step("other")), probes=1).run(_subject())
    assert done == (["probe", "other"] if achieves else ["probe"])


def _subject(case: Case | None = None) -> Subject:
    case = case or Case(b"[1]\n", "json", lambda _: False)
    judge = reduced(case, lambda _: None).judge
    return Subject(document(case.text, "json"), judge)


def test_passes_run_in_order_and_each_round_is_measured(monkeypatch: pytest.MonkeyPatch):
    done: list[str] = []
    fakes = {
        name: Pass(name, lambda _, name=name: done.append(name), runs="") for name in ("one", "two")
    }
    monkeypatch.setattr(strategies, "PASSES", fakes)
    ended: list[str] = []

    def on_pass_ended(one: PassStatistics) -> None:
        ended.append(one.name)
        assert ended == done

    statistics = Statistics(on_pass_ended)
    steps = (Step("two"), Step("one", repeated=True), Step("two"))
    Strategy("mine", steps).run(_subject(), statistics)
    assert done == ended == ["two", "one", "two"]
    assert [(one.name, one.rounds) for one in statistics.passes] == [("two", 2), ("one", 1)]


def test_a_star_repeats_until_nothing_changes(monkeypatch: pytest.MonkeyPatch):
    """What counts is a reduction, or that a pass has explored the tree for the first time."""
    visits: list[int] = []

    def eager(subject: Subject) -> None:
        visits.append(subject.tally.accepted)
        subject.tally.accepted += len(visits) < 4
        subject.memory.every_unit_tried = len(visits) > 4

    monkeypatch.setattr(strategies, "PASSES", {"eager": Pass("eager", eager, runs="")})
    Strategy("mine", (Step("eager"),)).run(_subject())
    assert visits == [0]
    visits.clear()
    Strategy("mine", (Step("eager", repeated=True),)).run(_subject())
    assert visits == [0, 1, 2, 3]


KINDS = {
    "empty": (b"", "c"),
    "white-space": (b" \n\t\r\n\n ", "python"),
    "comments": (b"// one\n/* two\n   three */\n", "c"),
    "comments-without-newline": (b"# one\n  # two", "python"),
    "errors": (b"int f( { if (x y; }\nint g(void) { return 1 + ; }\n", "c"),
    "all-errors": (b")]}>> $ @@ ((", "json"),
    "bom": (b"\xef\xbb\xbfint f(void) { return 1 + 2; }\n", "c"),
    "bom-json": (b'\xef\xbb\xbf{"a": [1, 2]}', "json"),
    "crlf": (b"if (a) {\r\n  b(1);\r\n} else {\r\n  c();\r\n}\r\n", "javascript"),
    "no-final-newline": (b"def f(x):\n    if x:\n        return 1\n    return f(1)", "python"),
    "tabs": (b"if a:\n\tb = 1\n\tif c:\n\t\td()\n", "python"),
    "unicode": ('const a = "é漢𝄞", ü = [1, "é"];\n'.encode(), "javascript"),
    "null-bytes": (b'{"a": "\0", "b": [1]}\n', "json"),
    "no-grammar": (b"some\ntext\n\xff\n", None),
    **{name: (text, name) for name, text in SAMPLES.items()},
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("strategy", [*PRESETS, "hddr*", "hdd+", "hoist*", "coupled*"])
def test_every_preset_on_every_kind_of_document(strategy: str, kind: str):
    """It ends, what it accepts is interesting and no larger, and no new syntax errors get through.

    But for the pass `unguarded`: to a few runs, and the very last ones.
    """
    text, language = KINDS[kind]
    tokens = tuple(text.split()[1::3])
    result = reduced(Case(text, language, lambda text: in_order(tokens, text)), strategy)
    assert in_order(tokens, result.text)
    assert size(result.text) <= size(text)
    errors = document(text, language).errors
    asked = result.judge.asked
    few = max(len(asked) // 20, 2) if "unguarded" in PRESETS.get(strategy, ()) else 0
    guarded = asked[: len(asked) - few]
    assert all(document(each, language).errors <= errors for each in guarded)
    assert len(asked) < 2_000


@pytest.mark.parametrize("kind", [kind for kind, (_, name) in KINDS.items() if name])
@pytest.mark.parametrize("strategy", [GUARDED, "default+hddh*", "hdd*"])
def test_no_unit_is_left_in_any_kind_of_document(strategy: str, kind: str):
    text, language = KINDS[kind]
    tokens = tuple(text.split()[1::3])
    case = Case(text, language, lambda text: in_order(tokens, text))
    assert removable(reduced(case, strategy), case) == []


@pytest.mark.parametrize("strategy", [name for name in PRESETS if name != "ddmin"])
def test_where_anything_goes_nothing_of_substance_is_left(strategy: str):
    for text, language in KINDS.values():
        if language is not None and not text.startswith(b"\xef"):
            assert size(reduced(Case(text, language, lambda _: True), strategy).text) <= 2


@pytest.mark.parametrize(
    "strategy",
    [
        GUARDED,
        "hdd*",
        "hddr*",
        "hddh*",
        "coarse-hdd*",
        "hoist*",
        "unnest*",
        "lines*",
        "hdd*+window*",
    ],
)
def test_a_strategy_on_its_own_result_changes_nothing_if_it_is_a_fixpoint(strategy: str):
    """Every star is reached again at once."""
    case = Case(SAMPLES["c"], "c", lambda text: in_order((b"f(", b"y", b"2"), text))
    once = reduced(case, strategy)
    assert reduced(Case(once.text, "c", case.test), strategy).text == once.text


def test_the_coarse_steps_are_those_at_the_beginning_of_the_default():
    coarse = default_strategy().coarse()
    assert coarse is not None
    assert written(coarse) == ["reach", "named", "heavy", "early-coupled"]
    assert Strategy.parse("hdd*").coarse() is None


def test_a_plan_with_the_coarse_steps_has_no_others():
    """A strategy of the name `default` stands for the preset, whatever its steps are."""
    coarse = default_strategy().coarse()
    plan = Plan(text=b"", filename="", oracle=Predicate(bool), strategy=coarse)
    assert plan.chosen_strategy() == coarse
