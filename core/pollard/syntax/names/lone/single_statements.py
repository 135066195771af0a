"""The statements of a document that may fail alone, the most probable first."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import text_of
from pollard.syntax.names.lone.blocks import (
    compound_statements,
    head_text,
    innermost_statements,
    outermost_blocks,
)
from pollard.syntax.names.lone.chains import ReturnedCalls
from pollard.syntax.names.lone.failing_lines import distance_from_end, words_of
from pollard.syntax.names.lone.given_names import functions_of, given_names
from pollard.syntax.names.lone.importing import imported_names
from pollard.syntax.names.lone.single_statement import SingleStatement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.syntax.names.lone.frames import FrameOf
    from pollard.syntax.names.lone.kept_variables import KeptVariable
    from pollard.syntax.names.lone.list_calls import ListCall
    from pollard.syntax.tree.document import Document


def single_statements(
    document: Document,
    failing_lines: Sequence[bytes] = (),
    failing_words: Sequence[bytes] = (),
    frame_of: FrameOf | None = None,
) -> list[SingleStatement | KeptVariable | ListCall]:
    """Return the innermost statements of a document that may fail alone, the most probable first.

    `failing_lines` are lines of the original that the output of the failure names, and `failing_words`
    are what it quotes. If there are statements of such lines, no others are returned; and if such a
    word is a member or a key in one, only that with what it belongs to. With them are the calls in the
    innermost one that compare or join the elements of a list.

    What calls a function of the document hardly fails itself, unless the output quotes its name. Only
    where the output names nothing else, a method may be another one of that name. In the innermost
    statement methods may have returned, and their calls are values then, which comes last.

    After a statement comes the same one with a variable kept that is such a word. With `frame_of` each
    stands in its frame: none are returned that have none. If the output names nothing else, one in a
    frame may call a function, such as an assertion about its result in a test.
    """
    functions = functions_of(document) - {*failing_words}
    given = given_names(document) - imported_names(document) | functions_of(document)
    text, known = document.text, conventions(document.language)
    failing = [words_of(line) for line in failing_lines]
    found = [
        (node, distance_from_end(text_of(node, text), failing))
        for node in innermost_statements(document)
    ]
    for node in compound_statements(document) if failing else ():
        distance = distance_from_end(
            head_text(node, outermost_blocks(node, document), text), failing
        )
        found += [(node, distance)] if distance is not None else []
    statements = []
    last_call = failing[-1:] if known.innermost_last else failing[:1]
    for node, distance in found:
        is_innermost = (
            distance == 0 and distance_from_end(text_of(node, text), last_call) is not None
        )
        returned = ReturnedCalls(functions) if is_innermost else None
        frame = frame_of(node, document) if frame_of else None
        if frame is not None or not frame_of:
            made = partial(SingleStatement, node, document, given, frame, distance=distance)
            statements.append(made(returned=returned))
            if returned and statements[-1].calls(functions):
                statements.append(made(returned=replace(returned, methods=True)))
    calls = [call for each in statements for call in each.list_calls]
    statements += [part for each in statements for part in each.parts]
    statements = [
        part
        for each in statements
        for part in (each.with_links(failing_words) if each.is_named else [each])
    ]
    able = [each for each in statements if each.may_fail]
    named = [each for each in able if each.is_named]
    named = named or [each for each in statements if each.is_named]
    plain = [each for each in named or able if not each.calls(functions)]
    likely = [each for each in plain if not each.takes_methods]
    likely = likely or [each for each in named if not each.calls(functions, directly=True)]
    likely = likely or (named if frame_of else [])
    ranked = sorted(likely, key=lambda each: each.rank)
    ranked += [each for each in plain if each.takes_methods and each not in ranked]
    tried: list[SingleStatement | KeptVariable | ListCall] = [*calls]
    for each in ranked:
        tried += [each, *each.keeping(failing_words)]
    return tried
