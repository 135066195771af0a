"""Bad input: one clear sentence or a correct result, and an unchanged original."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from pollard.cli.main import run
from tests.core.cli.helpers import JSON, NEEDLE, pollard, script


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "bug.json"
    file.write_text(JSON)
    script(tmp_path / "oracle.sh", f"#!/bin/sh\ntouch {tmp_path}/ran\ngrep -q needle $1\n")
    (tmp_path / "plain").write_text("no program\n")
    return file


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ("nix.json -- ./oracle.sh", "There is no file nix.json"),
        ("bug.json nix.json -- ./oracle.sh", "There is no file"),
        ("bug.json plain --in-place -- ./oracle.sh", "--in-place is for one directory"),
        ("bug.json plain -o - -- ./oracle.sh", "name a directory with -o"),
        ("bug.json plain -o small --main nix -- ./oracle.sh", "--main nix is not one of the files"),
        ("bug.json plain --other 1 -- ./oracle.sh", "--other 1: the last reduction of"),
        (". -o ../small --diagnostic ruff:F821", "--diagnostic and --lsp are for a single file"),
        ("bug.json --main bug.json -- ./oracle.sh", "--main is for a directory"),
        ("bug.json --no-merging -- ./oracle.sh", "--no-merging is for a directory"),
        ("bug.json --archive x.tar.gz -- ./oracle.sh", "--archive is for a directory"),
        (". -o small -- ./oracle.sh", "small is in . itself"),
        (". -o plain -- ./oracle.sh", "plain is in . itself"),
        ("bug.json bug.json -o plain -- ./oracle.sh", "plain is no directory"),
        (". --archive ../x.zip -- ./oracle.sh", "must end in .tar.gz"),
        (". -o ../small --in-place -- ./oracle.sh", "Give one of -o"),
        (". -o ../small -- cat {file}", "name it with --main"),
        (". -o ../small -- ./nix.sh", "does not exist"),
        ("/dev/null -- ./oracle.sh", "not a regular file"),
        ("", "Missing argument"),
        ("bug.json", "no oracle is set"),
        ("bug.json --", "no oracle is set"),
        ("bug.json --oracle gcc", "no oracle is called 'gcc'"),
        ("bug.json --oracle gcc -- ./oracle.sh", "not both"),
        ("bug.json -- ./nix.sh", "does not exist"),
        ("bug.json -- nixnix", "not found on PATH"),
        ("bug.json -- oracle.sh", "write ./oracle.sh"),
        ("bug.json -- ./plain", "not executable"),
        ("bug.json --with nix.h -- ./oracle.sh", "nix.h"),
        ("bug.json --strategy hdx -- ./oracle.sh", "Did you mean 'hdd'?"),
        ("bug.json --language klingon -- ./oracle.sh", "did you mean 'kotlin'?"),
        ("bug.json --timeout soon -- ./oracle.sh", "must be a duration"),
        ("bug.json --memory much -- ./oracle.sh", "must be a size"),
        ("bug.json --signal SIGFOO -- ./oracle.sh", "SIGFOO"),
        ("bug.json --exit-code -1 -- ./oracle.sh", "--exit-code"),
        ("bug.json --stdout ( -- ./oracle.sh", "regular expression"),
        ("bug.json -j 0 -- ./oracle.sh", "--jobs"),
        ("bug.json --scheduler tcp://a:1 --scheduler-file b -- ./oracle.sh", "not both"),
        ("bug.json --scheduler-file b -- ./oracle.sh", "no scheduler file"),
        ("bug.json --scheduler-file plain -- ./oracle.sh", "No scheduler has written"),
        ("bug.json plain -o small --scheduler-file b -j 1 -- ./oracle.sh", "Only a single file"),
        ("bug.json --checks 0 -- ./oracle.sh", "--checks"),
        ("bug.json --lines 7:3 -- ./oracle.sh", "--lines 7:3 is out of range"),
        ("bug.json --lines 0:3 -- ./oracle.sh", "out of range"),
        ("bug.json --lines 1:999 -- ./oracle.sh", "out of range"),
        ("bug.json --lines x -- ./oracle.sh", "--lines must be"),
        ("bug.json -o bug.json -- ./oracle.sh", "--in-place"),
        ("bug.json -o . -- ./oracle.sh", "is a directory"),
        ("bug.json -o nix/out -- ./oracle.sh", "nix/out cannot be written"),
        ("bug.json -o plain/out -- ./oracle.sh", "plain/out cannot be written"),
        ("bug.json --stats nix/s.json -- ./oracle.sh", "nix/s.json cannot be written"),
        ("bug.json --stats bug.json -- ./oracle.sh", "--stats"),
        ("bug.json --stats -- ./oracle.sh -x", "'--stats' requires an argument"),
        ("bug.json --in-place -o x -- ./oracle.sh", "not both"),
        ("bug.json --events -o - -- ./oracle.sh", "standard output"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(file, arguments, part, monkeypatch, capsys):
    monkeypatch.chdir(file.parent)
    assert run(["reduce", *arguments.split()]) == 2
    printed = capsys.readouterr()
    assert part in printed.err
    assert printed.err.startswith("pollard: ")
    assert len(printed.err.splitlines()) == 1
    assert printed.out == ""
    assert file.read_text() == JSON
    assert not (file.parent / "ran").exists(), "the oracle must not run"


@pytest.mark.parametrize("option", ["-o", "--in-place"])
def test_a_read_only_directory_is_reported_before_the_oracle_runs(file, option):
    """Root may write to every directory except the kernel's."""
    place = file.parent / "read-only"
    place.mkdir(mode=0o755)
    if os.geteuid() == 0:
        place = Path("/sys")
        subject = Path("/sys/kernel/notes") if option == "--in-place" else file
        subject = subject if subject.is_file() else file
    else:
        subject = place / "bug.json"
        subject.write_text(JSON)
        place.chmod(0o555)
    arguments = ["--in-place"] if option == "--in-place" else ["-o", place / "out.json"]
    done = pollard("reduce", subject, *arguments, "--", "./oracle.sh", cwd=file.parent)
    assert done.returncode == 2
    assert "cannot be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (file.parent / "ran").exists()


