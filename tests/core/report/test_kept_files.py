"""What a report needs of a directory's files is kept, but no large contents."""

from __future__ import annotations

from pathlib import Path

from pollard.file_tree import Entry
from pollard.report.kept_files import KeptFile, read_files, write_files

_LARGE = Entry(bytes(5 << 20))


def test_a_large_original_is_not_kept_while_its_small_result_is(tmp_path: Path) -> None:
    """Its bytes would take six times their number as escapes, in memory and on disk."""
    original = {b"asset": _LARGE, b"gone": _LARGE, b"text": Entry(b"a b")}
    write_files(tmp_path, original, {b"asset": Entry(b"x"), b"text": Entry(b"b")})
    assert read_files(tmp_path) == [
        KeptFile("asset", 5 << 20, None, "x"),
        KeptFile("gone", 5 << 20),
        KeptFile("text", 3, "a b", "b"),
    ]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 1_000


def test_a_large_result_is_not_kept_either(tmp_path: Path) -> None:
    write_files(tmp_path, {b"asset": _LARGE}, {b"asset": _LARGE})
    assert read_files(tmp_path) == [KeptFile("asset", 5 << 20, None, "")]
