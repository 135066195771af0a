"""`pollard init`: what it asks, what it shows, and when it writes."""

from __future__ import annotations

import errno
import os
import shlex
from pathlib import Path

import pytest

from pollard.settings import read_settings
from tests.core.cli.helpers import on_terminal, pollard
from tests.core.oracle_setup.programs import (
    CASES,
    FINE,
    PYTHON,
    RAISES,
    SHOWN,
    SUMS,
    preset_of,
)

COMMAND = f"{PYTHON} case.py"
CRASH = ("--preset", "crash", "--command", COMMAND)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "case.py"
    path.write_bytes(RAISES)
    return path


def words(case: str) -> list[str]:
    answers, _, _ = SHOWN[case]
    options = [word for key, text in answers.items() for word in (f"--{key}", text)]
    return ["--preset", preset_of(case), *options]


@pytest.mark.parametrize("case", CASES)
def test_each_preset_writes_an_oracle_for_which_the_file_is_interesting(
    case: str, tmp_path: Path
) -> None:
    _, text, failure = SHOWN[case]
    (tmp_path / "case.py").write_bytes(text)
    done = pollard("init", "case.py", *words(case), "--yes", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"failure: {failure}" in done.stdout
    assert "time of each run: " in done.stdout
    assert (
        done.stdout.split("\n\n", 1)[1].strip() == (tmp_path / "pollard.toml").read_text().strip()
    )
    checked = pollard("check", "case.py", "--checks", "1", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout


def test_a_file_that_imports_another_gets_an_oracle_that_finds_it(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("def load(x):\n    return x.y\n")
    (tmp_path / "case.py").write_text("import helper\nprint(1)\nhelper.load(7)\n")
    done = pollard("init", "case.py", *CRASH, "--yes", cwd=tmp_path)
    assert "failure: AttributeError, raised in load" in done.stdout, done.stderr
    assert "around = true" in (tmp_path / "pollard.toml").read_text()
    assert pollard("check", "case.py", "--checks", "1", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("case", [case for case in SHOWN if case != "other"])
def test_nothing_is_written_for_a_file_that_does_not_show_it(case: str, tmp_path: Path) -> None:
    """It says what was seen instead, with the output."""
    (tmp_path / "case.py").write_bytes(FINE)
    done = pollard("init", "case.py", *words(case), "--yes", cwd=tmp_path)
    assert done.returncode == 3
    assert "pollard: The file does not show it: " in done.stderr
    assert "nothing was written" in done.stderr
    assert not (tmp_path / "pollard.toml").exists()


def test_a_difference_is_reduced_with_what_was_written(tmp_path: Path) -> None:
    """The command of two commands works in the settings as it did in the trial."""
    _, text, _ = SHOWN["differ"]
    (tmp_path / "case.py").write_bytes(text)
    assert pollard("init", "case.py", *words("differ"), "--yes", cwd=tmp_path).returncode == 0
    done = pollard("reduce", "case.py", "-o", "out.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.py").read_text().startswith("assert")
    assert (tmp_path / "out.py").stat().st_size < 16


def test_a_terminal_is_asked_for_all_and_sees_the_failure_before_it_is_asked_to_save(
    file: Path,
) -> None:
    typed = f"1\n{COMMAND}\n2\ny\n"
    code, shown = on_terminal("init", "case.py", cwd=file.parent, typed=typed)
    assert code == 0, shown
    order = [
        "What is wrong with case.py?",
        "Two versions differ",
        "The command that shows it",
        "By what is the failure recognised?",
        "failure: ValueError, raised in load",
        "Write this to",
        "next: pollard reduce case.py",
    ]
    assert sorted(order, key=shown.index) == order
    (oracle,) = read_settings(file.parent / "pollard.toml").oracles.values()
    assert (oracle.exit_code, oracle.stderr) == ((1,), None)


def test_no_to_the_last_question_writes_nothing(file: Path) -> None:
    code, shown = on_terminal("init", "case.py", *CRASH, cwd=file.parent, typed="1\nn\n")
    assert (code, "nothing was written" in shown) == (2, True)
    assert not (file.parent / "pollard.toml").exists()


def test_the_end_of_the_input_writes_nothing(file: Path) -> None:
    code, shown = on_terminal("init", "case.py", cwd=file.parent, typed="\x04")
    assert (code, "Traceback" in shown) == (130, False)


def test_a_file_can_be_asked_for_and_a_command_is_suggested(file: Path) -> None:
    typed = "~/case.py\n2\n\nsoon\n"
    code, shown = on_terminal("init", cwd=file.parent, typed=typed, HOME=str(file.parent))
    assert (code, "[python3 {file}]" in shown, "[10s]" in shown) == (2, True, True)
    assert """must be a time such as "10s", not 'soon'""" in shown


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "Name a FILE"),
        (["case.py"], "--preset"),
        (["case.py", "--preset", "crash"], "Give --command"),
        (["case.py", "--preset", "differ", "--command", "true"], "Give --second"),
        (["case.py", *CRASH], "--yes"),
        (["case.py", *CRASH, "--choose", "9", "--yes"], "only 2 proposals"),
        (["none.py", *CRASH], "There is no file none.py"),
        (["case.py", *CRASH, "--limit", "3s"], "does not ask for 'limit'"),
    ],
)
def test_without_a_terminal_what_is_missing_is_named(file: Path, options, says: str) -> None:
    done = pollard("init", *options, cwd=file.parent)
    assert (done.returncode, says in done.stderr) == (2, True), done.stderr
    assert not (file.parent / "pollard.toml").exists()


def test_limits_have_defaults_without_a_terminal(file: Path) -> None:
    done = pollard(
        "init", "case.py", "--preset", "slow", "--command", COMMAND, "-y", cwd=file.parent
    )
    assert (done.returncode, "the command ended after" in done.stderr) == (3, True)


def test_an_oracle_of_the_same_name_is_replaced_only_on_request(file: Path) -> None:
    settings = file.parent / "pollard.toml"
    before = '# mine\n[oracles.mine]\ncommand = "true"\n'
    settings.write_text(before)
    named = ("init", "case.py", *CRASH, "--name", "mine", "--yes")
    refused = pollard(*named, cwd=file.parent)
    assert (refused.returncode, settings.read_text()) == (2, before)
    assert "has an oracle mine already" in refused.stderr
    code, shown = on_terminal(*named, cwd=file.parent, typed="1\nn\n")
    assert (code, settings.read_text()) == (2, before), shown
    assert pollard(*named, "--replace", cwd=file.parent).returncode == 0
    assert settings.read_text().startswith("# mine\n[oracles.mine]\n")
    assert read_settings(settings).oracles["mine"].stderr is not None


def test_without_a_name_the_oracle_of_the_program_is_replaced_on_request(file: Path) -> None:
    unnamed = ("init", "case.py", *CRASH, "--yes")
    for options in ((), ("--replace",)):
        assert pollard(*unnamed, *options, cwd=file.parent).returncode == 0
        assert len(read_settings(file.parent / "pollard.toml").oracles) == 1


def test_another_oracle_gets_a_name_of_its_own_and_the_next_command_names_it(file: Path) -> None:
    for name in ("first", "second"):
        done = pollard("init", "case.py", *CRASH, "--name", name, "--yes", cwd=file.parent)
        assert done.returncode == 0
    assert "next: pollard reduce case.py --oracle second" in done.stderr
    assert list(read_settings(file.parent / "pollard.toml").oracles) == ["first", "second"]


def test_the_next_command_can_be_pasted_into_a_shell(file: Path) -> None:
    odd = file.rename(file.with_name("-it's $a case.py"))
    for name in ("mine", "an oracle"):
        words = ("--preset", "crash", "--command", f"{PYTHON} {{file}}", "--name", name, "--yes")
        done = pollard("init", f"./{odd.name}", *words, cwd=file.parent)
        assert done.returncode == 0, done.stderr
    _, _, line = done.stderr.partition("next: pollard ")
    again = pollard(*shlex.split(line), "-o", "out.py", cwd=file.parent)
    assert again.returncode == 0, again.stderr


@pytest.mark.parametrize("kind", ["read-only", "a folder", "a broken link"])
def test_settings_that_cannot_be_written_are_told_before_anything_runs(
    file: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = file.parent / "pollard.toml"
    if kind == "read-only":  # root may write to all files, so only the answer says so
        settings.write_text("# mine\n")
        monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).name != "pollard.toml")
    elif kind == "a folder":
        settings.mkdir()
    else:
        settings.symlink_to("nowhere.toml")
    done = pollard("init", "case.py", *CRASH, "--yes", cwd=file.parent)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert "pollard.toml" in done.stderr
    assert "written" in done.stderr


