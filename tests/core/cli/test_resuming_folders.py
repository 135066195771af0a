"""Interrupted reductions of directories go on where they were, and nothing is run twice."""

from __future__ import annotations

import json
import random
import signal
from collections import Counter

import pytest

from pollard.journal import journal_directory
from tests.core.cli.helpers import ended, lines_in, pollard, script, started, wait_for

# Logs a checksum of all names and contents; needs three files, one of which names another.
# A run whose processes are killed one after another must not log the sum of a part.
_ORACLE = """#!/bin/bash
set -o pipefail
sum=$(find . -type f | sort | xargs cksum | cksum) || exit 2
echo "$sum" >> {log}
grep -q needle main.py && grep -q 'needle = 2' lib/part.py && grep -q '"needle"' data/x.json
"""


def _files(folder):
    """Fill a folder with files that take some two hundred runs."""
    root = folder / "project"
    for name in ("lib", "data", "more/deep"):
        (root / name).mkdir(parents=True)
    (root / "main.py").write_text("import lib.part\n\n\ndef f(x):\n    return x\n\n\nf('needle')\n")
    (root / "lib" / "part.py").write_text("one = 1\nneedle = 2\n\n\ndef g():\n    return one\n")
    items = [["needle", {"a": n}] if n == 5 else [n, str(n), {"n": [n]}] for n in range(12)]
    (root / "data" / "x.json").write_text(json.dumps(items, indent=1))
    for n in range(9):
        (root / "more" / "deep" / f"f{n}.txt").write_text(f"text {n}\n" * n)
    script(folder / "oracle", _ORACLE.format(log=folder / "log"))
    return root


_WORDS = ("reduce", "project", "-j1", "-o", "out")


def _contents(folder):
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


_whole = []


@pytest.fixture
def whole(tmp_path_factory):
    """The result of a reduction that nothing interrupts, and how often it ran each tree."""
    if (
        not _whole
    ):  # no fixture of the module: those of each test keep the cache and the state apart
        folder = tmp_path_factory.mktemp("whole")
        _files(folder)
        done = pollard(*_WORDS, "--", "./oracle", cwd=folder)
        assert done.returncode == 0, done.stderr
        runs = Counter((folder / "log").read_text().splitlines())
        _whole.append((_contents(folder / "out"), runs))
    return _whole[0]


