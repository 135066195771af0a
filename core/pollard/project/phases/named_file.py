"""The file that the failure's output names: one of its statements may be all that fails.

A failing value often comes a long way through other files. The statement that fails needs none of them
if it gets the value where it stands, as the pass `named` tries it. Then few other files are needed, and
most go in few runs. So it comes first, while the lines of the files are still those of the output.

Then the statement is tried in the place of the program that led to its file, with no other file.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.project.phases.imports import extension
from pollard.project.phases.merging import in_command
from pollard.project.phases.questions import first_of_trees
from pollard.project.phases.single_file import reduce_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.file_tree import FileTree
    from pollard.project.phases.tree_subject import TreeSubject

    Place = tuple[bytes, int]

_PASS = "named"


def reduce_named_file(subject: TreeSubject) -> None:
    """Put a statement that the output names in the place of its file.

    Only in the first or the last file of the list of calls, where the innermost is. After that it is
    tried in the place of the program.
    """
    strategy = subject.plan.each.chosen_strategy().only(_PASS)
    before, places = subject.tree, subject.original.named_places
    for path in innermost(places) if strategy else ():
        lines = tuple(number for named, number in places if named == path)
        reduce_text(subject, path, strategy, lines)
        if subject.tree != before:
            _put_into_program(subject, path)
            return


def _put_into_program(subject: TreeSubject, path: bytes) -> None:
    """Put a file in the place of the program that leads to it: alone, then beside the other files."""
    if subject.plan.merging:
        first_of_trees(subject, "merging", list(_with_other_program(subject, path)))


def _with_other_program(subject: TreeSubject, path: bytes) -> Iterator[FileTree]:
    """Yield trees in which a file is the program, if that is another file of its kind."""
    tree, plan = subject.tree, subject.plan
    ends = innermost(subject.original.named_places)
    main = [plan.main] if plan.main is not None else []
    likely = [*main, *in_command(subject, tree), *reversed(ends)]
    alike = (each for each in likely if each in tree and extension(each) == extension(path))
    program = next(alike, path)
    if program == plan.partly or path in (program, *plan.needed):
        return
    moved = {program: replace(tree[program], content=tree[path].content)}
    yield {other: tree[other] for other in plan.needed} | moved
    yield {other: entry for other, entry in tree.items() if other != path} | moved


def innermost(places: tuple[Place, ...]) -> list[bytes]:
    """Return the files at both ends of a list of calls, first the one that is probably innermost."""
    if not places:
        return []
    first, last = places[0][0], places[-1][0]
    between = [path for path, _ in places if path != last]
    if first == last and between:  # where a runner names the test, before the calls that it begins
        first = between[0]
    calls_end_inside = extension(last) == b"py"  # as only Python prints them
    return list(dict.fromkeys((last, first) if calls_end_inside else (first, last)))