def test_a_failure_to_write_names_the_settings_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", f"{path}.tmp")

    monkeypatch.setattr("pollard.system.write_atomically", full)
    done = pollard("init", "case.py", *CRASH, "--yes", cwd=file.parent)
    assert done.returncode == 2
    says = "pollard.toml cannot be written: No space left on device; nothing was written."
    assert done.stderr.splitlines()[-1].endswith(says)


def test_a_link_to_settings_elsewhere_stays_a_link(file: Path) -> None:
    real, link = file.parent / "shared.toml", file.parent / "pollard.toml"
    real.write_text("# mine\n")
    link.symlink_to(real.name)
    assert pollard("init", "case.py", *CRASH, "--yes", cwd=file.parent).returncode == 0
    assert link.is_symlink()
    assert real.read_text().startswith("# mine\n")
    assert len(read_settings(real).oracles) == 1


def test_it_may_stand_in_pyproject(file: Path) -> None:
    shared = file.parent / "pyproject.toml"
    shared.write_text('[project]\nname = "a"\n\n[tool.pollard]\njobs = 1\n')
    assert pollard("init", "case.py", *CRASH, "--yes", cwd=file.parent).returncode == 0
    assert len(read_settings(shared).oracles) == 1
    assert not (file.parent / "pollard.toml").exists()


