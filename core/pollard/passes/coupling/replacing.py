"""Put something else in the place of a name, and remove the definition of the name.

`inline` does what a person does last by hand: a variable's value, a type's meaning or a function's only
statement goes where it is used, with arguments in the place of parameters. Neither deletion nor
hoisting can do that, since what moves comes from elsewhere. LPR (ISSTA 2024) asks a language model for
it; here the grammar's fields say what is a value, a body or a parameter, and the syntax guard says what
fits.

`merge` puts another name there. Vulcan's identifier replacement (OOPSLA 2023) replaces all but the
first occurrence of a name by another name, to make the definition superfluous. Here the definition goes
in the same candidate, so that each accepted one makes the text smaller.
"""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.levels import moved
from pollard.engine.memory import branch_key
from pollard.engine.pruning import Units
from pollard.engine.subject import Candidate
from pollard.syntax.branches.branches import all_below
from pollard.syntax.layout.layout import Layout
from pollard.syntax.names.calls import call_of, chain_of, with_sigil
from pollard.syntax.names.inlinable import inlinable_in, with_arguments
from pollard.syntax.names.replaceable import ReplaceableNames
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Subject
    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.names.definitions import Definition
    from pollard.syntax.names.inlinable import Inlinable
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]
    Replacing = Callable[[Document, ReplaceableNames, Definition], Iterable[list[Edit]]]


_MAX_USES = 4
_MAX_CONTENTS = 6
_MAX_OTHER_NAMES = 3
# Tried after the other names; most languages accept it as a value.
_LITERAL = b"0"


@declare(
    "inline",
    runs="30 for each name, after each success",
    needs=Needs.SHORT_TREE,
    source="LPR, ISSTA 2024",
)
def inline(subject: Subject, patience: int | None = None) -> None:
    """Put what a declaration contains where its name is used, and remove the declaration.

    Starts again after each success, which ends since every candidate is smaller than the text. Gives
    up after `patience` failures in a row, if given.
    """
    while subject.first(islice(_candidates(subject, _inlinings), patience)) is not None:
        pass


@declare(
    "merge",
    runs="4 for each name, after each success",
    needs=Needs.SHORT_TREE,
    source="Vulcan, OOPSLA 2023",
    renames=True,
)
def merge(subject: Subject) -> None:
    """Put one name in the place of another, and remove the declaration of the other.

    Starts again after each success, which ends since every candidate is smaller than the text. Later
    passes do not repeat what failed on the same branches under their former names.
    """
    root, span = subject.root, subject.span
    while (hit := subject.first(_candidates(subject, _mergings))) is not None:
        _carry_over(subject, all_below(root, span), hit.candidate)
        root, span = subject.root, subject.span


def _carry_over(subject: Subject, branches: Iterable[Branch], accepted: Candidate) -> None:
    """Carry the attempts on branches over to what they became with other names."""
    for branch, new_branch in moved(subject, branches, accepted.edits).items():
        old_key = branch_key(accepted.base.text, branch)
        subject.memory.attempts.carry(old_key, branch_key(subject.document.text, new_branch))


def _candidates(subject: Subject, replacing: Replacing) -> Iterator[Candidate]:
    """Yield the smaller texts without one definition and with its uses replaced."""
    base, span = subject.document, subject.span
    layout = Layout(base, span)
    names = ReplaceableNames(base, subject.root, span, Units(subject).of)
    for definition in names.definitions:
        for new in replacing(base, names, definition):
            edits = [Edit(*definition.span), *new]
            if _are_apart_within(span, edits):
                tidied = layout.tidy(edits)
                if size(base.edited(tidied).text) < size(base.text):
                    yield Candidate(base, tidied)


def _are_apart_within(span: Span, edits: Sequence[Edit]) -> bool:
    """Return whether no edit overlaps another one or reaches out of a span.

    Edits overlap in `f(f(1))`, where a function is used in its own argument.
    """
    is_inside = all(span[0] <= edit.start and edit.end <= span[1] for edit in edits)
    return is_inside and all(last.end <= edit.start for last, edit in pairwise(sorted(edits)))


