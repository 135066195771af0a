"""Joint deletions by place: beginnings with ends, neighbours made one, attributes, columns and more."""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import TYPE_CHECKING

from pollard.engine.hoisting import Elements, Hoister, Hoisting
from pollard.passes.coupling.joint_deletions import JointDeletion
from pollard.syntax.branches.units import removal
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import is_imported, nodes, with_fields
from pollard.syntax.names.markup.tagged_elements import attribute_value, elements
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.passes.coupling.joint_deletions import Analysis
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.names import Names


_MIN_ELEMENTS = 2
_MIN_CHILDREN = 2
_MIN_ROWS = 2
_TAG_END, _CLOSING, _CLOSED = b">", b"</", b"/>"
_MAX_KEYWORDS = 3
# Each column takes a run, and time for each row.
_MAX_COLUMNS = 32
_MAX_ROWS = 1_000


def unwrapped(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield the beginning and the end of each branch with several elements between brackets or tags.

    What the grammar names, such as the condition of a directive, belongs to the beginning or the end.
    So do imports of what the beginning names, such as those of a module. Hoisting does the same for a
    single element.
    """
    hoister = Hoister(analysis.subject)
    for branch in analysis.branches:
        if _is_enclosed(branch) and branch.is_within(analysis.subject.span):
            imports = _imports_of(analysis, branch)
            for elements in _lists_of_elements(branch, 1 if imports else _MIN_ELEMENTS):
                edits = hoister.edits([Hoisting(branch, Elements(elements))])
                yield JointDeletion((), (*edits, *imports))


def _imports_of(analysis: Analysis, branch: Branch) -> list[Edit]:
    """Return the deletions of the imports elsewhere of what the first child of a branch names."""
    head, names = branch.children[0], analysis.names
    if head.is_token:
        return []
    words = set(names.conventions_of(branch).word.findall(names.text_of(head)))
    found = names.definitions_of(words)
    imports = [each.unit for each in found if is_imported(each.unit[0], analysis.document)]
    gone = (removal(*unit) for unit in imports)
    return [edit for edit in gone if not branch.start <= edit.start < branch.end]


def _lists_of_elements(branch: Branch, fewest: int) -> Iterator[tuple[Branch, ...]]:
    """Yield the elements of an enclosed branch, and those of its other part, as after `#else`."""
    inner = branch.children[1:-1]
    elements = _unnamed(branch, inner)
    others = [part for part in inner[-1:] if part not in elements]
    for part in (elements, *(_unnamed(other, other.children[1:]) for other in others)):
        if sum(not child.is_token for child in part) >= fewest:
            yield part


def _unnamed(branch: Branch, inner: Sequence[Branch]) -> tuple[Branch, ...]:
    """Return children of a branch but for those at either end to which the grammar gives a name."""
    named = {child.id for field, child in with_fields(branch.inner_node) if field}
    elements = [*dropwhile(lambda child: child.is_token or child.node.id in named, inner)]
    while elements and (elements[-1].node.id in named or _is_repeated_after(branch, elements[-1])):
        elements.pop()
    return tuple(elements or inner)


def _is_repeated_after(branch: Branch, last: Branch) -> bool:
    """Return whether the token that ends the elements of a branch also follows the branch."""
    after = branch.sibling(1)
    if after is None or not after.is_token:
        return False
    return last.is_token and after.node.kind_id == last.node.kind_id


def joined_neighbours(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield the end of a branch with the beginning of its neighbour of the same kind.

    The first then has the elements of both: `f() { a(); } g() { b(); }` becomes `f() { a(); b(); }`,
    and `[1], [2]` becomes `[1, 2]`.
    """
    start, end = analysis.subject.span
    for branch in analysis.branches:
        after = _neighbour(branch)
        if after is None or not (start <= branch.start and after.end <= end):
            continue
        first, second = (_enclosed_part(analysis.names, each) for each in (branch, after))
        if first is not None and second is not None:
            closing, opening = first.children[-1], second.children[0]
            ends = Edit(closing.start, closing.end), Edit(after.start, opening.end)
            yield JointDeletion((), ends)


def closed_elements(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield what an empty element between two tags does not need: `<a b="c"></a>` is `<a b="c"/>`."""
    text, span = analysis.document.text, analysis.subject.span
    for branch in analysis.branches:
        if len(branch.children) < _MIN_CHILDREN or not branch.is_within(span):
            continue
        opening, closing = branch.children[0], branch.children[-1]
        is_empty = not text[opening.end : closing.start].strip()
        if not is_empty or opening.is_token or not _is_opening(analysis.names, opening):
            continue
        has_name = closing.end - closing.start > len(_CLOSING) + len(_TAG_END)
        if has_name and _ends_with_tags(text, opening, closing):
            end_of_opening = Edit(opening.end - len(_TAG_END), closing.start)
            yield JointDeletion((), (end_of_opening, Edit(closing.start, closing.end, _CLOSED)))


def equal_attributes(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield the attributes that have a value in common, as where one refers to the other.

    So do the modes of a template of XSLT and of what applies it, and a label of HTML and its field.
    """
    text, (start, end) = analysis.document.text, analysis.subject.span
    found: dict[bytes, list[Edit]] = {}
    for element in elements(analysis.document):
        for attribute in element.attributes:
            value = attribute_value(attribute, text)
            if value and start <= attribute.start_byte and attribute.end_byte <= end:
                found.setdefault(value, []).append(Edit(*attribute.byte_range))
    for edits in found.values():
        if len(edits) >= _MIN_ELEMENTS:
            yield JointDeletion((), tuple(edits))


def _ends_with_tags(text: bytes, opening: Branch, closing: Branch) -> bool:
    return (
        text.endswith(_TAG_END, opening.start, opening.end)
        and text.startswith(_CLOSING, closing.start)
        and text.endswith(_TAG_END, closing.start, closing.end)
    )


def here_documents(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield the text of each here-document, with a string in the place of what opens it.

    The string is empty, or has the same text. Only if the two stand in different places, as in Perl
    and Ruby, where neither can go alone.
    """
    document, (start, end) = analysis.document, analysis.subject.span
    kinds = conventions(document.language).kinds
    if not kinds.here_openings:
        return
    parts = [
        node for node in nodes(document.root) if start <= node.start_byte <= node.end_byte <= end
    ]
    openings = [node for node in parts if node.type in kinds.here_openings]
    bodies = [node for node in parts if node.type in kinds.here_bodies]
    bodies = [node for node in bodies if node.parent not in bodies]
    if len(openings) != len(bodies):
        return
    for opening, body in zip(openings, bodies, strict=True):
        text = document.text[body.start_byte : body.children[-1].start_byte].strip(b"\n")
        for content in (b"", text):
            string = Edit(opening.start_byte, opening.end_byte, b'"' + content + b'"')
            yield JointDeletion((), (string, Edit(body.start_byte, body.end_byte)))


def phrases(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield neighbours that begin with a keyword and end before another one, such as `NOT NULL`.

    Only where the grammar names its keywords, as that of SQL does. Such a grammar has no nodes for
    phrases, so the keywords of `CHECK (a > 0)` and `ON DELETE CASCADE` are siblings.
    """
    inside = (each for each in analysis.branches if each.is_within(analysis.subject.span))
    for children in (branch.children for branch in inside):
        later = children[1:]  # without its first keyword hardly any node is what it was
        starts = [each.index for each in later if each.is_token and each.node.is_named]
        ends = [*starts[1:], len(children)]
        for place, start in enumerate(starts):
            for end in ends[place : place + _MAX_KEYWORDS]:
                run = children[start:end]
                yield JointDeletion((), tuple(Edit(each.start, each.end) for each in run))


def columns(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield the elements at the same place of neighbouring lists, with a separator each.

    The lists may be the rows of a table or the arrays in an array. All must have as many elements: a
    program that wants them to be equally long lets none of these go alone.
    """
    for branch in (analysis.subject.root, *analysis.branches):
        if not branch.is_within(analysis.subject.span):
            continue
        found = (elements_with_separator(analysis.names, child) for child in branch.children)
        rows = list(filter(None, found))
        if (
            _MIN_ROWS <= len(rows) <= _MAX_ROWS
            and len(set(map(len, rows))) == 1
            and len(rows[0]) <= _MAX_COLUMNS
        ):
            yield from (JointDeletion((), column) for column in zip(*rows, strict=True))


def elements_with_separator(names: Names, row: Branch) -> list[Edit]:
    """Return the deletion of each element of a list, which may be empty, with a separator beside it.

    A text that the grammar cuts in two is one element, if nothing separates the parts.
    """
    tokens = names.conventions_of(row).tokens
    ends = [
        (child.start, child.end)
        for child in row.children
        if child.is_token and names.text_of(child) in tokens.separators
    ]
    start, end = row.start, row.end
    if ends:
        opening, closing = row.children[0], row.children[-1]
        start = opening.end if opening.is_token and opening.start != ends[0][0] else start
        end = closing.start if closing.is_token and closing.end != ends[-1][1] else end
    elif tokens.separators_in_text:
        ends = _separated_in_text(names, row, tokens.separators_in_text)
    if not ends:
        return []
    stops = [*(separator for separator, _ in ends[1:]), end]
    later = (Edit(first, stop) for (first, _), stop in zip(ends, stops, strict=True))
    return [Edit(start, ends[0][1]), *later]


def _separated_in_text(
    names: Names, row: Branch, separators: tuple[bytes, ...]
) -> list[tuple[int, int]]:
    """Return the spans of `separators` in the text of a row, but for those between quotes."""
    found = re.finditer(rb'"[^"]*"|' + b"|".join(map(re.escape, separators)), names.text_of(row))
    spans = ((row.start + each.start(), row.start + each.end(), each[0]) for each in found)
    return [(start, end) for start, end, text in spans if text in separators]


def _neighbour(branch: Branch) -> Branch | None:
    """Return the next sibling of a branch, after any separator, if it has the same kind."""
    if branch.is_token or (after := branch.sibling(1)) is None:
        return None
    after = after.sibling(1) if after.is_token else after
    return after if after is not None and after.node.kind_id == branch.node.kind_id else None


def _enclosed_part(names: Names, branch: Branch) -> Branch | None:
    """Return a branch that is between brackets or tags, or its last child that is, such as a body."""
    for part in (branch, *branch.children[-1:]):
        if _is_enclosed(part) and _is_opening(names, part.children[0]):
            return part
    return None


def _is_opening(names: Names, branch: Branch) -> bool:
    kinds = names.conventions_of(branch).kinds
    return branch.node.type in (kinds.opening_brackets if branch.is_token else kinds.opening_tags)


def _is_enclosed(branch: Branch) -> bool:
    if len(branch.children) < _MIN_CHILDREN:
        return False
    first, last = branch.children[0], branch.children[-1]
    return first.is_token == last.is_token and first.node.kind_id != last.node.kind_id
