"""Files are replaced as a whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pollard.system import write_atomically


def test_a_new_file_and_a_changed_one(tmp_path: Path):
    path = tmp_path / "file"
    write_atomically(path, b"old")
    write_atomically(path, b"new\r\n\0")
    assert path.read_bytes() == b"new\r\n\0"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_the_mode_stays(tmp_path: Path):
    path = tmp_path / "script"
    path.write_text("old")
    path.chmod(0o750)
    write_atomically(path, b"new")
    assert path.stat().st_mode & 0o777 == 0o750


def test_a_full_disk_leaves_the_old_content_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)  # where many systems notice it
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_what_killed_processes_left_beside_a_file_is_removed(tmp_path: Path):
    dead = 2**22 + 1  # above the largest number of a process
    left, alive = (tmp_path / f".[a].c.{process}.tmp" for process in (dead, os.getppid()))
    other = tmp_path / f".b.c.{dead}.tmp"
    for path in (left, alive, other):
        path.touch()
    write_atomically(tmp_path / "[a].c", b"text")
    assert [path.exists() for path in (left, alive, other)] == [False, True, True]


def test_a_file_system_that_cannot_sync_is_written_nevertheless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(_: int) -> None:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

    monkeypatch.setattr(os, "fsync", refuse)
    write_atomically(tmp_path / "file", b"text")
    assert (tmp_path / "file").read_bytes() == b"text"


def test_a_pipe_or_a_device_is_written_to_and_not_replaced(tmp_path: Path):
    """Such as `--stats /dev/null`: as root, that would be a regular file from then on."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(pipe, b"text")
        assert os.read(reader, 10) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert [found.name for found in tmp_path.iterdir()] == ["pipe"]


def test_a_directory_is_not_replaced(tmp_path: Path):
    (tmp_path / "there").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_atomically(tmp_path / "there", b"new")
    assert [found.name for found in tmp_path.iterdir()] == ["there"]


def test_a_missing_folder_is_an_error(tmp_path: Path):
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "no" / "file", b"new")
