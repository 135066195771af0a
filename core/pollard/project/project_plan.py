"""The plan of a reduction of several files."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pollard.file_tree import Entry, FileTree, shown
from pollard.syntax.encodings.encoding import encoding_of
from pollard.syntax.grammars.languages import grammar_for

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.plan import Plan


@dataclass(frozen=True, slots=True)
class KeptAround:
    """What must stay of a file: it begins with `head` and ends with `tail`; the rest may change."""

    path: bytes
    head: bytes
    tail: bytes

    def allows(self, tree: FileTree) -> bool:
        """Return whether a tree still has both."""
        entry = tree.get(self.path)
        return entry is not None and self._has_both(entry.content)

    def span(self, content: bytes) -> tuple[int, int]:
        """Return the span of a content that may change."""
        return len(self.head), len(content) - len(self.tail)

    def _has_both(self, content: bytes) -> bool:
        long_enough = len(content) >= len(self.head) + len(self.tail)
        return long_enough and content.startswith(self.head) and content.endswith(self.tail)


@dataclass(frozen=True, slots=True)
class ProjectPlan:
    """All inputs of a reduction of several files.

    - `tree`: the original
    - `each`: how each file is reduced, and the oracle; its text and what depends on it are replaced
    - `main`: the path of the main file, which is reduced but never removed
    - `fixed`: files beside the tree that the oracle needs; they are not part of the result
    - `merging`: also replace lines that name a file by its contents
    - `kept_around`: what must stay of one file, of which only some lines may change
    - `journal`: the directory that keeps every accepted tree; None for none
    - `resume`: go on with the reduction in `journal`
    - `name`, `place`: what reports call the files, and where the directory or the first file is
    - `notes`: what to tell the user about this plan
    """

    tree: FileTree
    each: Plan
    main: bytes | None = None
    fixed: FileTree = field(default_factory=dict)
    merging: bool = True
    kept_around: KeptAround | None = None
    journal: Path | None = None
    resume: bool = False
    name: str = ""
    place: Path | None = None
    notes: tuple[str, ...] = ()

    @property
    def partly(self) -> bytes | None:
        """The path of the file of which only some lines may change."""
        return self.kept_around.path if self.kept_around else None

    @property
    def needed(self) -> frozenset[bytes]:
        """The paths of the files that are never removed."""
        return frozenset(path for path in (self.main, self.partly) if path is not None)

    def for_file(self, path: bytes, entry: Entry) -> Plan:
        """Return the plan for the contents of one file."""
        encoding, kept = encoding_of(entry.content), self.kept_around
        name = shown(path.rpartition(b"/")[2])
        return replace(
            self.each,
            text=entry.content,
            filename=name,
            grammar=grammar_for(name, encoding.decoded(entry.content)),
            encoding=encoding,
            region=kept.span(entry.content) if kept and kept.path == path else None,
            notes=(),
        )
