"""Joint deletions of placeholders in a string with the values that they stand for.

In Rust `println!("{} of {}", a, b)` compiles only with as many values as its string has placeholders,
as does `printf` in C where warnings are errors. In Python `"%s of %s" % (a, b)` raises an exception.
The module names no functions and no kinds of nodes, so it works for any language: it looks for a string
with placeholders, and for values after it in the same list or after a `%`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pollard.passes.coupling.by_place import elements_with_separator
from pollard.passes.coupling.joint_deletions import JointDeletion
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.passes.coupling.joint_deletions import Analysis
    from pollard.syntax.branches.branches import Branch


_PLACEHOLDERS = (
    # `{}`, `{:?}` and `{!r}`, whose value is the next one; `{{` is a brace, and `{name}` has no place.
    re.compile(rb"\{\{|\{(?:[:!][^{}]*)?\}"),
    # `%d`, `%-8.3lf` and `%s`; `%%` is a percent sign.
    re.compile(rb"%%|%[-+#0]*\d*(?:\.\d+)?[hlLqjzt]*[a-zA-Z]"),
)
_ESCAPED = frozenset({b"{{", b"%%"})
_STRING = re.compile(rb"\w{0,3}#*([\"'`])(.*)\1#*", re.DOTALL)
# A value that a string may have in the place of its placeholder.
_LITERAL = re.compile(rb"[^\w\"']*(?:(\d[\w.]*)|\"([^\"\\{}%]*)\"|'([^'\\{}%]*)')[^\w\"']*")
_FORMATTING = b"%"
_PARTS_OF_FORMATTING = 3
_MAX_VALUES = 16


class _Format(NamedTuple):
    """A string, the deletion of each value after it, and the deletion of all of them."""

    string: Branch
    values: Sequence[Edit]
    all_values: Edit


def placeholders_with_values(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield the placeholders of each string with their values: all, then each with its own.

    A value that is a literal may also move into the string.
    """
    text = analysis.document.text
    for string, values, all_values in _formats(analysis):
        for pattern in _PLACEHOLDERS:
            found = pattern.finditer(text, string.start, string.end)
            places = [Edit(*each.span()) for each in found if each[0] not in _ESCAPED]
            if not 0 < len(places) <= len(values) <= _MAX_VALUES:
                continue
            if len(places) == len(values):
                yield JointDeletion((), (*places, all_values))
            for place, value in zip(places, values, strict=False):
                yield JointDeletion((), (place, value))
                literal = _LITERAL.fullmatch(text, value.start, value.end)
                if literal is not None:
                    filled = Edit(place.start, place.end, literal[literal.lastindex or 0])
                    yield JointDeletion((), (filled, value))


def _formats(analysis: Analysis) -> Iterator[_Format]:
    names, text = analysis.names, analysis.document.text
    for branch in analysis.branches:
        if not branch.is_within(analysis.subject.span):
            continue
        strings = [
            part for part in branch.children if _STRING.fullmatch(text, part.start, part.end)
        ]
        if not strings:
            continue
        if (formatted := _values_of_operator(analysis, branch, strings[0])) is not None:
            yield formatted
        elements = elements_with_separator(names, branch)
        for string in strings:
            values = [each for each in elements if each.start >= string.end]
            if values:
                yield _Format(string, values, Edit(values[0].start, values[-1].end))


def _values_of_operator(analysis: Analysis, branch: Branch, string: Branch) -> _Format | None:
    """Return the values after `%` if a branch is a string with this operator."""
    parts = branch.children
    if len(parts) != _PARTS_OF_FORMATTING or parts[0] is not string:
        return None
    operator, operand = parts[1:]
    if analysis.names.text_of(operator) != _FORMATTING:
        return None
    gone = Edit(operator.start, operand.end)
    return _Format(string, elements_with_separator(analysis.names, operand) or [gone], gone)
