"""Directories that are odd, hostile or large: one clear sentence, or it simply works."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import pytest

from pollard.project import project_files
from pollard.project.leaving_out import LeftOut
from pollard.project.project_files import ProjectError, read_directory
from tests.core.cli.helpers import pollard


@pytest.fixture
def project(tmp_path):
    """A directory in which one file is needed."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.txt").write_text("first\nneedle\n")
    (root / "b.txt").write_text("other\n")
    return root


_NEEDLE = ("--", "grep", "-q", "needle", "{dir}/a.txt")


def reduced(project, *options):
    return pollard("reduce", project, *options, *_NEEDLE, cwd=project.parent)


def test_what_cannot_be_copied_is_left_out_and_said(project):
    os.mkfifo(project / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(project / "socket"))
        done = reduced(project, "-o", "out")
    assert done.returncode == 0, done.stderr
    said = "Left out: pipe, socket; pipes, sockets and devices cannot be copied."
    assert said in done.stderr.splitlines()
    assert [path.name for path in (project.parent / "out").iterdir()] == ["a.txt"]


def test_the_first_reason_why_a_result_cannot_be_written_is_told(project, monkeypatch):
    """Writing is tried again at the end, and may fail for another reason then."""
    reasons = [errno.ENOSPC, errno.EEXIST]

    def full(*_):
        raise OSError(reasons[0], os.strerror(reasons.pop(0)))

    monkeypatch.setattr("pollard.project.result_folder.ResultFolder.finish", full)
    done = reduced(project, "-o", "out")
    assert (done.returncode, reasons) == (2, [])
    assert done.stderr == (
        "pollard: out cannot be written: No space left on device; put that right and go on with "
        "--resume.\n"
    )


def test_only_paths_that_no_run_finds_are_called_misplaced(project):
    """Runs on a directory take place in a copy of it; those on a file have the file alone."""
    for checked, misplaced in ((".", []), ("a.txt", ["./b.txt", "b.txt"])):
        done = pollard("check", checked, "--", "grep -q absent ./b.txt b.txt", cwd=project)
        assert done.returncode == 3, done.stderr
        hints = [line for line in done.stdout.splitlines() if "is in the workspace" in line]
        assert [hint.split()[1] for hint in hints] == misplaced


def test_a_pipe_that_is_named_is_one_sentence(project):
    os.mkfifo(project / "pipe")
    done = pollard("reduce", project / "a.txt", project / "pipe", "--", "true", cwd=project)
    assert done.returncode == 2
    assert done.stderr == f"pollard: {project / 'pipe'} is not a regular file; leave it out.\n"


