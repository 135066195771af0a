"""The search of a reduction: all passes, then the layout of the result.

It needs no more than a judge, so it runs where the reduction does or in a process of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pollard.engine.encoding_judge import EncodingJudge
from pollard.engine.formatting import lay_out
from pollard.engine.subject import Subject
from pollard.engine.tidying import NAME as TIDY
from pollard.engine.tidying import tidy
from pollard.errors import FormatterError
from pollard.syntax.branches.branches import Preprocessing
from pollard.syntax.encodings.encoding import UTF_8, Encoding
from pollard.syntax.tree.document import Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.engine.statistics import Statistics
    from pollard.engine.subject import TextJudge
    from pollard.passes.strategy import Strategy
    from pollard.syntax.grammars.languages import Grammar
    from pollard.syntax.tree.document import Cancellation


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """All inputs of a search but the document and the judge; it can be sent to another process.

    - `text`: the original, in UTF-8; `region` is a part of it
    - `encoding`: that of the file, and of every text that is run or reported
    - `grammar`: None for plain text
    - `foreign_grammar`: whether that is the grammar of another language than the text's
    - `failing_lines`: the original's lines that the output of the failure names
    - `failing_words`: what it quotes
    - `failing_bounds`: the index and the length that it names, if one is beyond the other
    - `asked_names`: names in its list of calls for which the oracle asks
    - the other fields are those of `pollard.reduction.Plan`
    """

    text: bytes
    grammar: Grammar | None
    strategy: Strategy
    foreign_grammar: bool = False
    region: tuple[int, int] | None = None
    guard: bool = True
    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    learn_invalid: bool = False
    encoding: Encoding = UTF_8
    failing_lines: tuple[bytes, ...] = ()
    failing_words: tuple[bytes, ...] = ()
    failing_bounds: tuple[int, int] | None = None
    asked_names: tuple[bytes, ...] = ()

    def document(self, text: bytes, cancelled: Cancellation | None = None) -> Document:
        """Return a text in UTF-8 as a document, which is parsed when its tree is needed."""
        language = self.grammar.language if self.grammar else None
        return Document(text, language, cancelled=cancelled)

    def subject(
        self,
        document: Document,
        judge: TextJudge,
        *,
        cancelled: Cancellation | None = None,
        on_reduced: Callable[[], None] = lambda: None,
    ) -> Subject:
        """Return the subject that the search shrinks; `document` has the plan's text."""
        return Subject(
            document,
            judge if self.encoding.is_utf8 else EncodingJudge(judge, self.encoding),
            region=self.region,
            guard=self.guard,
            foreign_grammar=self.foreign_grammar,
            borrowed_grammar=self.grammar is not None and self.grammar.borrowed,
            preprocessing=self.preprocessing,
            learn_invalid=self.learn_invalid,
            failing_lines=self.failing_lines,
            failing_words=self.failing_words,
            failing_bounds=self.failing_bounds,
            asked_names=self.asked_names,
            cancelled=cancelled,
            on_reduced=on_reduced,
        )

    def search(
        self,
        subject: Subject,
        statistics: Statistics,
        printed: Callable[[bytes], bytes] | None,
    ) -> str | None:
        """Run the strategy, and lay out a text that shrank; return why it is not formatted, if so.

        `printed` is the formatter: it returns what it prints for a file, or raises FormatterError.
        """
        self.strategy.run(subject, statistics)
        return self.lay_out(subject, statistics, printed)

    def lay_out(
        self,
        subject: Subject,
        statistics: Statistics,
        printed: Callable[[bytes], bytes] | None,
    ) -> str | None:
        """Lay out a text that shrank, as `search` does at its end."""
        if subject.document.text == self.text:
            return None
        with statistics.measuring(TIDY, subject.tally):
            tidy(subject)
        if printed is None or not subject.document.text.strip():
            return None
        with statistics.measuring("formatter", subject.tally):
            try:
                lay_out(subject, self._printed(subject, printed), self.text)
            except FormatterError as error:
                return str(error)
        return None

    def from_here(self, text: bytes) -> SearchPlan:
        """Return the plan whose region is where a search has made this text, in UTF-8, of its own."""
        if self.region is None:
            return self
        start, end = self.region
        return replace(self, region=(start, len(text) - (len(self.text) - end)))

    def _printed(self, subject: Subject, printed: Callable[[bytes], bytes]) -> bytes:
        """Return the text that the formatter prints for the document. Raises FormatterError."""
        try:
            return self.encoding.decoded(printed(self.file(subject)))
        except UnicodeError as error:
            message = "The result was not formatted: the formatter prints another encoding."
            raise FormatterError(message) from error

    def file(self, subject: Subject) -> bytes:
        """Return the bytes of the file for the document, which was accepted and can be encoded."""
        encoded = self.encoding.encoded(subject.document.text)
        assert encoded is not None
        return encoded
