"""Presets: what is answered becomes an oracle that holds for the file, or a sentence says why not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pollard.executors import check_oracle
from pollard.oracle_setup.presets import PRESETS, AnswerError, Trial, preset_named, trial_of
from pollard.oracle_setup.suggested_commands import suggested_command
from pollard.oracle_setup.trying import TriedOracle, trial_oracle, tried
from pollard.oracle_setup.two_versions import comparison
from pollard.settings.settings import Settings
from tests.core.oracle_setup import programs
from tests.core.oracle_setup.programs import FINE, PYTHON, SHOWN, preset_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.oracle import CommandOracle

FILE = Path("case.py")


def trial(preset: str, answers: dict[str, str]) -> Trial:
    return trial_of(preset_named(preset), answers, FILE)


def seen(preset: str, answers: dict[str, str], text: bytes, folder: Path) -> TriedOracle:
    """What a trial on a text shows."""
    wanted = trial(preset, answers)
    return tried(wanted, trial_in(folder)(wanted), FILE.name, text)


def trial_in(folder: Path) -> Callable[[Trial], CommandOracle]:
    """Return what makes the oracle of a trial on a file in a folder."""
    settings = Settings(workspace=folder)
    return lambda wanted: trial_oracle(wanted.definition, settings, "python", folder / FILE)


@pytest.mark.parametrize("case", SHOWN)
def test_each_preset_proposes_an_oracle_that_holds_for_the_file(case: str, tmp_path: Path) -> None:
    """And it names the failure that the reduction will keep."""
    answers, text, failure = SHOWN[case]
    result = seen(preset_of(case), answers, text, tmp_path)
    assert result.obstacle == ""
    best = result.proposals[0]
    assert best.failure == failure
    settings = Settings.from_mapping({"oracles": {"new": dict(best.definition)}})
    oracle = settings.oracle_for().to_oracle(tmp_path)
    assert check_oracle(oracle, FILE.name, text, runs=1).interesting
    assert not check_oracle(oracle, FILE.name, FINE, runs=1).interesting


@pytest.mark.parametrize("case", SHOWN)
def test_a_file_that_does_not_show_the_failure_gives_a_sentence(case: str, tmp_path: Path) -> None:
    answers, _, _ = SHOWN[case]
    result = seen(preset_of(case), answers, FINE, tmp_path)
    assert result.proposals == ()
    # A run always shows something, if only its exit code.
    starts = "An empty file" if case == "other" else "The file does not show it: "
    assert result.obstacle.startswith(starts)
    assert result.obstacle.endswith(".")


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ("crash", "with exit code 0; the last line that it printed: all is well."),
        ("hang", "with exit code 0; the last line that it printed: all is well."),
        ("differ", "both commands print the same on standard output and end in the same way"),
        ("wrong", "with exit code 0 and printed no 'total: -6'."),
    ],
)
def test_the_sentence_says_what_was_seen_instead(case: str, says: str, tmp_path: Path) -> None:
    answers, _, _ = SHOWN[case]
    assert says in seen(preset_of(case), answers, FINE, tmp_path).obstacle


def test_a_hang_is_no_crash(tmp_path: Path) -> None:
    """Otherwise the user would be offered how Pollard ended it."""
    wanted = trial("crash", {"command": f"{PYTHON} {{file}}"})
    settings = Settings(workspace=tmp_path, timeout=0.5)
    result = tried(
        wanted,
        trial_oracle(wanted.definition, settings, None, tmp_path / FILE),
        "a.py",
        programs.HANGS,
    )
    assert result.proposals == ()
    assert "the command did not end within" in result.obstacle


@pytest.mark.parametrize(
    ("preset", "answers"),
    [
        ("crash", {"command": "no-such-program-anywhere {file}"}),
        ("differ", {"command": "true {file}", "second": "no-such-program-anywhere {file}"}),
    ],
)
def test_a_command_that_is_missing_is_not_taken_for_a_failure(
    preset: str, answers: dict[str, str], tmp_path: Path
) -> None:
    result = seen(preset, answers, FINE, tmp_path)
    assert result.proposals == ()
    assert "did not find a command" in result.obstacle
    assert "no-such-program-anywhere" in result.obstacle


IMPORTING = b"import helper\nprint('begin')\nhelper.load(7)\n"
MISSES = "ModuleNotFoundError, raised on line 1"


@pytest.mark.parametrize(
    ("helper", "failure", "links"),
    [
        pytest.param(
            "def load(x): x.y", "AttributeError, raised in load", True, id="it fails there"
        ),
        pytest.param("import nowhere", MISSES, True, id="it misses another"),
        pytest.param(None, MISSES, False, id="it is nowhere"),
    ],
)
def test_a_trial_that_misses_a_file_finds_what_is_around_the_file(
    helper: str | None, failure: str, links: bool, tmp_path: Path
) -> None:
    """The saved oracle does so, too; links that change nothing are left out."""
    if helper:
        (tmp_path / "helper.py").write_text(helper)
    wanted = trial("crash", {"command": PYTHON})
    oracle_of = trial_in(tmp_path)
    result = tried(wanted, oracle_of(wanted), FILE.name, IMPORTING, among_links=oracle_of)
    best = result.proposals[0]
    assert best.failure == failure
    assert best.definition.get("around", False) == links
    settings = Settings.from_mapping({"oracles": {"new": dict(best.definition)}})
    oracle = settings.oracle_for().to_oracle(tmp_path, tmp_path / FILE)
    assert check_oracle(oracle, FILE.name, IMPORTING, runs=1).interesting
    assert not check_oracle(oracle, FILE.name, FINE, runs=1).interesting


@pytest.mark.parametrize("command", [f"{PYTHON} {{file}}", "no-such-program-anywhere {file}"])
def test_a_trial_that_misses_no_file_is_not_run_among_links(command: str, tmp_path: Path) -> None:
    asked: list[Trial] = []

    def among_links(wider: Trial) -> CommandOracle:
        asked.append(wider)
        return oracle_of(wider)

    oracle_of, wanted = trial_in(tmp_path), trial("crash", {"command": command})
    tried(wanted, oracle_of(wanted), FILE.name, programs.RAISES, among_links=among_links)
    assert asked == []


def test_what_an_empty_file_shows_too_is_not_proposed(tmp_path: Path) -> None:
    """The reduction would end with nothing."""
    result = seen("crash", {"command": "echo the disk is full >&2; exit 3 #"}, FINE, tmp_path)
    assert result.proposals == ()
    assert result.obstacle.startswith("An empty file is interesting, too")


def test_criteria_that_hold_in_some_runs_only_are_not_proposed(tmp_path: Path) -> None:
    """The first run ends with 3 and the others with 4, and all of them print the same."""
    mark = tmp_path / "mark"
    differs = f"[ -e {mark} ] && exit 4; touch {mark}; exit 3"
    command = f"grep -q well {{file}} || exit 0; echo error: fine >&2; {differs}"
    wanted = trial("crash", {"command": command})
    definition = {**wanted.definition, "sandbox": {"level": "off"}}  # it remembers its runs
    oracle = trial_oracle(definition, Settings(workspace=tmp_path), None, tmp_path / FILE)
    result = tried(wanted, oracle, FILE.name, FINE)
    assert [each.title for each in result.proposals] == ["The same failure: error: fine"]


def test_lines_to_choose_from_are_those_that_were_printed_the_last_first(tmp_path: Path) -> None:
    text = b"print('first')\nprint('a|b', 2)\nprint()\nprint('\\t')\n"
    result = seen("wrong", {"command": f"{PYTHON} {{file}}"}, text, tmp_path)
    assert [each.title for each in result.proposals] == ["It prints: a|b 2", "It prints: first"]
    assert result.proposals[0].definition["stdout"] == r"^a\|b 2$"


def test_wrong_output_must_end_as_it_does_now(tmp_path: Path) -> None:
    """A candidate that prints it and crashes shows something else."""
    text = b"print('wrong')\nraise SystemExit(5)\n"
    result = seen("wrong", {"command": f"{PYTHON} {{file}}", "text": "wrong"}, text, tmp_path)
    assert result.proposals[0].definition["exit_code"] == 5


def test_a_candidate_on_which_versions_differ_otherwise_is_another_failure(tmp_path: Path) -> None:
    """Output and exit codes are both part of the difference."""
    answers, text, _ = SHOWN["differ"]
    definition = seen("differ", answers, text, tmp_path).proposals[0].definition
    oracle = Settings.from_mapping({"oracles": {"o": dict(definition)}}).oracle_for()
    assert definition["stdout"] == "^The two versions differ: same output, exit codes 1 and 0$"
    check = check_oracle(oracle.to_oracle(tmp_path), FILE.name, programs.DEBUGS, runs=1)
    assert not check.interesting
    assert b"The two versions differ: different output, exit codes 0 and 0" in check.runs[0].stdout


def test_a_difference_that_no_error_explains_is_the_failure_itself(tmp_path: Path) -> None:
    answers, _, _ = SHOWN["differ"]
    (only,) = seen("differ", answers, programs.DEBUGS, tmp_path).proposals
    assert only.failure == "the two versions differ: different output, exit codes 0 and 0"


@pytest.mark.parametrize("word", ["case.py", "./case.py", "'case.py'"])
def test_the_name_of_the_file_stands_for_the_file(word: str) -> None:
    """Runs have a copy of it elsewhere."""
    file = Path(word.strip("'"))
    made = trial_of(preset_named("crash"), {"command": f"tool {word} -o case.pyc"}, file)
    assert made.definition["command"].replace("'", "") == "tool {file} -o case.pyc"


def test_a_name_with_backslashes_as_a_shell_completes_it_stands_for_the_file() -> None:
    command = {"command": r"tool ./a\ case\ \(1\).py -v"}
    made = trial_of(preset_named("crash"), command, Path("a case (1).py"))
    assert made.definition["command"] == "tool {file} -v"


def test_both_commands_get_the_file() -> None:
    """Only at the end of the whole text would a shell get it by itself."""
    made = trial("differ", {"command": "one", "second": "two -x"})
    assert made.definition["command"] == comparison("one {file}", "two -x {file}")


@pytest.mark.parametrize(
    ("preset", "answers", "says"),
    [
        ("crash", {}, "needs 'command'"),
        ("crash", {"command": " "}, "needs 'command'"),
        ("differ", {"command": "a"}, "needs 'second'"),
        ("crash", {"command": "a", "limit": "3s"}, "does not ask for 'limit'"),
        ("hang", {"command": "a", "limit": "soon"}, "must be a time such as \"10s\", not 'soon'"),
        ("hang", {"command": "a", "limit": "500MB"}, "must be a time such as"),
        ("slow", {"command": "a", "limit": "0"}, "or memory such as"),
        ("slow", {"command": "a", "limit": "0MB"}, "or memory such as"),
    ],
)
def test_answers_that_make_no_trial_are_refused_in_a_sentence(
    preset: str, answers: dict[str, str], says: str
) -> None:
    with pytest.raises(AnswerError, match=says):
        trial(preset, answers)


def test_a_preset_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(AnswerError, match=r"did you mean 'crash'.*: crash, hang, differ, wrong"):
        preset_named("crush")


def test_every_question_of_a_preset_can_be_told_apart() -> None:
    for preset in PRESETS:
        names = [question.name for question in preset.questions]
        assert len(names) == len(set(names))
        assert names[0] == "command"


def test_no_suggested_command_writes_outside_the_directory_of_its_run() -> None:
    """It is run after one keystroke."""
    assert suggested_command("c") == "gcc -O2 -c {file} -o out.o"
    assert suggested_command("constructor") == suggested_command(None) == ""
