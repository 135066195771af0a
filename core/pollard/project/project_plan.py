"""The plan of a reduction of several files, also of those that the oracle of a single file needs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pollard.file_tree import Entry, FileTree, shown
from pollard.oracle import CommandOracle
from pollard.project.project_files import Project, companions_of
from pollard.syntax.encodings.encoding import encoding_of
from pollard.syntax.grammars.languages import grammar_for

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.events import Counts, Result
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

    def whole(self, tree: FileTree) -> FileTree:
        """Return all files that the oracle sees with a tree: its own, and those beside it."""
        return {**self.fixed, **tree}

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


def companions_plan(plan: Plan, result: Result) -> ProjectPlan | None:
    """Return the plan for the companions, after the reduction `plan` ended with `result`.

    The file itself stays as it is then, so its reduction may have any option, such as a region. None
    if the companions are not to be reduced, or if the reduction was stopped or has reached a limit.
    Raises ProjectError if a companion cannot be read.
    """
    oracle = plan.oracle
    if not (isinstance(oracle, CommandOracle) and oracle.reduce_files):
        return None
    if result.cancelled or result.ended_by:
        return None
    main, entry = os.fsencode(plan.filename), Entry(result.text)
    folder = plan.place.parent if plan.place else oracle.workspace
    return ProjectPlan(
        companions_of(oracle.sources, Project(folder, {main: entry})),
        _for_companions(plan, oracle, result.counts),
        main=main,
        fixed={main: entry},
        merging=False,  # each result is compared with the companion in its place
        name=f"companions of {plan.filename}",
    )


def _for_companions(plan: Plan, oracle: CommandOracle, spent: Counts) -> Plan:
    """Return the plan for each companion, within what is left of the limits."""
    return replace(
        plan,
        text=b"",
        oracle=replace(oracle, formatter=None),
        grammar=None,
        plain=False,
        region=None,
        encoding=None,
        checks=1,  # the reduction of the file has just run the same files
        search_limits=plan.search_limits.after(spent.runs, spent.seconds),
        journal=None,
        resume=False,
        notes=(),
    )


def original_place(oracle: CommandOracle, path: bytes) -> Path:
    """Return where the companion at a path of the tree was read from."""
    name, _, inside = shown(path).partition("/")
    source = next(source for source in oracle.sources if source.name == name)
    return source / inside if inside else source
