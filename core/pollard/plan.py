"""The plan of one reduction: what is reduced, with which oracle, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.limits import SearchLimits
from pollard.passes.strategy import DEFAULT, Strategy, default_strategy
from pollard.speculation.modes import Speculation
from pollard.syntax.branches.branches import Preprocessing
from pollard.syntax.encodings.encoding import Encoding, encoding_of

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.oracle import AnyOracle, Share
    from pollard.syntax.grammars.languages import Grammar


@dataclass(frozen=True, slots=True)
class Plan:
    """All inputs of a reduction: the text, the oracle, and the options of the search.

    - `text`, `filename`, `oracle`: the original file, its base name, and the oracle for its candidates
    - `grammar`: None for the one that fits the text best (`fitting`), unless the text is `plain`
    - `plain`: parse nothing, and reduce by lines and characters
    - `strategy`: None for the default, which keeps all names if `renaming` is off
    - `jobs`: runs at a time
    - `speculation`: how far the search runs ahead of verdicts, with several jobs
    - `region`: the byte span (start, end) that may change; None for all of `text`
    - `guard`: run no candidates with new syntax errors
    - `learn_invalid`: put off edits of a kind that has only ever been invalid
    - `checks`: how many times to run the original first; the result is run twice as often
    - `cache`: keep verdicts on disk
    - `search_limits`: those at which the search ends, with the best text so far
    - `journal`: the directory that keeps every accepted text; None for a temporary one
    - `resume`: go on with the reduction in `journal`
    - `notes`: what to tell the user about this plan
    - `encoding`: that of `text`; None to find it out
    - `place`: where the file is, for reports; None if it is nowhere
    - `share`: gives each execution its turn. It must belong to this reduction alone; the caller
      closes it. None: this reduction shares the machine with no other
    """

    text: bytes
    filename: str
    oracle: AnyOracle
    grammar: Grammar | None = None
    plain: bool = False
    strategy: Strategy | None = None
    renaming: bool = True
    jobs: int = 1
    speculation: Speculation = Speculation.EAGER
    region: tuple[int, int] | None = None
    guard: bool = True
    preprocessing: Preprocessing = field(default_factory=Preprocessing)
    learn_invalid: bool = False
    checks: int = 3
    cache: bool = True
    search_limits: SearchLimits = field(default_factory=SearchLimits)
    journal: Path | None = None
    resume: bool = False
    notes: tuple[str, ...] = ()
    place: Path | None = None
    share: Share | None = None
    encoding: Encoding | None = None

    def chosen_strategy(self) -> Strategy:
        """Return the strategy; the default one leaves names alone unless `renaming` is on."""
        if self.strategy is None or self.strategy.name == DEFAULT:
            return default_strategy(renaming=self.renaming)
        return self.strategy

    def chosen_encoding(self) -> Encoding:
        """Return the encoding of the text."""
        return self.encoding or encoding_of(self.text)