def _mergings(_: Document, names: ReplaceableNames, definition: Definition) -> Iterator[list[Edit]]:
    """Yield the edits that put each of a few other names, or a literal, in the place of a name."""
    for other in [*_frequent_others(definition, names.places), _LITERAL]:
        yield [Edit(start, end, other) for start, end in names.uses(definition)]


def _frequent_others(definition: Definition, places: Mapping[bytes, Sequence[Span]]) -> list[bytes]:
    """Return the most frequent other names that also occur outside of the definition."""
    first, last = definition.span
    outside = [
        name
        for name, spans in places.items()
        if name not in definition.names and not all(first <= start < last for start, _ in spans)
    ]
    return sorted(outside, key=lambda name: -len(places[name]))[:_MAX_OTHER_NAMES]


def _inlinings(
    base: Document, names: ReplaceableNames, definition: Definition
) -> Iterator[list[Edit]]:
    """Yield the edits that put each content in each kind of place of the name."""
    uses = names.uses(definition)
    if len(uses) > _MAX_USES:
        return
    branch = definition.unit[0]
    leaves = filter(None, (base.root.descendant_for_byte_range(*use) for use in uses))
    places = [_Places(leaf, base) for leaf in leaves]
    language = branch.own_document_in(base).language
    found = inlinable_in(branch.node, definition.names, base.text, language)
    for content in found[:_MAX_CONTENTS]:
        for kind in range(len(_Places.KINDS)):
            edits = [place.edit(kind, branch.node, content) for place in places]
            if None not in edits:
                yield [*filter(None, edits)]


class _Places:
    """What a content can replace where a name, a leaf, is used.

    That is the name, its call, the statement that only holds the call, and the last two of a chain of
    calls that begins with the name.
    """

    KINDS = range(5)

    def __init__(self, leaf: Node, document: Document) -> None:
        text, language = document.text, document.language
        self._document = document
        call, chain = call_of(leaf, text, language), chain_of(leaf, text, language)
        chain = chain if chain != call else None
        self._calls = (None, call, call, chain, chain)
        name = with_sigil(leaf, text, language)
        self._targets = (name, call, _wrapper_of(call), chain, _wrapper_of(chain))

    def edit(self, kind: int, definition: Node, content: Inlinable) -> Edit | None:
        """Return the edit that replaces one kind of place; None if there is none."""
        target, call, text = self._targets[kind], self._calls[kind], self._document.text
        if target is None:
            return None
        new = with_arguments(self._document, definition, content, call)
        if call is not None and target == call and _has_ending(text, call, new):
            return None  # the text belongs in the place of the statement
        new = _moved(
            new, _indentation(text, content.span[0]), _indentation(text, target.start_byte)
        )
        return Edit(target.start_byte, target.end_byte, new)


def _indentation(text: bytes, place: int) -> bytes:
    """Return the white space at the beginning of a line."""
    line = text[text.rfind(b"\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _moved(text: bytes, old: bytes, new: bytes) -> bytes:
    """Return lines with another indentation."""
    return text.replace(b"\n" + old, b"\n" + new)


def _has_ending(text: bytes, call: Node, new: bytes) -> bool:
    """Return whether a text ends with what is after the call in its statement, such as `;`."""
    wrapper = _wrapper_of(call)
    if wrapper is None or wrapper.start_byte < call.start_byte:
        return False
    ending = text[call.end_byte : wrapper.end_byte].strip()
    return bool(ending) and new.endswith(ending)


def _wrapper_of(call: Node | None) -> Node | None:
    """Return the parent of a call that holds nothing else, such as a statement; None without one."""
    above = call.parent if call is not None else None
    return above if above is not None and above.named_child_count == 1 else None
