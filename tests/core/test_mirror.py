"""A mirror shows exactly the tree that it is told, whatever happened in the directory before."""

from __future__ import annotations

import os
import resource
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.file_tree import Entry, EntryKind
from pollard.mirror import Mirror
from tests.examples import examples

FOLDER = Entry(b"", 0o755, EntryKind.FOLDER)
A = {b"a": Entry(b"1"), b"f/b": Entry(b"2", 0o755), b"f/g/c": Entry(b"3"), b"empty": FOLDER}


def found(directory: Path):
    """Read a directory as a tree."""
    entries = {}
    for path in directory.rglob("*"):
        name = os.fsencode(path.relative_to(directory))
        mode = stat.S_IMODE(path.lstat().st_mode)
        if path.is_symlink():
            entries[name] = Entry(os.fsencode(path.readlink()), kind=EntryKind.LINK)
        elif path.is_file():
            entries[name] = Entry(path.read_bytes(), mode)
        elif not any(path.iterdir()):
            entries[name] = Entry(b"", mode, EntryKind.FOLDER)
    return entries


_PATHS = st.sampled_from([b"a", b"b", b"f/a", b"f/b", b"f/g/a", b"h/a", b"\xff\xfe", b"h/i/j/k"])
_ENTRIES = st.builds(Entry, st.sampled_from([b"", b"x", b"y" * 9]), st.sampled_from([0o644, 0o755]))
_TREES = st.dictionaries(_PATHS, _ENTRIES)


@examples(60)
@given(trees=st.lists(_TREES, min_size=1, max_size=5))
def test_any_tree_follows_any_other(tmp_path_factory, trees):
    directory = tmp_path_factory.mktemp("mirror")
    mirror = Mirror(directory)
    for tree in trees:
        mirror.show(tree)
        mirror.check()
        assert found(directory) == tree


def test_a_file_for_which_there_was_no_room_is_written_once_there_is(tmp_path):
    mirror, tree = Mirror(tmp_path), {b"a": Entry(b"1"), b"b": Entry(b"2" * 50)}
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            mirror.show(tree)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert found(tmp_path) == {b"a": Entry(b"1")}
    mirror.show(tree)
    assert found(tmp_path) == tree


def _overwrite(d):
    (d / "a").write_bytes(b"9")


def _touch_unwritable(d):
    (d / "f").chmod(0)


CHANGES = {
    "a file of the same size is overwritten": _overwrite,
    "a file is appended to": lambda d: (d / "f/b").open("ab").write(b"more"),
    "a file is removed": lambda d: (d / "a").unlink(),
    "a file is made executable": lambda d: (d / "a").chmod(0o755),
    "a file becomes a link": lambda d: ((d / "a").unlink(), (d / "a").symlink_to("f/b")),
    "a file becomes a folder": lambda d: ((d / "a").unlink(), (d / "a" / "x").mkdir(parents=True)),
    "a folder becomes a link": lambda d: ((d / "f").rename(d / "z"), (d / "f").symlink_to("z")),
    "a folder is removed": lambda d: (d / "empty").rmdir(),
    "a folder is closed": _touch_unwritable,
    "files appear": lambda d: ((d / "f" / "new").mkdir(), (d / "f" / "new" / "x").write_text("x")),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_a_run_changed_is_put_right(tmp_path, change):
    mirror = Mirror(tmp_path)
    mirror.show(A)
    change(tmp_path)
    mirror.check()
    mirror.show(A)
    assert found(tmp_path) == A


def test_only_the_difference_is_written(tmp_path):
    mirror = Mirror(tmp_path)
    mirror.show(A)
    before = (tmp_path / "f" / "b").stat().st_ino, (tmp_path / "a").stat().st_ctime_ns
    mirror.check()
    mirror.show({**A, b"f/g/c": Entry(b"4")})
    assert ((tmp_path / "f" / "b").stat().st_ino, (tmp_path / "a").stat().st_ctime_ns) == before
    assert (tmp_path / "f" / "g" / "c").read_bytes() == b"4"


def test_a_hard_link_to_a_file_keeps_the_old_content(tmp_path):
    (directory := tmp_path / "shown").mkdir()
    mirror = Mirror(directory)
    mirror.show(A)
    os.link(directory / "a", tmp_path / "kept")
    mirror.show({b"a": Entry(b"new")})
    assert (tmp_path / "kept").read_bytes() == b"1"


def test_links_are_shown_as_links_even_if_they_lead_nowhere(tmp_path):
    tree = {b"link": Entry(b"/nowhere", kind=EntryKind.LINK)}
    Mirror(tmp_path).show(tree)
    assert found(tmp_path) == tree
