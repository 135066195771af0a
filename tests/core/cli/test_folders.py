"""`pollard reduce` and `pollard check` on directories and several files, by the real command."""

from __future__ import annotations

import json
import os
import sys
import tarfile

import pytest

from tests.core.cli.helpers import pollard

_ALL_NEEDLES = "grep -q needle {dir}/src/a.txt && grep -q needle {dir}/b.json"


@pytest.fixture
def project(tmp_path):
    """A directory in which two files are needed."""
    root = tmp_path / "project"
    (root / "src" / "deep").mkdir(parents=True)
    (root / "src" / "a.txt").write_text("first line\nthe needle\n")
    (root / "b.json").write_text('{"x": [1, 2, "needle"], "y": {}}\n')
    (root / "src" / "deep" / "other.py").write_text("print(1)\n" * 20)
    (root / "empty").mkdir()
    return root


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


SMALL = {"b.json": '"needle"', "src/a.txt": "needle"}


def stripped(folder):
    return {name: text.strip() for name, text in contents(folder).items()}


def test_a_directory_shrinks_to_the_needed_files_in_a_new_one(project, tmp_path):
    before = contents(project)
    done = pollard("reduce", project, "-o", "small", "--", _ALL_NEEDLES, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert stripped(tmp_path / "small") == SMALL
    assert contents(project) == before
    assert "3 files with 235 B -> 2 files with" in done.stderr
    assert "  b.json: 33 B -> " in done.stderr
    assert "written to small" in done.stderr


def test_a_directory_around_all_of_it_is_the_copy(project, tmp_path):
    """As in `mypy .`, which would read the original otherwise, so that nothing was needed."""
    command = ("grep", "-rq", "needle", ".")
    done = pollard("reduce", "project", "-o", "small", "--", *command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (text,) = contents(tmp_path / "small").values()
    assert text.strip('"\n') == "needle"


def test_several_files_are_reduced_together(tmp_path):
    (tmp_path / "a.c").write_text('#include "b.h"\nint main(void) { return f(1) + needle; }\n')
    (tmp_path / "b.h").write_text("int f(int x);\nint g(int y);\n")
    (tmp_path / "c.json").write_text("{}")
    command = "gcc -fsyntax-only {file} 2>&1 | grep -q needle.*undeclared"
    done = pollard("reduce", "a.c", "b.h", "c.json", "-o", "out", "--", command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert list(contents(tmp_path / "out")) == ["a.c"]


@pytest.fixture
def c_project(tmp_path):
    """A main file with 20 headers, the third of which has an error and is included by two others."""
    root = tmp_path / "project"
    (root / "include").mkdir(parents=True)
    for n in range(20):
        text = f'#include "h{n + 1}.h"\n' if n in (0, 1) else ""
        (root / "include" / f"h{n}.h").write_text(f"{text}struct s{n} {{ int a; }};\n")
    (root / "include" / "h2.h").write_text("int broken(void) { return nowhere; }\n")
    lines = [f'#include "include/h{n}.h"\n' for n in (0, *range(3, 20))]
    (root / "main.c").write_text("".join(lines) + "int main(void) { return 0; }\n")
    return root


def reduced_by_gcc(root, *options):
    words = ["reduce", "project", "-o", "out", "--output", "nowhere. undeclared", *options, "--"]
    done = pollard(*words, "gcc", "-fsyntax-only", "project/main.c", cwd=root.parent)
    assert done.returncode == 0, done.stderr
    return contents(root.parent / "out")


def test_headers_are_merged_into_the_main_file(c_project):
    small = reduced_by_gcc(c_project)
    assert list(small) == ["main.c"]
    assert "{ nowhere; }" in small["main.c"].replace("return ", "")
    assert "include" not in small["main.c"]


def test_without_merging_the_headers_on_the_way_to_the_failure_stay(c_project):
    small = reduced_by_gcc(c_project, "--no-merging")
    assert list(small) == ["include/h0.h", "include/h1.h", "include/h2.h", "main.c"]
    assert small["main.c"].strip() == '#include "include/h0.h"'
    assert "{ nowhere; }" in small["include/h2.h"].replace("return ", "")


def test_a_python_package_runs_as_a_copy(tmp_path):
    root = tmp_path / "project"
    (root / "package").mkdir(parents=True)
    (root / "package" / "__init__.py").write_text("from package import parts, unused\n")
    (root / "package" / "parts.py").write_text("def f():\n    return 1\n\n\nLIMIT = f() / 0\n")
    (root / "package" / "unused.py").write_text("def g():\n    return 2\n")
    (root / "run.py").write_text("import package\n\nprint(package)\n")
    words = ["reduce", root, "-o", "out", "--stderr", "ZeroDivisionError", "--"]
    done = pollard(*words, sys.executable, root / "run.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    small = stripped(tmp_path / "out")
    assert list(small) == ["run.py"]
    assert "/" in small["run.py"]
    assert len(small["run.py"]) < 10


def test_in_place_moves_the_original_aside_as_a_whole(project, tmp_path):
    before = contents(project)
    done = pollard("reduce", "project", "--in-place", "--", _ALL_NEEDLES, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert stripped(project) == SMALL
    assert contents(tmp_path / "project.orig") == before
    assert {path.name for path in tmp_path.iterdir()} == {"project", "project.orig"}


def test_an_archive_has_what_is_left(project, tmp_path):
    (project / "b.json").chmod(0o755)
    words = ["reduce", "project", "--archive", "x.tar.gz", "--", _ALL_NEEDLES]
    assert pollard(*words, cwd=tmp_path).returncode == 0
    with tarfile.open(tmp_path / "x.tar.gz") as archive:
        assert archive.getnames() == ["b.json", "src/a.txt"]
        assert archive.getmember("b.json").mode == 0o755
        assert archive.extractfile("b.json").read().strip() == b'"needle"'


def test_statistics_and_events_tell_of_each_file(project, tmp_path):
    words = ["-o", "out", "--stats", "s.json", "--events", "--", _ALL_NEEDLES]
    done = pollard("reduce", "project", *words, cwd=tmp_path)
    stats = json.loads((tmp_path / "s.json").read_text())
    assert stats["original"] == {"files": 3, "bytes": 235}
    assert stats["reduced"]["files"] == 2
    files = {each["path"]: each["reduced"] for each in stats["files"]}
    assert files["src/deep/other.py"] is None
    assert files["src/a.txt"] < 22
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [events[0]["event"], events[-1]["event"]] == ["started", "finished"]
    assert {"progress", "reduced", "pass"} <= {event["event"] for event in events}
    assert events[-1]["files"] == stats["files"]


def test_what_is_no_part_of_a_project_is_left_out_and_can_be_taken_in(project, tmp_path):
    (project / ".git").mkdir()
    (project / ".git" / "HEAD").write_text("needle")
    (project / ".gitignore").write_text("*.log\n")
    (project / "needle.log").write_text("needle")
    command = "ls -A {dir} | grep -q needle"
    done = pollard("check", "project", "--", command, cwd=tmp_path)
    assert done.returncode == 3
    taken = pollard("check", "project", "--include", "*.log", "--", command, cwd=tmp_path)
    assert taken.returncode == 0, taken.stderr
    words = ["reduce", "project", "-o", "out", "--", _ALL_NEEDLES]
    assert "Left out: .git/, needle.log;" in pollard(*words, cwd=tmp_path).stderr


def test_what_is_excluded_is_no_part_of_a_run(project, tmp_path):
    command = "test ! -e {dir}/src/deep && test -e {dir}/src/a.txt"
    words = ["check", "project", "--exclude", "deep/", "--", command]
    assert pollard(*words, cwd=tmp_path).returncode == 0


def test_what_the_oracle_needs_is_in_each_run_but_not_in_the_result(project, tmp_path):
    (tmp_path / "words").write_text("needle")
    command = "grep -qf words src/a.txt"
    words = ["reduce", "project", "-o", "out", "--with", "words", "--", command]
    done = pollard(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert stripped(tmp_path / "out") == {"src/a.txt": "needle"}


@pytest.mark.parametrize(
    "command", ["project/check.sh", "./check.sh", "sh project/check.sh", "sh -e check.sh"]
)
def test_a_script_in_the_directory_stays_the_oracle_while_its_copy_goes(project, tmp_path, command):
    """Were the copy run, the reduction would shorten the oracle instead of the files."""
    (project / "check.sh").write_text("#!/bin/sh\ngrep -q needle src/a.txt\n")
    (project / "check.sh").chmod(0o755)
    done = pollard("reduce", "project", "-o", "out", "--", *command.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert stripped(tmp_path / "out") == {"src/a.txt": "needle"}


def test_the_check_names_the_failure_that_a_silent_script_hides(tmp_path):
    """As for a file, and as the reduction itself says it."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "main.py").write_text("import rates\nrates.rate({})\n")
    (tmp_path / "project" / "rates.py").write_text("def rate(d):\n    return d['west']\n")
    script = tmp_path / "check.sh"
    script.write_text(f'#!/bin/sh\n"{sys.executable}" main.py 2>&1 | grep -q KeyError\n')
    script.chmod(0o755)
    done = pollard("check", "project", "--", script, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "This failure: KeyError, raised in rate" in done.stdout


@pytest.mark.parametrize(
    "options",
    [
        "-- sh {dir}/check.sh",
        "--main project/check.sh -- sh project/check.sh",
        "--exclude *.txt --exclude *.json --exclude *.py -- sh check.sh",
    ],
)
def test_a_script_of_a_shell_is_reduced_where_it_is_meant(project, tmp_path, options):
    """As a project of scripts, too: there it is the program that fails."""
    (project / "check.sh").write_text("#!/bin/sh\necho one\necho a needle\n")
    words = ("reduce", "project", "-o", "out", "--output", "needle", *options.split())
    done = pollard(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "needle" in stripped(tmp_path / "out").pop("check.sh")
    assert "one" not in (tmp_path / "out" / "check.sh").read_text()


def test_links_permissions_empty_folders_and_odd_names_are_kept(tmp_path):
    root = tmp_path / "project"
    (root / "hollow").mkdir(parents=True)
    odd = os.fsdecode(b"\xff.txt")
    (root / odd).write_text("needle")
    (root / "run").write_text("x")
    (root / "run").chmod(0o755)
    (root / "link").symlink_to(odd)
    command = "test -d hollow && test -x run && grep -q needle link && test -L link"
    done = pollard("reduce", "project", "-o", "out", "--", command, cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    out = tmp_path / "out"
    assert (out / "hollow").is_dir()
    assert (out / "run").stat().st_mode & 0o111
    assert str((out / "link").readlink()) == odd
    assert (out / odd).read_text() == "needle"


def test_a_directory_without_files_is_one_sentence(tmp_path):
    (tmp_path / "none" / "inside").mkdir(parents=True)
    done = pollard("reduce", "none", "--", "true", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "pollard: none has no files to reduce; name another directory.\n"


def test_a_result_is_never_mixed_with_what_is_there(project, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("x")
    done = pollard("reduce", "project", "-o", "out", "--", _ALL_NEEDLES, cwd=tmp_path)
    assert done.returncode == 2
    assert "out is not empty" in done.stderr
    assert contents(tmp_path / "out") == {"mine": "x"}
