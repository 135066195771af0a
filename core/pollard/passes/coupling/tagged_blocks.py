"""Joint deletions in templates: a block with its tags, or its tags alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.coupling.joint_deletions import JointDeletion
from pollard.syntax.names.markup.template_blocks import template_blocks
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.passes.coupling.joint_deletions import Analysis


def tagged_blocks(analysis: Analysis) -> Iterator[JointDeletion]:
    """Yield each block between tags of a template, all of it but one part, and parts with their tag.

    `{% if x %}a{% else %}b{% endif %}` goes, or becomes `a`, `b` or `{% if x %}a{% endif %}`.
    """
    text = analysis.document.text
    for block in template_blocks(text, analysis.subject.span):
        start, end = block.span
        first = block.tags[0][1]
        yield JointDeletion((), (Edit(start, first), Edit(first, end)))
        for part in block.parts():
            if text[slice(*part)].strip():
                yield JointDeletion((), (Edit(start, part[0]), Edit(part[1], end)))
        for tag, part in zip(block.tags[1:-1], block.parts()[1:], strict=True):
            yield JointDeletion((), (Edit(*tag), Edit(*part)))
