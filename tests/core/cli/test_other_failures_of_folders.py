"""Failures of other kinds that candidates of a directory showed: they are kept, and reduced next."""

from __future__ import annotations

import json
import sys

import pytest

from pollard.file_tree import Entry, EntryKind
from pollard.project.result_folder import archive_of, tree_in
from tests.core.cli.helpers import pollard
from tests.core.cli.test_folders import contents

_MAIN = "print(1)\ntry:\n    import values\nexcept ImportError:\n    {}['k']\n"
# Without merging, since the statement that fails would take the place of the program at once.
_COMMAND = (
    *("--main", "main.py", "--no-merging", "--exit-code", "1"),
    *("--", sys.executable, "project/main.py"),
)


@pytest.fixture
def reduced(tmp_path):
    """A folder with a reduced program; without one of its files it shows another failure."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "main.py").write_text(_MAIN)
    (root / "values.py").write_text("x = 1\nint('x')\n")
    (root / "other.py").write_text("y = 2\n")
    given = ("-o", "small", "--stats", "s.json", *_COMMAND)
    done = pollard("reduce", "project", *given, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    tmp_path.joinpath("said").write_text(done.stderr)
    return tmp_path


def number_of(folder, kind):
    """Return the number of a kind among the other failures."""
    kinds = [each["kind"] for each in json.loads((folder / "s.json").read_text())["others"]]
    return kinds.index(kind) + 1


def test_they_are_listed_at_the_end(reduced):
    number = number_of(reduced, "KeyError")
    said = (reduced / "said").read_text()
    assert "reduce one with --other N:" in said
    assert f"  {number}: KeyError" in said


def test_one_is_reduced_next_with_its_own_failure_kept(reduced):
    number = number_of(reduced, "KeyError")
    before = contents(reduced / "project")
    done = pollard("reduce", "project", "--other", number, *_COMMAND, cwd=reduced)
    assert done.returncode == 0, done.stderr
    left = contents(reduced / f"project.other-{number}")
    assert "{}[" in "".join(left.values())
    assert "int(" not in "".join(left.values())
    assert contents(reduced / "project") == before


def test_the_first_reduction_keeps_its_own_journal(reduced):
    """So its report and `--resume` are not those of the other failure."""
    pollard("reduce", "project", "--other", number_of(reduced, "KeyError"), *_COMMAND, cwd=reduced)
    again = pollard("reduce", "project", "--resume", "-o", "small", *_COMMAND, cwd=reduced)
    assert again.returncode == 0, again.stderr
    assert "ValueError" in again.stderr


def test_a_number_that_does_not_exist_is_said(reduced):
    done = pollard("reduce", "project", "--other", "99", *_COMMAND, cwd=reduced)
    assert done.returncode == 2
    assert "--other 99: the last reduction of project has" in done.stderr


def test_a_report_has_them_with_the_sizes_of_all_files(reduced):
    pollard("report", "project", "-o", "report.html", cwd=reduced)
    kept = json.loads((reduced / "s.json").read_text())["others"]
    assert 0 < max(each["bytes"] for each in kept) < 200  # an archive has 10,240 at least
    assert "KeyError" in (reduced / "report.html").read_text()


def test_trees_survive_their_archive():
    """With links, empty folders, permissions, and names that are no text."""
    tree = {
        b"a.sh": Entry(b"x\n", 0o755),
        b"b/\xff.txt": Entry(b""),
        b"c": Entry(b"a.sh", 0o777, EntryKind.LINK),
        b"d": Entry(b"", 0o700, EntryKind.FOLDER),
    }
    assert tree_in(archive_of(tree)) == tree