def test_a_full_disk_is_one_sentence_and_no_text_is_said_to_be_there(file, monkeypatch):
    def full(_path, _content):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("pollard.cli.output.write_atomically", full)
        done = pollard("reduce", file, "--", "./oracle.sh", cwd=file.parent)
    assert done.returncode == 2
    assert done.stderr == (
        f"pollard: {file.parent}/bug.reduced.json cannot be written: No space left on device; put "
        "that right and go on with --resume.\n"
    )
    assert pollard("reduce", file, "--resume", "--", "./oracle.sh", cwd=file.parent).returncode == 0


def test_broken_settings_name_file_and_line(file):
    (file.parent / "pollard.toml").write_text('strategy = "hdd"\ntimeot = "10s"\n')
    done = pollard("reduce", file, "--", "./oracle.sh", cwd=file.parent)
    assert done.returncode == 2
    assert "pollard.toml:2: unknown key 'timeot'; did you mean 'timeout'?" in done.stderr
    (file.parent / "pollard.toml").write_text('jobs = 1\nstrategy = "hdx"\n')
    done = pollard("reduce", file, "--", "./oracle.sh", cwd=file.parent)
    assert done.returncode == 2
    assert "pollard.toml:2: " in done.stderr
    assert "hdx" in done.stderr


def test_an_empty_file_is_irreducible(tmp_path):
    (tmp_path / "empty.c").write_bytes(b"")
    done = pollard("reduce", "empty.c", "--", "true", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "nothing could be reduced" in done.stderr
    done = pollard("reduce", "empty.c", "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 3
    assert "not interesting" in done.stderr


def test_a_binary_file_is_reduced(tmp_path):
    (tmp_path / "x.bin").write_bytes(bytes(range(256)) + b"needle\0\xff\xfe" + bytes(range(128)))
    done = pollard("reduce", "x.bin", "--", "grep", "-qa", "needle", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x.reduced.bin").read_bytes() == b"needle"


def test_a_program_that_is_not_utf_8_is_reduced(tmp_path):
    (tmp_path / "x.py").write_bytes(b"a = 1\nb = '\xe4 needle'\n")
    done = pollard("reduce", "x.py", "--", "grep", "-qa", "needle", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (tmp_path / "y.py").write_text("a = 1\nb = 'ä needle'\n", encoding="utf-8")
    pollard("reduce", "y.py", "--", "grep", "-qa", "needle", cwd=tmp_path)
    same = (tmp_path / "y.reduced.py").read_text("utf-8").encode("latin-1")
    assert (tmp_path / "x.reduced.py").read_bytes() == same


def test_a_file_name_that_is_not_utf_8_works(tmp_path):
    name = os.fsdecode(b"b\xe4g.json")
    (tmp_path / name).write_text(JSON)
    done = pollard("reduce", name, "--events", "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "needle" in (tmp_path / os.fsdecode(b"b\xe4g.reduced.json")).read_text()


def test_ten_megabytes_are_reduced(tmp_path):
    filler = "x" * 99 + "\n"
    (tmp_path / "big.txt").write_text(filler * 50_000 + "needle\n" + filler * 50_000)
    done = pollard("reduce", "big.txt", "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "big.reduced.txt").read_text() == "needle"
