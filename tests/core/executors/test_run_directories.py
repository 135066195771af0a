"""Each run gets an empty directory, whatever the last run did; nothing is left at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import textwrap
from pathlib import Path

import pytest

from pollard.executors import Runner
from pollard.executors import run_directories as module
from pollard.executors.run_directories import claim, remove_abandoned
from pollard.oracle import CommandOracle, OracleError
from tests.core.oracle.helpers import PYTHON, shell

MESSES = {
    "leaves files": "touch a .b; mkdir -p c/d; touch c/d/e",
    "deletes its directory": 'rm -rf "$PWD"',
    "replaces its directory": 'd=$PWD; cd /; rm -rf "$d"; echo > "$d"',
    "closes its directory": "chmod 000 .",
    "closes what it leaves": "mkdir -p x/y; touch x/y/z; chmod 000 x/y x",
    "read-only directories": "mkdir r; touch r/f; chmod 555 r; chmod 400 r/f",
    "changes the candidate": 'echo changed > "$1"; chmod 000 "$1"',
    "makes the candidate a directory": 'rm "$1"; mkdir "$1"; touch "$1/x"',
    "leaves a socket and a pipe": "mkfifo p",
    "leaves a pipe among temporary files": 'mkfifo "$TMPDIR/p"',
    "opens its directory": "chmod 777 .",
}
REPORT = 'ls -A; cat "$1"; stat -c %a .; '


@pytest.mark.parametrize("mess", MESSES.values(), ids=MESSES.keys())
def test_the_next_run_finds_only_its_candidate(mess):
    with Runner(shell(REPORT + mess), "case.c") as runner:
        root = runner.root
        seen = [runner.run(b"text%d" % n, capture=True).stdout for n in range(3)]
    assert seen == [b"case.c\ntext%d700\n" % n for n in range(3)]
    assert not root.exists()


def test_a_link_in_place_of_the_directory_is_not_followed(tmp_path):
    (tmp_path / "case.c").write_text("the original")
    swap = f'd=$PWD; cd /; rm -rf "$d"; ln -s {tmp_path} "$d"'
    with Runner(shell(swap), "case.c") as runner:
        for _ in range(2):
            runner.run(b"candidate")
    assert (tmp_path / "case.c").read_text() == "the original"


def test_closed_directories_are_removed_without_being_root():
    """Permissions do not stop root, so this runs as nobody, in another process."""
    script = textwrap.dedent(
        """
        import os
        from pollard.executors import Runner
        from pollard.oracle import CommandOracle
        if os.geteuid() == 0:
            os.setgid(65534); os.setuid(65534)
        command = "ls -A; mkdir -p x/y; touch x/y/z; chmod 000 x/y x {dir}; true {file}"
        with Runner(CommandOracle(command), "a") as runner:
            print([runner.run(b"", capture=True).stdout for _ in range(2)])
        print(runner.root.exists())
        """
    )
    place = tempfile.mkdtemp()
    try:
        Path(place).chmod(0o777)
        done = subprocess.run(
            [PYTHON, "-c", script],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "TMPDIR": place, "HOME": place},
        )
    finally:
        shutil.rmtree(place)
    assert done.stdout == "[b'a\\n', b'a\\n']\nFalse\n", done.stderr


def test_nothing_is_written_to_the_workspace(tmp_path):
    (tmp_path / "keep").write_text("kept")
    with Runner(CommandOracle("touch out.o; ls {file}", workspace=tmp_path), "a.c") as runner:
        runner.run(b"x")
    assert [path.name for path in tmp_path.iterdir()] == ["keep"]


def test_a_full_disk_raises_one_sentence(monkeypatch):
    with Runner(CommandOracle(("true",)), "a.c") as runner:
        really_open = open
        monkeypatch.setattr("builtins.open", lambda *_, **__: really_open("/dev/full", "wb", 0))
        with pytest.raises(OracleError, match="is full; free some space or set TMPDIR"):
            runner.run(b"x")


def test_an_unwritable_temporary_directory_raises(monkeypatch, tmp_path):
    monkeypatch.setattr(module.tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(OracleError, match="cannot be written"):
        Runner(CommandOracle(("true",)), "a.c")


def test_roots_of_killed_processes_are_removed_and_live_ones_kept(tmp_path):
    dead, live = tmp_path / "pollard-deaddead", tmp_path / "pollard-livelive"
    claims = []
    for root in (dead, live):
        (root / "room1").mkdir(parents=True)
        claims.append(claim(root))
    claims[0].close()
    remove_abandoned(tmp_path)
    assert [root.exists() for root in (dead, live)] == [False, True]
    claims[1].close()


def test_roots_without_a_lock_are_removed_only_if_empty_and_old(tmp_path):
    """Their process was killed before it had the lock, or is about to take it; or they are others'."""
    old, young, other = (
        tmp_path / f"pollard-{name}" for name in ("oldoldol", "youngyou", "othersot")
    )
    for root in (old, young, other):
        root.mkdir()
    (other / "file").touch()
    (old / "new-lock").touch()
    for root in (old, other):
        os.utime(root, (0, 0))
    remove_abandoned(tmp_path)
    assert [root.exists() for root in (old, young, other)] == [False, True, True]
