"""COMMAND and its options, as users write them."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from pollard.cli.main import run
from tests.core.cli.helpers import JSON, SCRIPT, pollard, script

CHECK = "import sys\nsys.exit('needle' not in open(sys.argv[1]).read())\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "f.json").write_text(JSON)
    (tmp_path / "needle").write_text("a file called like the word that is searched for\n")
    script(tmp_path / "oracle.sh", SCRIPT)
    (tmp_path / "check.py").write_text(CHECK)
    (tmp_path / "words.txt").write_text("needle\n")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        ["./oracle.sh"],
        ["./oracle.sh", "{file}"],
        ["./oracle.sh", "src/f.json"],
        ["sh", "oracle.sh", "{file}"],
        ["sh", "./oracle.sh"],
        ["python3", "check.py"],
        ["grep", "-q", "-f", "words.txt", "{file}"],
        ["grep -q needle {file} && true"],
        ["grep -q needle"],
        ["sh", "-c", "grep -q needle {file}"],
    ],
)
def test_commands_work_as_users_expect(folder, command, monkeypatch):
    monkeypatch.chdir(folder)
    assert run(["reduce", "src/f.json", "-o", "out", "--", *command]) == 0
    assert "needle" in (folder / "out").read_text()
    assert len((folder / "out").read_text()) < 25


@pytest.mark.parametrize(
    "options",
    [
        ["--stdout", "needle", "--", "cat"],
        ["--output", "need.e", "--not-exit-code", "7", "--", "cat", "{file}"],
        ["--stdout", "needle", "--stdin", "--", "cat"],
        ["--stderr", "needle", "--exit-code", "3,4", "--", "cat {file} >&2; exit 4 #"],
        ["--signal", "SEGV", "--", "grep -q needle {file} && kill -SEGV $$ #"],
        ["--not-stdout", "hay", "--stdout", "needle", "--", "cat"],
        ["--with", "words.txt", "--", "grep -q -f words.txt"],
        ["--with", "words.txt", "--", "grep", "-q", "-f", "words.txt", "{file}"],
        ["--runs-required", "1 of 2", "--timeout", "5s", "--memory", "1GiB", "--", "./oracle.sh"],
    ],
)
def test_options_set_criteria_and_limits(folder, options, monkeypatch):
    monkeypatch.chdir(folder)
    assert run(["reduce", "src/f.json", "-o", "out", *options]) == 0
    assert "needle" in (folder / "out").read_text()
    assert len((folder / "out").read_text()) < 25


def test_a_flaky_oracle_is_exit_code_3(folder):
    oracle = script(
        folder / "flaky",
        f"#!/bin/sh\necho x >> {folder}/log\n[ $(($(wc -l < {folder}/log) % 2)) = 1 ]\n",
    )
    done = pollard("reduce", "src/f.json", "--", oracle, cwd=folder)
    assert done.returncode == 3
    assert "flaky" in done.stderr
    assert not (folder / "src" / "f.reduced.json").exists()


def test_check_and_reduce_offer_what_makes_a_flaky_failure_certain(folder):
    """Every other run fails, and all do with a fixed seed; then the offered command is given."""
    flaky = script(
        folder / "flaky",
        f"#!/bin/sh\n# python\necho x >> {folder}/log\n"
        f'[ "$PYTHONHASHSEED" ] || [ $(($(wc -l < {folder}/log) % 2)) = 1 ]\n',
    )
    for command in (["check"], ["reduce", "--stats", "stats.json"]):
        (folder / "log").unlink(missing_ok=True)
        done = pollard(*command, "src/f.json", "--", flaky, cwd=folder)
        assert done.returncode == 3
        told = done.stdout + done.stderr
        assert "as it is: 5 of 10 runs" in told
        assert "with PYTHONHASHSEED=0: 10 of 10 runs" in told
        (offered,) = re.findall(r"on the command line: -- (.*)", told)
    assert json.loads((folder / "stats.json").read_text())["check_runs"] == 20
    done = pollard("check", "src/f.json", "--", *shlex.split(offered), cwd=folder)
    assert done.returncode == 0


def test_the_offered_number_of_runs_lets_the_reduction_begin(folder):
    """Nothing helps here, so k of n runs are offered; the end says how often the result fails."""
    count = f"n=$(cat {folder}/n 2>/dev/null || echo 0); echo $((n+1)) > {folder}/n"
    flaky = script(
        folder / "flaky", f'#!/bin/sh\n{count}\n[ $((n % 3)) != 1 ] && grep -q needle "$1"\n'
    )
    done = pollard("check", "src/f.json", "--", flaky, cwd=folder)
    (runs,) = re.findall(r'--runs-required "(.*)"', done.stdout)
    options = ["--runs-required", runs, "--strategy", "lines", "--stats", "stats.json", "-j1"]
    done = pollard("reduce", "src/f.json", *options, "--", flaky, cwd=folder)
    assert done.returncode == 0
    stats = json.loads((folder / "stats.json").read_text())
    assert stats["frequency"]["runs"] == 20
    assert stats["frequency"]["hits"] in (13, 14), "two of three runs"
    hits, total = stats["frequency"]["hits"], stats["original_frequency"]["runs"]
    assert f"the result fails in {hits} of 20 runs, the original in " in done.stderr
    assert f"of {total} runs" in done.stderr


def test_an_uninteresting_file_is_exit_code_3_with_an_explanation(folder):
    command = ["sh", "-c", "echo out; echo err >&2; exit 9"]
    done = pollard("reduce", "src/f.json", "--stats", "s.json", "--", *command, cwd=folder)
    assert done.returncode == 3
    for part in ("not interesting", "exit 9", "exit code 9", "must be 0", "out", "err"):
        assert part in done.stderr
    assert '"interesting": false' in (folder / "s.json").read_text()


def test_check_explains_what_it_saw(folder):
    done = pollard("check", "src/f.json", "--", "./oracle.sh", cwd=folder)
    assert done.returncode == 0
    assert "3 of 3 runs" in done.stdout
    assert str(folder / "oracle.sh") in done.stdout
    done = pollard("check", "src/f.json", "--stdout", "nix", "--", "cat", cwd=folder)
    assert done.returncode == 3
    assert "FAILED: stdout must match /nix/" in done.stdout
    assert "    19" in done.stdout, "the end of what the command printed"
    assert (folder / "src" / "f.json").read_text() == JSON


def test_a_word_that_is_too_long_for_a_path_is_code(tmp_path, capsys):
    """A script for the shell and code after `-c` are often longer than a file's name may be."""
    file = tmp_path / "bug.txt"
    file.write_text("needle\n")
    script = f"grep needle # {'x' * 5000}"
    assert run(["check", str(file), "--", script.replace("needle #", "needle {file} #")]) == 0
    assert run(["check", str(file), "--", "sh", "-c", script, "sh"]) == 3
    assert "not interesting" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("program", "options"),
    [
        ("{}['k']", []),
        ("raise ValueError('it\\'s $HOME \"x\" `ls` (1)')", []),
        ("raise SystemExit(3)", []),
        ("import os; os.abort()", []),
        ("while True: pass", ["--timeout", "1s"]),
    ],
    ids=["quotes", "special characters", "exit code", "signal", "endless"],
)
def test_without_criteria_a_hint_names_the_option_that_recognises_the_run(
    program, options, tmp_path
):
    """The option is written for a shell, and the line for a settings file."""
    (tmp_path / "f.py").write_text(program + "\n")
    refused = pollard("check", "f.py", *options, "--", "python3", "{file}", cwd=tmp_path)
    assert refused.returncode == 3
    hint = re.search(
        r"recognise it by (--.*) \(in an oracle's settings (.*)\)\.$", refused.stdout, re.MULTILINE
    )
    words = ["check", "f.py", *options, *shlex.split(hint[1]), "--", "python3", "{file}"]
    assert pollard(*words, cwd=tmp_path).returncode == 0
    table = f'[oracles.o]\ncommand = ["python3", "{{file}}"]\ntimeout = "1s"\n{hint[2]}\n'
    (tmp_path / "pollard.toml").write_text(table)
    assert pollard("check", "f.py", cwd=tmp_path).returncode == 0
