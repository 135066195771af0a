"""Calls: of a name, of a chain that begins with it, and of a function where it stands; parameters."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from pollard.syntax.names.conventions import conventions, word_at
from pollard.syntax.names.definitions import child_in, defined, is_in, nodes, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Language, Node

    from pollard.syntax.tree.document import Document


# A call is hardly ever further above its function's name; each step costs a walk down from the root.
_MAX_STEPS_TO_CALL = 8
_BRACKET, _SPACE = b"(", b" "
# The field of a parameter without brackets, as in `x => 0`.
_ONLY_PARAMETER = "parameter"
# Calls the constructor of the base, and no other method.
_BARE_BASE = b"super("


def with_sigil(leaf: Node, text: bytes, language: Language | None) -> Node:
    """Return what a name makes with the sign before it, such as `$x` or `${x}`; else the name.

    What is called has no such sign: that of the shell's `$(f)` belongs to the brackets. Neither has a
    value in a string, such as `${x}` in JavaScript.
    """
    known, node = conventions(language), leaf
    sigils, calls = known.tokens.sigils, known.kinds.calls
    for _ in range(_MAX_STEPS_TO_CALL):
        above = node.parent
        if above is None or above.named_child_count != 1 or above.type in calls:
            break
        if above.type in known.kinds.interpolations and above.end_byte > node.end_byte:
            break
        if above.start_byte < leaf.start_byte and text.startswith(sigils, above.start_byte):
            return above
        node = above
    return leaf


def call_of(leaf: Node, text: bytes, language: Language | None) -> Node | None:
    """Return the call of the function that `leaf` names, alone or at the end of a path."""
    node = leaf
    for _ in range(_MAX_STEPS_TO_CALL):
        above = node.parent
        if above is None:
            return None
        if _calls(above, node, text, language):
            return _whole_application(above, language)
        if above.end_byte != leaf.end_byte:
            return None
        node = above
    return None


def _whole_application(call: Node, language: Language | None) -> Node:
    """Return a call with all arguments, where each makes a call of its own, as in Haskell's `f x y`."""
    applications = conventions(language).kinds.applications
    while (above := call.parent) is not None and call.type == above.type in applications:
        if above.named_children[0] != call:
            break
        call = above
    return call


def chain_of(leaf: Node, text: bytes, language: Language | None) -> Node | None:
    """Return the last call of the chain that begins with a name, such as `A().f(7)` around `A`."""
    tails, node, found = conventions(language).tokens.tails, leaf, None
    for _ in range(_MAX_STEPS_TO_CALL):
        above = node.parent
        if above is None or above.start_byte != leaf.start_byte:
            break
        rest = text[node.end_byte : above.end_byte].lstrip()
        if rest and not rest.startswith(tails):
            break
        if _has_arguments(above, node, text, language):
            found = above
        node = above
    return found


def arguments_of(call: Node, text: bytes, language: Language | None) -> list[Node]:
    """Return the arguments of a call in order."""
    if call.type in conventions(language).kinds.applications:
        first, *others = call.named_children
        before = arguments_of(first, text, language) if first.type == call.type else []
        return [*before, *others]
    arguments = child_in(call, conventions(language).fields.arguments)
    if arguments is not None:
        return arguments.named_children
    after = call.named_children[1:]
    while len(after) == 1 and text.startswith(b"(", after[0].start_byte):
        after = after[0].named_children
    return after


def is_argument(node: Node, language: Language | None) -> bool:
    """Return whether a node is a part of a call without brackets, which a space would cut in two."""
    while (above := node.parent) is not None and above.byte_range == node.byte_range:
        node = above
    return above is not None and above.type in conventions(language).kinds.applications


def called_functions(document: Document) -> Iterator[tuple[Node, Node]]:
    """Yield each call of a function that stands where it is called, and the function.

    They come in the order of the text; islands are left out.
    """
    known, text = conventions(document.language), document.text
    for call in nodes(document.root):
        if not call.named_child_count:
            continue
        head = child_in(call, known.fields.called) or call.named_children[0]
        if _calls(call, head, text, document.language):
            while head.named_child_count == 1 and text.startswith(b"(", head.start_byte):
                head = head.named_children[0]
            if child_in(head, known.fields.bodies) is not None:
                yield call, head


