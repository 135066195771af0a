"""From the plan of a reduction to that of its search, which suits the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.passes.searching import SearchPlan
from pollard.passes.strategy import Strategy
from pollard.syntax.tree.fitting import fitting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.oracle import CancelToken
    from pollard.plan import Plan
    from pollard.reduction.original import CheckedOriginal
    from pollard.syntax.grammars.languages import Grammar

_PLAIN = "No grammar knows this file: it is reduced by lines and characters."


def planned_search(
    plan: Plan, original: CheckedOriginal, notes: list[str], cancelled: CancelToken
) -> SearchPlan:
    """Return the plan of the search, and add to `notes` what the user should know about it.

    Raises Cancelled while it looks for the grammar that fits best.
    """
    encoding = plan.chosen_encoding()
    text = encoding.decoded(plan.text)
    notes += [encoding.note] if encoding.note else []
    grammar = plan.grammar
    if grammar is None:
        grammar = _fitting_grammar(plan, text, notes, cancelled)
    strategy = plan.chosen_strategy()
    if grammar is None and strategy.needs_tree:
        strategy = Strategy.parse("ddmin")
    return SearchPlan(
        text=text,
        grammar=grammar,
        strategy=strategy,
        foreign_grammar=plan.grammar is None,
        region=encoding.span_in_text(plan.text, plan.region) if plan.region else None,
        guard=plan.guard,
        preprocessing=plan.preprocessing,
        learn_invalid=plan.learn_invalid,
        encoding=encoding,
        failing_lines=_lines(text, original.named_lines),
        failing_words=original.named_words,
        failing_bounds=original.named_bounds,
        asked_names=original.asked_names,
    )


def _lines(text: bytes, numbers: Sequence[int]) -> tuple[bytes, ...]:
    """Return some lines of a text; a number may be that of no line."""
    lines = text.split(b"\n") if numbers else []
    return tuple(lines[number - 1].strip() for number in numbers if 0 < number <= len(lines))


def _fitting_grammar(
    plan: Plan, text: bytes, notes: list[str], cancelled: CancelToken
) -> Grammar | None:
    """Return the grammar of another language to parse with; None for plain text."""
    grammar = None if plan.plain else fitting(text, cancelled=cancelled)
    notes.append(
        f"No grammar knows this file: it is parsed with that of {grammar.name}, which fits best."
        if grammar
        else _PLAIN
    )
    return grammar
