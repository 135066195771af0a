"""One statement in the place of a whole program, with values for what it gets from elsewhere.

A failing value often comes a long way: out of a string, through a container, an object and a method.
Each step of that way is needed as long as the others are there. The statement that fails needs none of
them if it gets the value where it stands.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from itertools import chain, islice
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.passes.coupling.replacing import smaller
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.lone.chain_values import chain_values
from pollard.syntax.names.lone.frames import called_function, checking_function, enclosing_test
from pollard.syntax.names.lone.list_calls import ListCall
from pollard.syntax.names.lone.lone_expressions import lone_expressions
from pollard.syntax.names.lone.single_statements import single_statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pollard.engine.subject import Candidate, Subject
    from pollard.syntax.names.lone.chain_values import ChainValues
    from pollard.syntax.names.lone.frames import FrameOf
    from pollard.syntax.names.lone.kept_variables import KeptVariable
    from pollard.syntax.names.lone.single_statement import SingleStatement
    from pollard.syntax.tree.document import Document

    _Alone = SingleStatement | KeptVariable | ListCall


# In bytes other than white space, for guesses: in shorter texts the detailed search is as cheap.
_MIN_WEIGHT = 128
# In longer texts there are too many statements to guess from, and finding them would delay a stop.
_MAX_WEIGHT = 8_000
# Which statement fails is a guess, and so is its value: either one of the first is right, or none.
_MAX_STATEMENTS = 4
_MAX_RUNS = 28
# Few values may have a wrong type for the result of a function.
_MAX_CHECKED = 6
# Two calls with all pairs of unlike values that Python has.
_MAX_OF_LISTS = 12


@declare("named", runs="40, in PHP 34", needs=Needs.SHORT_TREE, source="own")
def named(subject: Subject) -> None:
    """Put a statement that the failure's output names in the place of the program, as `alone` does.

    It comes first, while the output still tells: a traceback has the lines of the original. Where
    functions consist of expressions, so do those of the named lines. If it names no lines but an index
    and the length that it is beyond, any expression may be the one with that index.
    """
    if subject.foreign_grammar:
        return
    _put_expression_alone(subject, only_named=True)
    if _may_stand_alone(subject) and subject.failing_lines:
        _put_alone(subject, only_named=True)


@declare("alone", runs="40, in PHP 34", needs=Needs.SHORT_TREE, source="own")
def alone(subject: Subject) -> None:
    """Put one statement, and its imports, in the place of the program, with values for its names.

    Only in languages whose files are statements that run, if the region is the whole text. In a text
    that is short, only a statement that the output of the failure names is tried; in a long one none.
    Where functions consist of expressions, one of these is put in the place of the program likewise.
    """
    if _MIN_WEIGHT <= subject.weight <= _MAX_WEIGHT and not subject.foreign_grammar:
        _put_expression_alone(subject, only_named=False)
    if _may_stand_alone(subject) and subject.weight <= _MAX_WEIGHT:
        _put_alone(subject, only_named=subject.weight < _MIN_WEIGHT)


def _put_expression_alone(subject: Subject, *, only_named: bool) -> None:
    layout, lines = subject.layout(), subject.failing_lines
    if only_named and not lines and subject.failing_bounds is None:
        return
    expressions = lone_expressions(
        subject.document,
        lines,
        subject.failing_bounds,
        only_named=only_named and bool(lines),
        only_bounded=only_named and not lines,
    )
    found = (smaller(subject, layout, edits) for edits in expressions)
    fitting = (each for some in found for each in some if subject.fits(each.base, each.edits))
    subject.first(islice(subject.untried(each.edits for each in fitting), _MAX_RUNS))


def _may_stand_alone(subject: Subject) -> bool:
    """Return whether a statement can be a program."""
    return conventions(subject.document.language).runs_statements and not subject.foreign_grammar


def _put_alone(subject: Subject, *, only_named: bool) -> None:
    """Try statements, in a test first, since what is wrong there is rarely right without one.

    Then in a function for which the oracle asks, and in one that checks what it returns. Last come
    calls with lists of unlike values: they are rarer, and must not take the runs of the others.
    """
    frames: list[FrameOf | None] = [enclosing_test, None]
    if subject.asked_names:
        frames.insert(1, partial(called_function, names=subject.asked_names))
    lines, words = subject.failing_lines, subject.failing_words
    statements = cache(partial(single_statements, subject.document, lines, words))
    framed = partial(_framed, subject, statements)
    found = (framed(frame_of, only_named=only_named) for frame_of in frames)
    if subject.first(islice(chain.from_iterable(found), _MAX_RUNS)) is not None:
        return
    checked = framed(checking_function, only_named=True)
    if subject.first(islice(checked, _MAX_CHECKED)) is None:
        calls = (framed(each, only_named=True, of_lists=True) for each in frames)
        subject.first(islice(chain.from_iterable(calls), _MAX_OF_LISTS))


def _framed(
    subject: Subject,
    statements: Callable[[FrameOf | None], Sequence[_Alone]],
    frame_of: FrameOf | None,
    *,
    only_named: bool,
    of_lists: bool = False,
) -> Iterator[Candidate]:
    """Yield the texts of single statements in one kind of frame, or of calls with lists in them."""
    wanted = [each for each in statements(frame_of) if isinstance(each, ListCall) is of_lists]
    yield from _candidates(subject, [each for each in wanted if each.is_named or not only_named])


def _candidates(subject: Subject, statements: Sequence[_Alone]) -> Iterator[Candidate]:
    """Yield the texts of one statement that parse: one value for each statement, then the next."""
    layout = subject.layout()
    for plain in chain_values(subject.document, subject.failing_lines, subject.failing_words):
        values = _untyped(plain, subject.document)
        for statement in statements[:_MAX_STATEMENTS]:
            for edits in statement.forms(values):
                fitting = [
                    candidate
                    for candidate in smaller(subject, layout, edits)
                    if subject.fits(candidate.base, candidate.edits)
                ]
                yield from subject.untried(each.edits for each in fitting)
                if fitting:
                    break


def _untyped(values: ChainValues, document: Document) -> ChainValues:
    """Return values that the language takes for any type, where it must know one."""
    parts = conventions(document.language).untyped_value
    if not parts:
        return values
    opening, closing = parts
    return replace(
        values,
        object=opening + values.object + closing,
        other=opening + values.other + closing,
    )