@pytest.mark.parametrize("preset", ["crash", "differ"])
def test_nothing_is_executed_unconfined_without_a_word(
    file: Path, preset: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The trial would be the first to do so."""
    monkeypatch.delenv("POLLARD_ALLOW_UNCONFINED", raising=False)
    mark = file.parent / "executed"
    file.write_text(f"open({str(mark)!r}, 'w')\nraise ValueError\n")
    words = ["--preset", preset, "--command", COMMAND, "--yes"]
    words += ["--second", f"{PYTHON} -O case.py"] if preset == "differ" else []
    refused = pollard("init", "case.py", *words, cwd=file.parent)
    assert (refused.returncode, "--allow-unconfined" in refused.stderr) == (2, True)
    assert not mark.exists()
    pollard("init", "case.py", *words, "--allow-unconfined", cwd=file.parent)
    assert mark.exists()


def test_a_mistake_in_the_settings_is_told_before_anything_runs(file: Path) -> None:
    (file.parent / "pollard.toml").write_text("jobs = 'many'\n")
    done = pollard("init", "case.py", *CRASH, "--yes", cwd=file.parent)
    assert (done.returncode, "'jobs'" in done.stderr, "running" in done.stderr) == (2, True, False)


def test_the_first_line_is_chosen_where_nobody_is_asked(tmp_path: Path) -> None:
    (tmp_path / "case.py").write_bytes(SUMS)
    options = ("--preset", "wrong", "--command", COMMAND, "--yes")
    assert pollard("init", "case.py", *options, cwd=tmp_path).returncode == 0
    (oracle,) = read_settings(tmp_path / "pollard.toml").oracles.values()
    assert (oracle.stdout, oracle.exit_code) == ("^total: -6$", (0,))