def inherited_calls(document: Document) -> Iterator[tuple[Node, Node]]:
    """Yield each call of the method that a method hides, such as `super.m()`, and that method.

    That is the only other one of that name. Of a bare `super()` it is the name of the method around.
    """
    text, known = document.text, conventions(document.language)
    parts = [*nodes(document.root)] if any(map(text.__contains__, known.tokens.inherited)) else []
    methods = [each for each in parts if each.type in known.kinds.functions]
    named = {each: text_of(child_in(each, known.fields.names) or each, text) for each in methods}
    for call in parts:
        start, sign = call.start_byte, _sign_of_base(call, document)
        around = [each for each in methods if is_in(call, each)]
        if not (sign and around and call.child_count):
            continue
        is_bare = sign.endswith((_BRACKET, _SPACE))
        name = named[around[-1]] if is_bare else word_at(text, start + len(sign), document.language)
        end = start + len(sign) + (-sign.endswith(_BRACKET) if is_bare else len(name))
        if call.children[-1].start_byte != end:
            continue
        hidden = [each for each in methods if named[each] == name and each not in around]
        if len(hidden) == 1:  # else it is not known which one
            yield call, hidden[0]


def constructs_base(call: Node, document: Document) -> bool:
    """Return whether a node begins with a call of the base's constructor, such as `super(7)`."""
    sign = _sign_of_base(call, document)
    word = word_at(document.text, call.start_byte + len(sign), document.language)
    constructors = conventions(document.language).tokens.constructors
    return bool(sign) and (sign == _BARE_BASE or word in constructors)


def _sign_of_base(node: Node, document: Document) -> bytes:
    """Return how a node begins that uses something of the base, such as `super.`; else nothing."""
    signs = conventions(document.language).tokens.inherited
    return next((each for each in signs if document.text.startswith(each, node.start_byte)), b"")


def _calls(call: Node, function: Node, text: bytes, language: Language | None) -> bool:
    """Return whether a node calls one of its children."""
    fields = conventions(language).fields
    kinds = conventions(language).kinds
    if call.type in kinds.applications or call.type in kinds.commands:
        return function == call.named_children[0]
    if child_in(call, fields.arguments) is not None:
        return any(child_in(call, (field,)) == function for field in fields.called)
    return _has_arguments(call, function, text, language)


def _has_arguments(call: Node, head: Node, text: bytes, language: Language | None) -> bool:
    """Return whether a node ends with arguments: in a field, or in brackets after its head."""
    after = text[head.end_byte : call.end_byte].strip()
    is_bracketed = after.startswith(b"(") and after.endswith(b")")
    return is_bracketed or child_in(call, conventions(language).fields.arguments) is not None


def parameters_of(definition: Node, document: Document) -> list[Node]:
    """Return the outermost parameters in order, but none of a function in a function.

    The object of a method, such as `self`, has no argument between the brackets, and neither has the
    name of the function where it is the first in the list.
    """
    known = conventions(document.language)
    own = {*known.tokens.receivers}
    if definition.type in known.kinds.defining_lists:
        own |= defined(definition, document.text, document.language)
    waiting = deque([definition])
    while waiting:
        node = waiting.popleft()
        parameters = _parameters_in(node, document.text, document.language)
        if parameters:
            return [each for each in parameters if text_of(each, document.text) not in own]
        is_function = node.type in known.kinds.functions
        body = child_in(node, known.fields.bodies) if is_function else None
        waiting.extend(child for child in node.named_children if child != body)
    return []


def _parameters_in(node: Node, text: bytes, language: Language | None) -> list[Node]:
    """Return the parameters among a node's children, or in a list between brackets among them."""
    known = conventions(language)
    parameters = child_in(node, known.fields.parameter_lists)
    if parameters is not None:
        return parameters.named_children if parameters.children else [parameters]
    if node.type in known.kinds.defining_lists and node.named_child_count > 1:
        name = node.named_children[1]  # Scheme's (define (name parameter ...) ...)
        while name.named_child_count == 1 and name.type != node.type:
            name = name.named_children[0]  # Elixir's def name(parameter, ...)
        return arguments_of(name, text, language) if name.type == node.type else []
    only = node.child_by_field_name(_ONLY_PARAMETER)
    if only is not None:
        return [only]
    found = [child for child in node.named_children if child.type in known.kinds.parameters]
    if len(found) == 1 and text.startswith(b"(", found[0].start_byte):
        return found[0].named_children
    return found
