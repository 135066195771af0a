"""A variable that keeps its name in a lone statement, since the failure's message has it.

JavaScript says `tags.map is not a function`, and Lua `attempt to index local 'order'`. So the variable
gets a value before the statement: `let tags = 0; tags.map()`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.lone.importing import program_starts
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pollard.syntax.names.lone.chain_values import ChainValues
    from pollard.syntax.tree.document import Document

    Forms = Callable[[ChainValues], Iterator[list[Edit]]]


class KeptVariable:
    """A lone statement that uses a variable by its name; `is_object` if it uses a member of it.

    `forms` are those of the statement, which begins at `start`, with all other chains replaced.
    """

    def __init__(
        self,
        variable: bytes,
        forms: Forms,
        document: Document,
        *,
        start: int,
        is_object: bool,
        is_named: bool,
    ) -> None:
        self._variable = variable
        self._forms = forms
        self._document = document
        self._start = start
        self._is_object = is_object
        self.is_named = is_named

    def forms(self, values: ChainValues) -> Iterator[list[Edit]]:
        """Yield the edits that leave a variable and the statement, with values for other chains."""
        declaring = conventions(self._document.language).tokens.declaring
        if values.first is not None or values.whole or values.depth > 1 or not declaring:
            return
        value = values.object if self._is_object else values.other
        before, between, after = declaring
        declared = before + self._variable + between + value + after
        # Where several files are one text, others begin likewise behind the statement.
        starts = (each.end_byte for each in program_starts(self._document))
        place = max((end for end in starts if end <= self._start), default=0)
        for edits in self._forms(values):
            yield sorted([Edit(place, place, b"\n" * (place > 0) + declared), *edits])