def test_links_to_outside_and_loops_stay_links_and_are_not_followed(project, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "precious").write_text("needle")
    (project / "loop").symlink_to(".")
    (project / "out").symlink_to(tmp_path / "outside")
    command = "test -L loop && test -L out && grep -q needle a.txt"
    done = pollard("reduce", project, "-o", "small", "--", command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    small = tmp_path / "small"
    assert str((small / "loop").readlink()) == "."
    assert (small / "out").readlink() == tmp_path / "outside"
    assert (tmp_path / "outside" / "precious").read_text() == "needle"


def test_a_run_that_removes_everything_behind_a_link_harms_only_its_copy(project, tmp_path):
    """A reduction must not follow links when it puts a run's directory right either."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "precious").write_text("x")
    (project / "out").symlink_to(tmp_path / "outside")
    command = "grep -q needle a.txt && rm -rf a.txt b.txt out && ln -s / out"
    done = pollard("reduce", project, "-o", "small", "--", command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "outside" / "precious").exists()
    assert (project / "out").readlink() == tmp_path / "outside"


def test_names_that_are_not_utf_8_are_shown_and_kept(project, tmp_path):
    odd = os.fsdecode(b"\xff\xfe")
    (project / odd).mkdir()
    (project / odd / "c.py").write_text("needle")
    done = pollard("reduce", project, "-o", "out", "--", "grep -rq needle .", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    left = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert [path.read_text() for path in left] == ["needle"]


def test_a_file_without_permission_to_execute_stays_so(project, tmp_path):
    (project / "run.sh").write_text("#!/bin/sh\n")
    (project / "run.sh").chmod(0o644)
    command = "test -e run.sh && test ! -x run.sh"
    done = pollard("reduce", project, "-o", "out", "--", command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "run.sh").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    ("option", "place"),
    [("-o", "project/out"), ("-o", "project"), ("--archive", "project/x.tgz")],
)
def test_a_result_inside_the_original_is_refused(project, option, place):
    before = sorted(project.iterdir())
    done = reduced(project, option, place)
    assert done.returncode == 2
    assert done.stderr.startswith(
        f"pollard: {place} is in {project} itself; choose a place outside"
    )
    assert sorted(project.iterdir()) == before


def test_very_deep_folders_are_one_sentence(project):
    deep = project.joinpath(*["d"] * 300)
    deep.mkdir(parents=True)
    done = reduced(project, "-o", "out")
    assert done.returncode == 2
    assert "is more than 200 folders deep; leave it out with --exclude" in done.stderr
    assert reduced(project, "-o", "out", "--exclude", "/d").returncode == 0


class _Meddling(LeftOut):
    """Changes a file between its listing and its reading."""

    def skips_file(self, path):
        if path == b"b.txt":
            self.change()
        return super().skips_file(path)


def _meddling(change):
    rules = LeftOut.by()
    meddling = _Meddling(rules.include, rules.exclude)
    meddling.change = change
    return meddling


def test_a_file_that_goes_while_the_directory_is_read_is_one_sentence(project):
    gone = project / "b.txt"
    with pytest.raises(ProjectError, match=r"There is no file .*b\.txt any more"):
        read_directory(project, _meddling(gone.unlink))


def test_a_file_that_grows_while_it_is_read_is_one_sentence(project, monkeypatch):
    lstat = os.lstat

    def appending(path):
        status = lstat(path)
        with Path(os.fsdecode(path)).open("a") as stream:
            stream.write("more")
        return status

    monkeypatch.setattr(project_files.os, "lstat", appending)
    with pytest.raises(ProjectError, match="changes while it is read; stop that and try again"):
        read_directory(project, LeftOut.by())


def test_what_changes_in_the_directory_during_the_reduction_does_not_matter(project, tmp_path):
    """All contents are read before the first run."""
    command = f"echo x >> {project}/b.txt; rm -f {project}/a.txt; grep -q needle a.txt"
    done = pollard("reduce", project, "-o", "out", "--", command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "a.txt").read_text().strip() == "needle"


def test_unreadable_files_and_folders_are_one_sentence_and_can_be_left_out():
    """Permissions do not stop root, so this runs as nobody, in another process."""
    code = textwrap.dedent(
        """
        import os
        from pathlib import Path
        from pollard.errors import PollardError
        from pollard.project.leaving_out import LeftOut
        from pollard.project.project_files import read_directory
        if os.geteuid() == 0:
            os.setgid(65534); os.setuid(65534)

        def read(*exclude):
            try:
                print(sorted(read_directory(Path("p"), LeftOut.by(exclude=exclude)).tree))
            except PollardError as error:
                print(error)

        os.mkdir("p"); os.mkdir("p/closed"); open("p/a", "w").close(); open("p/b", "w").close()
        os.chmod("p/b", 0); os.chmod("p/closed", 0)
        read(); read("b"); read("b", "closed")
        """
    )
    place = tempfile.mkdtemp()
    try:
        Path(place).chmod(0o777)
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=place
        )
    finally:
        shutil.rmtree(place)
    advice = "cannot be read: Permission denied; correct that, or leave it out with --exclude."
    told = done.stdout.splitlines()
    assert told == [f"p/b {advice}", f"p/closed {advice}", "[b'a']"], done.stderr


@pytest.mark.exhaustive
def test_many_small_files_take_few_runs(tmp_path):
    root = tmp_path / "project"
    for n in range(100):
        (root / f"d{n % 7}" / f"e{n}").mkdir(parents=True)
        for m in range(100):
            (root / f"d{n % 7}" / f"e{n}" / f"f{m}").write_text(f"{n} {m}\n")
    (root / "d3" / "e10" / "f5").write_text("needle\n")
    words = ["reduce", root, "-o", "out", "--events", "-j1", "--checks", "1"]
    done = pollard(*words, "--", "grep", "-q", "needle", "d3/e10/f5", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "10000 files with" in done.stderr
    assert '"runs": ' in done.stdout
    runs = int(done.stderr.split(" runs")[0].rsplit(" ", 1)[1])
    assert runs <= 60


_PEAK = """
import resource, sys
from pollard.cli.main import run
code = run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.exhaustive
def test_a_large_asset_that_is_needed_in_part_takes_a_few_times_its_size_in_memory(tmp_path):
    """Candidates, their pieces, the journal and the best tree share what does not change."""
    size = 100 << 20
    root = tmp_path / "project"
    root.mkdir()
    block = os.urandom(1 << 20)
    with (root / "asset.bin").open("wb") as stream:
        for number in range(size >> 20):
            stream.write(b"%08d" % number + b"\0" + block[9:])
    words = ["reduce", "project", "-o", "out", "-j1", "--checks", "1"]
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, *words, "--", "test", "-s", "asset.bin"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "asset.bin").stat().st_size == 1
    peak = int(done.stderr.splitlines()[-1]) << 10
    assert peak < 4.5 * size
