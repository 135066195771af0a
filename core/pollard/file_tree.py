"""Trees of files as values: what a reduction of several files starts from, tries and returns.

A tree maps paths to entries. A path is relative, with `/` between its parts, and is made of bytes,
since file names need not be text. A folder has an entry of its own only if it is empty.
"""

from __future__ import annotations

import enum
import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE_MODE = 0o644
FOLDER_MODE = 0o755


class EntryKind(enum.Enum):
    """What stands at a path: a file, a symbolic link, or an empty folder."""

    FILE = "file"
    LINK = "link"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file, a link or an empty folder; `content` is a link's target; `mode` are permission bits."""

    content: bytes
    mode: int = FILE_MODE
    kind: EntryKind = EntryKind.FILE

    @property
    def is_file(self) -> bool:
        """Whether it is a file, the only kind that has a content to reduce."""
        return self.kind is EntryKind.FILE

    @property
    def weight(self) -> int:
        """The bytes that it takes up: those of a file, and none for the others."""
        return len(self.content) if self.is_file else 0


FileTree = Mapping[bytes, Entry]


def shown(path: bytes) -> str:
    """Return a path as text; bytes that are no text stay recognisable."""
    return os.fsdecode(path)


def parents(path: bytes) -> list[bytes]:
    """Return the folders around a path, the outermost first."""
    parts = path.split(b"/")[:-1]
    return [b"/".join(parts[: count + 1]) for count in range(len(parts))]


def folders(tree: FileTree) -> set[bytes]:
    """Return all folders of a tree, the empty ones included."""
    found = {path for path, entry in tree.items() if entry.kind is EntryKind.FOLDER}
    for around in {path.rpartition(b"/")[0] for path in tree} - {b""}:
        found.update((around, *parents(around)))
    return found


def weight(tree: FileTree) -> int:
    """Return the bytes of all files."""
    return sum(entry.weight for entry in tree.values())


def file_count(tree: FileTree) -> int:
    """Return the number of files and links."""
    return sum(entry.kind is not EntryKind.FOLDER for entry in tree.values())


def fingerprint(tree: FileTree, *more: bytes) -> str:
    """Return a hash of a tree, and of the bytes `more`."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (*more, *_parts(tree)):
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def _parts(tree: FileTree) -> Iterable[bytes]:
    for path, entry in sorted(tree.items()):
        yield path
        yield b"%s %o" % (entry.kind.value.encode(), entry.mode)
        yield entry.content
