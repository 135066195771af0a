"""One statement in the place of a whole program, with values for what it gets from elsewhere.

A failing value often comes a long way: out of a string, through a container, an object and a method.
Each step of that way is needed as long as the others are there. The statement that fails needs none of
them if it gets the value where it stands.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.passes.coupling.replacing import smaller
from pollard.syntax.layout.layout import Layout
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.single_statements import chain_values, single_statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.engine.subject import Candidate, Subject


# In bytes other than white space: in shorter texts the detailed search is as cheap.
_MIN_WEIGHT = 128
# In longer texts there are too many statements to guess from, and finding them would delay a stop.
_MAX_WEIGHT = 8_000
# Which statement fails is a guess, and so is its value: either one of the first is right, or none.
_MAX_STATEMENTS = 4
_MAX_RUNS = 12


@declare("alone", runs="12", needs=Needs.SHORT_TREE, source="own")
def alone(subject: Subject) -> None:
    """Put one statement in the place of the program, with values for what it gets from elsewhere.

    Only in languages whose files are statements that run, if the region is the whole text, and that is
    neither short yet nor still long.
    """
    runs = conventions(subject.document.language).runs_statements and not subject.foreign_grammar
    if runs and _MIN_WEIGHT <= subject.weight <= _MAX_WEIGHT:
        subject.first(islice(_candidates(subject), _MAX_RUNS))


def _candidates(subject: Subject) -> Iterator[Candidate]:
    """Yield the texts of one statement that parse: one value for each statement, then the next."""
    layout = Layout(subject.document, subject.span)
    statements = single_statements(subject.document)[:_MAX_STATEMENTS]
    for values in chain_values(subject.document):
        for statement in statements:
            for candidate in smaller(subject, layout, statement.alone(values)):
                if subject.fits(candidate.base, candidate.edits):
                    yield candidate
