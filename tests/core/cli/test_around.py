"""`--around`: a run sees what is around the file, at the same places, and changes none of it."""

from __future__ import annotations

import pytest

from pollard.settings import OracleSettings
from pollard.settings.around import around
from tests.core.cli.helpers import pollard

MODULE = "def f(x):\n    return needle[x]\n"
TEXT = "import sys\nfrom helper import f\n\nprint(sys.argv)\nf(3)\n"


@pytest.fixture
def project(tmp_path):
    """A program in a folder, a module beside it, and a checker that must run at the top."""
    source = tmp_path / "project" / "src"
    source.mkdir(parents=True)
    (source / "main.py").write_text(TEXT)
    (source / "helper.py").write_text(MODULE)
    (source.parent / "check.sh").write_text("test -f src/helper.py && python3 src/main.py\n")
    return source.parent


def test_a_run_finds_modules_beside_the_file_and_is_at_the_top(project):
    command = ("reduce", "src/main.py", "-o", "small.py", "--around", "--stderr", "needle", "--")
    done = pollard(*command, "sh", "check.sh", "{file}", cwd=project)
    assert done.returncode == 0, done.stderr
    small = (project / "small.py").read_text()
    assert "helper" in small
    assert "sys" not in small
    assert (project / "src" / "main.py").read_text() == TEXT
    assert (project / "src" / "helper.py").read_text() == MODULE


def test_the_result_beside_the_file_is_not_linked_so_that_it_can_be_resumed(project):
    command = ("reduce", "src/main.py", "-o", "small.py", "--around", "--stderr", "needle")
    oracle = ("--", "sh", "-c", "test ! -e small.py && sh check.sh")
    begun = pollard(*command, "--max-runs", "3", *oracle, cwd=project)
    assert (project / "small.py").exists(), begun.stderr
    done = pollard(*command, "--resume", *oracle, cwd=project)
    assert done.returncode == 0, done.stderr
    assert "helper" in (project / "small.py").read_text()


def test_without_it_a_hint_names_the_option(project):
    command = ("check", "src/main.py", "--stderr", "needle", "--", "python3", "src/main.py")
    done = pollard(*command, cwd=project)
    assert done.returncode == 3
    assert "--around (around = true) links it" in done.stdout + done.stderr


def test_settings_link_what_is_around_the_file_in_their_folder(project):
    (project / "pollard.toml").write_text(
        '[oracles.o]\ncommand = "sh check.sh {file}"\nstderr = "needle"\naround = true\n'
    )
    done = pollard("reduce", "main.py", "-o", "small.py", cwd=project / "src")
    assert done.returncode == 0, done.stderr
    assert "helper" in (project / "src" / "small.py").read_text()


def test_packages_are_linked_whole_and_hidden_files_are_left_out(tmp_path):
    for name in ("node_modules/a", "src/node_modules/b", "src/deep", "other", ".git"):
        (tmp_path / name).mkdir(parents=True)
    file = tmp_path / "src" / "deep" / "x.js"
    file.write_text("1")
    found = around(file, tmp_path)
    places = {str(each.place) for each in found.companions(()) if each.is_link}
    assert places == {"node_modules", "src/node_modules", "other", "src/deep/x.js"}
    assert (found.root, str(found.inside)) == (tmp_path, "src/deep")


def test_a_file_outside_of_the_workspace_has_its_own_folder_around_it(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "x.c").write_text("")
    found = around(tmp_path / "a" / "x.c", tmp_path / "b")
    assert found.root == tmp_path / "a"


def test_a_file_around_that_changes_makes_kept_verdicts_worthless(tmp_path):
    for name in ("src/x.c", "include/deep/x.h", "include/node_modules/a.h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    oracle = OracleSettings(command=("true",), around=True).to_oracle(
        tmp_path, tmp_path / "src/x.c"
    )
    before = oracle.fingerprint()
    (tmp_path / "include/node_modules/a.h").write_text("changed")
    assert oracle.fingerprint() == before
    (tmp_path / "include/deep/x.h").write_text("changed")
    assert oracle.fingerprint() != before