def _killed(folder, log, lines, *options):
    process = started(*_WORDS, *options, "--", "./oracle", cwd=folder)
    wait_for(process, lambda: lines_in(log) >= lines)
    process.kill()
    ended(process)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))]
)
def test_resume_after_each_kill_9_ends_with_the_same_files_and_repeats_no_run(
    whole, tmp_path, seed
):
    """Each start checks the original; the run that was killed may be repeated."""
    result, runs = whole
    before = _contents(_files(tmp_path))
    log, total = tmp_path / "log", sum(runs.values())
    moments = sorted(random.Random(seed).sample(range(8, total - 10), 4))
    for number, moment in enumerate(moments):
        _killed(tmp_path, log, moment + 4 * number, *(["--resume"] if number else []))
    done = pollard(*_WORDS, "--resume", "--", "./oracle", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _contents(tmp_path / "out") == result
    assert _contents(tmp_path / "project") == before
    extra = Counter(log.read_text().splitlines()) - runs
    assert set(extra) <= set(runs), "the same trees are tried"
    original = log.read_text().splitlines()[0]
    assert extra.pop(original) >= 3 * len(moments), "the original is checked again"
    assert sum(extra.values()) <= len(moments)


def test_the_journal_has_differences_and_not_trees(tmp_path):
    root = _files(tmp_path)
    (root / "big.bin").write_bytes(bytes(200_000))
    pollard(*_WORDS, "--", "./oracle", cwd=tmp_path)
    lines = (journal_directory(root) / "reductions").read_bytes().splitlines()
    assert len(lines) > 5
    assert any(json.loads(line).get("big.bin", 0) is None for line in lines)
    assert max(map(len, lines)) < 1_000


def _interrupted(folder):
    """Reduce until a limit; return what is left."""
    _files(folder)
    done = pollard(*_WORDS, "--max-runs", "40", "--", "./oracle", cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_a_limit_is_said_at_the_end_and_resuming_goes_on(whole, tmp_path):
    said = _interrupted(tmp_path)
    assert "The search ended at its limit of 40 runs." in said
    assert "written to out; go on with --resume" in said
    done = pollard(*_WORDS, "--resume", "--", "./oracle", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _contents(tmp_path / "out") == whole[0]


def test_a_limit_before_any_success_is_said(tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a").write_text("needle")
    words = ["reduce", "project", "--max-runs", "1", "--", "grep", "-rq", "needle", "{dir}"]
    done = pollard(*words, cwd=tmp_path)
    assert done.returncode == 1
    assert "nothing was reduced yet: 1 file with 6 B, 1 run," in done.stderr
    assert "go on with --resume" in done.stderr


def test_a_signal_says_how_to_go_on_and_leaves_statistics(tmp_path, no_leftovers):
    _files(tmp_path)
    process = started(*_WORDS, "--stats", "s.json", "--", "./oracle", cwd=tmp_path)
    wait_for(process, lambda: lines_in(tmp_path / "log") > 30)
    process.send_signal(signal.SIGINT)
    code, errors = ended(process)
    assert code == 130
    assert "interrupted: best so far, " in errors
    assert "is in out; go on with --resume" in errors
    assert json.loads((tmp_path / "s.json").read_text())["interrupted"] is True


def test_statistics_tell_that_the_original_is_not_interesting(tmp_path):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a").write_text("x")
    words = ["reduce", "project", "--stats", "s.json", "--", "false"]
    assert pollard(*words, cwd=tmp_path).returncode == 3
    stats = json.loads((tmp_path / "s.json").read_text())
    assert stats["interesting"] is False
    assert stats["check_runs"] >= 1
    assert stats["reduced"] == stats["original"] == {"files": 1, "bytes": 1}


def test_a_file_that_the_user_put_into_the_result_is_never_lost(tmp_path):
    _interrupted(tmp_path)
    (tmp_path / "out" / "mine.txt").write_text("mine")
    done = pollard(*_WORDS, "--resume", "--", "./oracle", cwd=tmp_path)
    assert done.returncode == 2
    assert "out is not empty" in done.stderr
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"


def test_a_file_of_the_result_that_the_user_edited_is_never_lost(tmp_path):
    _interrupted(tmp_path)
    (tmp_path / "out" / "main.py").write_text("edited")
    done = pollard(*_WORDS, "--resume", "--", "./oracle", cwd=tmp_path)
    assert done.returncode == 2
    assert (tmp_path / "out" / "main.py").read_text() == "edited"


def test_files_that_changed_since_are_not_mixed_with_the_old_ones(tmp_path):
    _interrupted(tmp_path)
    (tmp_path / "project" / "new").write_text("x")
    done = pollard(*_WORDS, "--resume", "--", "./oracle", cwd=tmp_path)
    assert done.returncode == 2
    assert "The files have changed since" in done.stderr


def test_resuming_needs_the_same_conditions(tmp_path):
    _interrupted(tmp_path)
    done = pollard(*_WORDS, "--resume", "--no-merging", "--", "./oracle", cwd=tmp_path)
    assert done.returncode == 2
    assert "another merging" in done.stderr


def test_resume_without_an_interrupted_reduction_is_one_sentence(tmp_path):
    _files(tmp_path)
    done = pollard(*_WORDS, "--resume", "--", "./oracle", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "pollard: There is no interrupted reduction of these files to resume.\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize("option", [["--in-place"], ["--archive", "x.tgz"]])
def test_what_was_killed_in_place_or_for_an_archive_goes_on_as_well(tmp_path, option):
    _files(tmp_path)
    words = ["reduce", "project", "-j1", *option]
    process = started(*words, "--", "./oracle", cwd=tmp_path)
    wait_for(process, lambda: lines_in(tmp_path / "log") > 40)
    process.kill()
    ended(process)
    done = pollard(*words, "--resume", "--", "./oracle", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    names = {path.name for path in tmp_path.iterdir()} - {"log", "oracle"}
    kept = {"project.orig"} if option == ["--in-place"] else {"x.tgz"}
    assert names == {"project", *kept}


def test_only_the_lines_of_one_file_change_while_others_go(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text("first = 1\nsecond = 2\nneedle = 3\nfourth = 4\n")
    (root / "b.py").write_text("x = 1\n")
    words = ["reduce", "project", "-o", "out", "--lines", "a.py:2:3", "--no-renaming"]
    done = pollard(*words, "--", "grep", "-q", "needle", "{dir}/a.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    small = _contents(tmp_path / "out")
    assert list(small) == ["a.py"]
    assert small["a.py"].startswith("first = 1\n")
    assert small["a.py"].endswith("fourth = 4\n")
    assert "second" not in small["a.py"]


def test_a_file_of_which_only_lines_may_change_is_neither_removed_nor_merged(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.c").write_text('#include "b.h"\nint needle;\n')
    (root / "b.h").write_text("int one;\nint two;\n")
    words = ["reduce", "project", "-o", "out", "--lines", "project/b.h:1"]
    done = pollard(*words, "--", "grep", "-q", "needle", "{dir}/a.c", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _contents(tmp_path / "out") == {"a.c": "needle;\n", "b.h": "int two;\n"}


@pytest.mark.parametrize(
    ("lines", "part"),
    [
        ("2:3", "must be FILE:A:B"),
        ("a.py:9", "out of range"),
        ("none.py:1", "none.py is not one of the files"),
        ("a.py:x", "must be FILE:A:B"),
    ],
)
def test_lines_that_do_not_exist_are_one_sentence(tmp_path, lines, part):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a.py").write_text("x = 1\n")
    done = pollard("reduce", "project", "--lines", lines, "--", "true", cwd=tmp_path)
    assert done.returncode == 2
    assert part in done.stderr
