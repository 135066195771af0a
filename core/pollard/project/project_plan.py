"""The plan of a reduction of several files."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pollard.file_tree import Entry, FileTree, shown
from pollard.syntax.encodings.encoding import encoding_of
from pollard.syntax.grammars.languages import grammar_for

if TYPE_CHECKING:
    from pollard.plan import Plan


@dataclass(frozen=True, slots=True)
class ProjectPlan:
    """All inputs of a reduction of several files.

    - `tree`: the original
    - `each`: how each file is reduced, and the oracle; its text and what depends on it are replaced
    - `main`: the path of the main file, which is reduced but never removed
    - `fixed`: files beside the tree that the oracle needs; they are not part of the result
    - `merging`: also replace lines that name a file by its contents
    - `notes`: what to tell the user about this plan
    """

    tree: FileTree
    each: Plan
    main: bytes | None = None
    fixed: FileTree = field(default_factory=dict)
    merging: bool = True
    notes: tuple[str, ...] = ()

    def for_file(self, path: bytes, entry: Entry) -> Plan:
        """Return the plan for the contents of one file."""
        encoding = encoding_of(entry.content)
        name = shown(path.rpartition(b"/")[2])
        return replace(
            self.each,
            text=entry.content,
            filename=name,
            grammar=grammar_for(name, encoding.decoded(entry.content)),
            encoding=encoding,
            notes=(),
        )
