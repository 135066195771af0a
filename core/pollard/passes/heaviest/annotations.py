"""Annotations: what a program means the same without, all at once.

A preprocessed file has a line marker for every few lines, and its declarations have attributes. Each is
light, so heavier text is tried long before. But tree-sitter's grammars cannot read them everywhere: in
the headers of a C++ compiler they leave hundreds of errors behind, and whole namespaces fall apart.

What the annotations of a language look like is data: `Conventions.annotations`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.subject import Candidate
from pollard.syntax.names.conventions import conventions
from pollard.syntax.tree.edits import Edit, join

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.engine.subject import Edits, Subject


def drop_annotations(subject: Subject) -> list[Edits]:
    """Remove all annotations inside the region; if some must stay, those of each kind.

    At most one run more than there are kinds of annotations. Return the edits of each accepted run.
    """
    kinds = [kind for kind in _kinds(subject) if any(_found(subject, [kind]))]
    if len(kinds) > 1 and (edits := _removed(subject, kinds)):
        return [edits]
    return [edits for kind in kinds if (edits := _removed(subject, [kind]))]


def _kinds(subject: Subject) -> Sequence[re.Pattern[bytes]]:
    return conventions(subject.document.language).annotations


def _removed(subject: Subject, kinds: Iterable[re.Pattern[bytes]]) -> Edits:
    """Remove all annotations of some kinds in one run; return the edits, none if they must stay."""
    edits = subject.layout().tidy(join(_found(subject, kinds)))
    hit = subject.first([Candidate(subject.document, edits)])
    return () if hit is None else hit.candidate.edits


def _found(subject: Subject, kinds: Iterable[re.Pattern[bytes]]) -> Iterator[Edit]:
    text, span = subject.document.text, subject.span
    for kind in kinds:
        yield from (Edit(*match.span()) for match in kind.finditer(text, *span))
