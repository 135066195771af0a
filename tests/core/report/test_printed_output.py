"""What a run printed goes into a report without the run's directory, and however long it is."""

from __future__ import annotations

from pollard.oracle import Run, Verdict
from pollard.report.account import printed_by


def _printed(stdout: bytes, stderr: bytes = b"") -> str:
    run = Run(exit_code=0, signal=None, verdict=Verdict.INTERESTING, stdout=stdout, stderr=stderr)
    return printed_by(run)


def test_the_directory_of_the_run_is_left_out_of_the_names_of_files() -> None:
    directory = b"/tmp/pollard-k_2x/room1/run/"
    out, errors = b"File '%sa.py', line 1\n" % directory, b"%sa.py:2:C:/b.c\n" % directory
    assert _printed(out, errors) == "File 'a.py', line 1\na.py:2:C:/b.c"
    assert _printed(b"/tmp/pollard-k_2x/room1/tmp/cc7.o: no symbol") == "cc7.o: no symbol"


def test_a_word_of_a_mebibyte_is_read_but_once() -> None:
    """To look for a directory from each of its characters on would take hours."""
    printed = _printed(b"x" * (1 << 20), b"the end")
    assert printed.startswith("xxx")
    assert printed.endswith("xxx\nthe end")
    assert "characters are left out" in printed
