"""The file that the failure's output names: one of its statements may be all that fails.

A failing value often comes a long way through other files. The statement that fails needs none of them
if it gets the value where it stands, as the pass `named` tries it. Then few other files are needed, and
most go in few runs. So it comes first, while the lines of the files are still those of the output.

So the statement is tried first in the place of the program that led to its file, with no other file
and with values for what others declare; then in its own file beside the others, and if that holds, that
file in the place of the program.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.file_tree import shown
from pollard.project.links.imports import Imports, extension, grammar_of, words_in
from pollard.project.phases.merging import in_command, joined
from pollard.project.phases.questions import first_of_trees
from pollard.project.phases.shared_names import declared_in
from pollard.project.phases.single_file import TextInTree, reduce_in_tree, reduce_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.file_tree import Entry, FileTree
    from pollard.passes.strategy import Strategy
    from pollard.project.phases.tree_subject import TreeSubject

    Place = tuple[bytes, int]

_PASS = "named"
# Together; in longer texts `named` does not look for statements.
_MAX_DECLARING_BYTES = 65_536


def reduce_named_file(subject: TreeSubject) -> None:
    """Put a statement that the output names in the place of the program, or of its file.

    Only in the first or the last file of the list of calls, where the innermost is.
    """
    strategy = subject.plan.each.chosen_strategy().only(_PASS)
    if strategy is None:
        return
    before, places = subject.tree, subject.original.named_places
    for path in innermost(places):
        lines = tuple(number for named, number in places if named == path)
        _put_alone(subject, path, lines, strategy)
        if subject.tree == before:
            reduce_text(subject, path, strategy, lines)
            if subject.tree != before:
                put_into_program(subject, path)
        if subject.tree != before:
            return


def _put_alone(
    subject: TreeSubject, path: bytes, lines: tuple[int, ...], strategy: Strategy
) -> None:
    """Put a statement in the place of the program, with values for what other files declare."""
    plan, tree = subject.plan, subject.tree
    if not plan.merging or plan.partly is not None or path in plan.needed - {plan.main}:
        return
    program = _program(subject, path)
    first_line, end, _ = tree[program].content.partition(b"\n")
    content, lines = _with_declarations(tree, path, lines, subject.original.asked_names)
    text = TextInTree(
        path,
        replace(tree[program], content=content),
        tree,
        {other: tree[other] for other in plan.needed if other != program},
        program,
        first_line + end if first_line.startswith(b"#!") else b"",
    )
    reduce_in_tree(subject, text, strategy, lines)


def _with_declarations(
    tree: FileTree, path: bytes, lines: tuple[int, ...], asked: tuple[bytes, ...]
) -> tuple[bytes, tuple[int, ...]]:
    """Return a file with those behind it that declare what its lines use, and where the lines are then.

    They may also declare `asked` names. What they import from each other is left out. So the text has
    the names that a program would have which were one file.
    """
    imports, written = Imports(tree, guard=False), tree[path].content.split(b"\n")
    named = [written[number - 1] for number in lines if number <= len(written)]
    words = frozenset(asked).union(*map(words_in, named))
    declaring = sorted(
        (-len(words & declared_in(other, entry)), other)
        for other, entry in tree.items()
        if other != path
        and extension(other) == extension(path)
        and entry.is_file
        and entry.weight <= _MAX_DECLARING_BYTES
        and any(word in entry.content for word in words)  # most files need not be parsed
    )
    chosen = [path, *(other for negative, other in declaring if negative)]
    parts: FileTree = {each: replace(tree[each], content=imports.unlinked(each)) for each in chosen}
    for other in chosen[1:]:
        if len(parts[path].content) + len(parts[other].content) <= _MAX_DECLARING_BYTES:
            parts = joined(parts, path, other)
    content = parts[path].content
    left = content.split(b"\n")
    return content, tuple(left.index(line) + 1 for line in named if line in left)


def file_that_fails(subject: TreeSubject) -> bytes | None:
    """Return the innermost file that the output names, unless it is the program itself."""
    path = next(iter(innermost(subject.original.named_places)), None)
    if path is None or path not in subject.tree or _program(subject, path) == path:
        return None
    return path


def put_into_program(subject: TreeSubject, path: bytes) -> None:
    """Put a file in the place of the program that leads to it: alone, then beside the other files."""
    if subject.plan.merging:
        first_of_trees(subject, "merging", list(_with_other_program(subject, path)))


def _with_other_program(subject: TreeSubject, path: bytes) -> Iterator[FileTree]:
    """Yield trees in which a file is the program, if that is another file of its kind."""
    tree, plan, program = subject.tree, subject.plan, _program(subject, path)
    if program == plan.partly or path in (program, *plan.needed):
        return
    moved = {program: replace(tree[program], content=tree[path].content)}
    yield {other: tree[other] for other in plan.needed} | moved
    yield {other: entry for other, entry in tree.items() if other != path} | moved


def _program(subject: TreeSubject, path: bytes) -> bytes:
    """Return the program that leads to a file, if one of its kind is known, or else the file."""
    tree, plan = subject.tree, subject.plan
    ends = innermost(subject.original.named_places)
    main = [plan.main] if plan.main is not None else []
    likely = [*main, *in_command(subject, tree), *reversed(ends)]
    language = _language(path, tree[path])
    alike = (each for each in likely if each in tree and _language(each, tree[each]) == language)
    return next(alike, path)


def _language(path: bytes, entry: Entry) -> str:
    """Return the language of a file, or its extension if no grammar knows it."""
    grammar = grammar_of(path, entry.content)
    return grammar.name if grammar else shown(extension(path))


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
