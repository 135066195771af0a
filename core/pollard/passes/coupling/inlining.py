"""Put what a definition contains in the place of its name, and remove the definition.

That is what a person does last by hand: a variable's value, a type's meaning or a function's body goes
where it is used, with arguments in the place of parameters. Neither deletion nor hoisting can do that,
since what moves comes from elsewhere. LPR (ISSTA 2024) asks a language model for it; here the grammar's
fields say what is a value, a body or a parameter, and the syntax guard says what fits.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import chain, product
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.passes.coupling.repeating import repeat
from pollard.passes.coupling.replacing import replaceable_names, smaller
from pollard.passes.coupling.unfit_places import apart, is_useless, may_return
from pollard.syntax.names.calls import (
    call_of,
    called_functions,
    chain_of,
    inherited_calls,
    is_argument,
    with_sigil,
)
from pollard.syntax.names.conventions import conventions
from pollard.syntax.names.definitions import statement_around, text_of
from pollard.syntax.names.inlinable import (
    Inlinable,
    as_object,
    indentation_at,
    inlinable_in,
    is_open_expression,
    moved,
    returned_value,
    with_arguments,
)
from pollard.syntax.names.markup.dissolved_elements import dissolved
from pollard.syntax.names.markup.prefixes import without_prefixes
from pollard.syntax.names.markup.referred_elements import with_referred_elements
from pollard.syntax.names.markup.referred_values import with_referred_values
from pollard.syntax.names.markup.skipped_items import without_items_between
from pollard.syntax.names.markup.template_values import with_template_values
from pollard.syntax.names.members import assigned_members, with_initial_values
from pollard.syntax.names.modules import without_modules
from pollard.syntax.names.plainer.accumulated import with_plain_assignments
from pollard.syntax.names.plainer.bodies.expanded_macros import with_expanded_macros
from pollard.syntax.names.plainer.bodies.short_functions import with_short_functions
from pollard.syntax.names.plainer.bodies.single_rounds import (
    with_plain_conditions,
    with_single_rounds,
)
from pollard.syntax.names.plainer.bodies.typed_variables import with_typed_variables
from pollard.syntax.names.plainer.fewer_levels import with_fewer_levels
from pollard.syntax.names.plainer.fewer_results import with_fewer_results
from pollard.syntax.names.plainer.instances import instantiated
from pollard.syntax.names.plainer.loose_members import loosened
from pollard.syntax.names.plainer.objects.merged_bases import with_merged_bases
from pollard.syntax.names.plainer.objects.object_literals import (
    with_made_members,
    with_object_literals,
    with_prototypes_as_objects,
)
from pollard.syntax.names.plainer.objects.single_objects import with_single_objects
from pollard.syntax.names.plainer.objects.thin_classes import without_thin_classes
from pollard.syntax.names.plainer.objects.written_objects import (
    with_assigned_members,
    with_loose_values,
    with_taken_values,
)
from pollard.syntax.names.plainer.placed_functions import without_tables
from pollard.syntax.names.plainer.plain_expressions import (
    without_brackets,
    without_detours,
    without_private_names,
)
from pollard.syntax.names.plainer.queries.inner_queries import with_inner_queries
from pollard.syntax.names.plainer.queries.tableless_queries import without_tables_read
from pollard.syntax.names.plainer.resultless import with_parts_of_last_values, without_results
from pollard.syntax.names.plainer.single_elements import (
    with_appended,
    with_bound_names,
    with_chosen_elements,
    with_declarations,
    with_listed_arguments,
)
from pollard.syntax.names.plainer.single_fields import unboxed, unkeyed
from pollard.syntax.names.plainer.spelled_imports import spelled_out, without_headers
from pollard.syntax.names.plainer.stored_elements import with_stored_elements
from pollard.syntax.names.plainer.unwrapped_types import with_unwrapped_types
from pollard.syntax.names.plainer.written_loops import with_single_elements
from pollard.syntax.names.quoted_code import quoted_code
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Candidate, Subject
    from pollard.syntax.names.definitions import Definition
    from pollard.syntax.names.members import AssignedMember
    from pollard.syntax.names.replaceable import ReplaceableNames
    from pollard.syntax.tree.document import Document

    Plainer = Callable[[Document], Iterable[Sequence[Edit]]]

#: Ways to say the same more plainly: each yields the edits of one such change after the other.
PLAINER = (
    unboxed,
    unkeyed,
    with_unwrapped_types,
    spelled_out,
    without_headers,
    with_expanded_macros,
    without_results,
    with_parts_of_last_values,
    with_fewer_results,
    with_typed_variables,
    instantiated,
    without_private_names,
    with_initial_values,
    without_modules,
    loosened,
    without_detours,
    with_appended,
    with_plain_assignments,
    with_assigned_members,
    with_loose_values,
    with_taken_values,
    with_single_elements,
    with_single_rounds,
    with_plain_conditions,
    with_chosen_elements,
    with_stored_elements,
    with_bound_names,
    with_declarations,
    with_listed_arguments,
    with_merged_bases,
    without_thin_classes,
    with_single_objects,
    with_object_literals,
    with_prototypes_as_objects,
    with_made_members,
    without_tables,
    with_fewer_levels,
    without_brackets,
    with_inner_queries,
    with_short_functions,
    without_tables_read,
)
#: The same in markup and data, which have no names that are declared.
MARKUP = (
    without_prefixes,
    dissolved,
    with_referred_elements,
    with_referred_values,
    without_items_between,
    with_template_values,
)
_MAX_USES = 4
_SEMICOLON = b";"
# What needs no brackets as an argument of a call without brackets: one word, or a text that has some.
_ATOM = re.compile(rb"""[^\s]*|[(\["'{].*""", re.DOTALL)
# Of many contents the shortest are tried, and the last of all, which are the outermost.
_MAX_CONTENTS, _OUTERMOST = 6, 2


@declare(
    "inline",
    runs="30 for each name, after each success",
    needs=Needs.SHORT_TREE,
    source="LPR, ISSTA 2024",
)
def inline(subject: Subject, patience: int | None = None) -> None:
    """Put what a declaration contains where its name is used, and remove the declaration.

    A function that is called where it stands gives way to its body, and a statement to the code in a
    string of it. Markup comes first: prefixes go, and elements and values take the place of what is
    around them or refers to them. Starts again after each success, which ends since every candidate is
    smaller than the text. Gives up after `patience` failures in a row, if given.
    """
    candidates = partial(_candidates, early=patience is not None)
    for found in (partial(_plainer, ways=MARKUP), candidates):
        repeat(subject, found, patience)


def dissolve_modules(subject: Subject, patience: int) -> None:
    """Put what namespaces and modules hold in their place; give up after `patience` failures in a row.

    What is in a module is harder to reduce, since a use may need its path.
    """
    repeat(subject, partial(_plainer, ways=(without_modules,)), patience)


def _plainer(subject: Subject, ways: Sequence[Plainer]) -> Iterator[Candidate]:
    """Yield the smaller texts that say the same more plainly in one of some ways."""
    yield from _Inliner(subject).plainer(ways)


def _candidates(subject: Subject, *, early: bool) -> Iterator[Candidate]:
    """Yield the smaller texts in which a definition, a function in a call or a string is inlined."""
    names = replaceable_names(subject)
    if not names.are_few:
        return
    inliner = _Inliner(subject)
    for definition in names.definitions:
        yield from inliner.of_definition(definition, names)
    for call, function in called_functions(subject.document):
        yield from inliner.of_call(call, function)
    for call, method in inherited_calls(subject.document):
        for gone in ([Edit(*method.byte_range)], []):
            yield from inliner.of_call(call, method, gone)
    for member in assigned_members(subject.document):
        yield from inliner.of_member(member)
    for code, target in quoted_code(subject.document):
        yield from inliner.of_code(code, target)
    yield from inliner.plainer(() if early else PLAINER)


class _Inliner:
    """Makes candidates in which contents replace what uses them."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._base = subject.document
        self._layout = subject.layout()

    def of_definition(self, definition: Definition, names: ReplaceableNames) -> Iterator[Candidate]:
        """Yield the texts without a definition in which a content stands in each of its places."""
        uses = names.uses(definition)
        if len(uses) > _MAX_USES:
            return
        branch = definition.unit[0]
        found = (self._base.root.descendant_for_byte_range(*use) for use in uses)
        leaves = [leaf for leaf in found if leaf is not None]
        places = [_places(leaf, self._base) for leaf in leaves]
        statements = [_statement_places(leaf, self._base) for leaf in leaves]
        gone = [Edit(*definition.span)]
        for content in self._contents(branch.node, definition):
            for alike in zip(*(statements if content.returned else places), strict=True):
                yield from self._filled(branch.node, content, alike, gone)
            calls = [call_of(leaf, self._base.text, self._base.language) for leaf in leaves]
            yield from self._with_statements_before(branch.node, content, calls, gone)

    def of_call(self, call: Node, function: Node, gone: Sequence[Edit] = ()) -> Iterator[Candidate]:
        """Yield the texts in which a content of a function stands in the place of its only call."""
        for content in self._contents(function):
            for place in ((call, call), (_wrapper_of(call), call)):
                yield from self._filled(function, content, [place], gone)
            yield from self._with_statements_before(function, content, [call], gone)

    def of_member(self, member: AssignedMember) -> Iterator[Candidate]:
        """Yield the texts in which a member's value stands in its places.

        The assignment goes, or becomes its value, which may fail there or be all of a body.
        """
        if len(member.uses) > _MAX_USES:
            return
        value, assignment = text_of(member.value, self._base.text), member.assignment
        filled = [Edit(*place.byte_range, value) for place in member.uses]
        statement = _wrapper_of(assignment) or assignment
        for gone in (Edit(*statement.byte_range), Edit(*assignment.byte_range, value)):
            yield from smaller(self._subject, self._layout, sorted((gone, *filled)))

    def of_code(self, code: bytes, target: Node) -> list[Candidate]:
        """Return the text in which the code of a string stands in the place of a statement."""
        return smaller(
            self._subject, self._layout, [Edit(target.start_byte, target.end_byte, code)]
        )

    def plainer(self, ways: Sequence[Plainer]) -> Iterator[Candidate]:
        """Yield the texts that say the same more plainly, way after way."""
        for way in ways:
            for edits in way(self._base):
                yield from smaller(self._subject, self._layout, edits)

    def _contents(self, node: Node, definition: Definition | None = None) -> list[Inlinable]:
        branch = definition.unit[0] if definition else None
        document = branch.own_document_in(self._base) if branch else self._base
        names = definition.names if definition else frozenset()
        found = inlinable_in(node, names, self._base.text, document.language)
        outermost = found[_MAX_CONTENTS:][-_OUTERMOST:]
        chosen = [*found[: _MAX_CONTENTS - len(outermost)], *outermost]
        return [*chosen, *(each for each in found if each.returned and each not in chosen)]

    def _filled(
        self, function: Node, content: Inlinable, places: Sequence[_Place], gone: Sequence[Edit]
    ) -> list[Candidate]:
        """Return the candidate with a content in some places.

        A value in the place of a statement becomes one, if it is none, and arguments get brackets if
        they need them. What returns from a function stays in one.
        """
        if not all(may_return(content, target, self._base) for target, _ in places):
            return []
        may_be_value = _may_be_no_statement(content, self._base)
        for as_value, brackets in product(
            (True, False) if may_be_value else (False,), (False, True)
        ):
            edits = [
                self._edit(function, content, *place, brackets=brackets, as_value=as_value)
                for place in places
            ]
            if None in edits:
                return []
            found = smaller(self._subject, self._layout, [*gone, *filter(None, edits)])
            if found and self._subject.fits(self._base, found[0].edits):
                return found
        return []

    def _with_statements_before(
        self,
        function: Node,
        content: Inlinable,
        calls: Sequence[Node | None],
        gone: Sequence[Edit],
    ) -> list[Candidate]:
        """Return the candidate in which calls become what is given back after the statements of a body.

        The statements stand before those with the calls.
        """
        base, known = self._base, conventions(self._base.language)
        value = returned_value(content, known)
        if value is None:
            return []
        edits = [*gone]
        for call in calls:
            statement = statement_around(call, base.language) if call is not None else None
            if call is None or statement is None or statement.parent is None:
                return []
            start, text = statement.start_byte, base.text
            body = with_arguments(base, function, content, call)
            body = moved(body, text, content.span[0], start) + _ending_of(content, text)
            result = with_arguments(base, function, Inlinable((value,)), call)
            is_open = is_open_expression(value, base.language)
            result = as_object(result, call, text, base.language, is_open=is_open)
            separator = b"\n" + indentation_at(text, start)
            rest = text[start : call.start_byte] + result
            edits.append(Edit(start, call.end_byte, body + separator + rest))
        return smaller(self._subject, self._layout, edits)

    def _edit(
        self,
        function: Node,
        content: Inlinable,
        target: Node | None,
        call: Node | None,
        *,
        brackets: bool,
        as_value: bool,
    ) -> Edit | None:
        """Return the edit that puts a content into one place; None if it does not belong there."""
        if target is None:
            return None
        text = self._base.text
        new = with_arguments(self._base, function, content, call, brackets=brackets)
        if call is not None and target == call and _has_ending(text, call, new):
            return None  # the text belongs in the place of the statement
        new = moved(new, text, content.span[0], target.start_byte)
        language = self._base.language
        is_open = any(is_open_expression(node, language) for node in content.nodes)
        new = as_object(new, target, text, language, is_open=is_open)
        if is_argument(target, language) and not _ATOM.fullmatch(new):
            new = b"(" + new + b")"
        if call is None and is_useless(new, target, self._base):
            return None
        if as_value and _is_statement(target, self._base):
            before, after = conventions(language).tokens.value_statement
            new = before + new + after
        return Edit(target.start_byte, target.end_byte, apart(new, target, self._base))


# What a content may replace, and the call whose arguments it gets.
_Place = tuple["Node | None", "Node | None"]


def _places(leaf: Node, document: Document) -> list[_Place]:
    """Return what a content can replace where a name, a leaf, is used; None where there is nothing.

    That is the name, the path or the member that ends with it, its call, the statement that only holds
    the call, and the last two of a chain of calls that begins with the name.
    """
    text, language = document.text, document.language
    call, last = call_of(leaf, text, language), chain_of(leaf, text, language)
    last = last if last != call else None
    name = with_sigil(leaf, text, language)
    path = _path_to(name, document) if call is None else None
    calls = ((call, call), (_wrapper_of(call), call), (last, last), (_wrapper_of(last), last))
    return [*chain([(name, None), (path, None)], calls)]


def _path_to(name: Node, document: Document) -> Node | None:
    """Return the path or the member of an object that ends with a name, such as `A.x` around `x`."""
    separators = conventions(document.language).tokens.path_separators
    above = name.parent
    if above is None or above.end_byte > name.end_byte:
        return None
    before = document.text[above.start_byte : name.start_byte].rstrip()
    return above if before.endswith(separators) else None


def _statement_places(leaf: Node, document: Document) -> list[_Place]:
    """Return the statement around a call of the function that a leaf names, which needs no result."""
    call = call_of(leaf, document.text, document.language)
    return [(statement_around(call, document.language) if call is not None else None, call)]


def _ending_of(content: Inlinable, text: bytes) -> bytes:
    """Return the semicolon between the statements of a content and the one that gives a value back."""
    if content.returned is None:
        return b""
    after = text[content.span[1] : content.returned.start_byte].strip()
    return after if after == _SEMICOLON else b""


def _may_be_no_statement(content: Inlinable, document: Document) -> bool:
    """Return whether a content may be a value that is no statement as it is, unlike a call."""
    known = conventions(document.language)
    is_single = len(content.nodes) == 1 and content.nodes[0].type not in known.kinds.calls
    return bool(known.tokens.value_statement) and is_single


def _is_statement(node: Node, document: Document) -> bool:
    """Return whether a node is all of a statement in a block."""
    statement = statement_around(node, document.language)
    return statement.parent is not None and statement.byte_range == node.byte_range


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
