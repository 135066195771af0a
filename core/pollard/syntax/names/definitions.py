"""Definitions: what a single node defines, in any language.

Most grammars put the name that is defined into a field called `name`, `declarator` or `pattern`. Where
a grammar has no such fields, the kind of a node shows that it defines something, and its name is the
first one before its value and its body. Queries in the grammar's package know of more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from pollard.syntax.branches.units import removal
from pollard.syntax.grammars.languages import grammar_of, queries
from pollard.syntax.grammars.patterns import Patterns
from pollard.syntax.names.conventions import conventions, is_name, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Language, Node

    from pollard.syntax.branches.branches import Branch
    from pollard.syntax.branches.units import Unit
    from pollard.syntax.grammars.patterns import Captures
    from pollard.syntax.names.conventions import Conventions
    from pollard.syntax.tree.document import Document

    Span = tuple[int, int]


_MAX_DEPTH = 7
# The first two words of a list, with a bracket before each.
_MAX_HEAD_LEAVES = 4
# A name and its value, or `let` and what it binds.
_MIN_HEAD = 2


@dataclass(frozen=True, slots=True)
class Definition:
    """A unit that defines `names`, and the span `scope` (start, end) in which they have that meaning.

    An import, or what is local to a function, is of no use without its uses (`is_local_or_import`).
    """

    unit: Unit
    names: frozenset[bytes]
    scope: Span
    is_local_or_import: bool

    @property
    def span(self) -> Span:
        """The span (start, end) that goes with the unit."""
        gone = removal(*self.unit)
        return gone.start, gone.end


def defining(node: Node, text: bytes, language: Language | None) -> list[Node]:
    """Return the leaves that are the names which a node defines for the text around it.

    `language` is that of the node's tree. Definitions in an island below the node are left out.
    """
    known = conventions(language)
    found = [*_in_fields(node, text, known), *_in_lisp_list(node, text, known)]
    return [*found, *_guessed_names(node, known)] if known.guesses else found


def assigning(node: Node, text: bytes, language: Language | None) -> list[Node]:
    """Return the leaves that are the names which a node gives a value or refers to.

    If no earlier node has that name, this one defines it, such as a variable in Python or a table in
    SQL.
    """
    known = conventions(language)
    found = _in_fields(node, text, known, assigned=True) if known.has_assignments else ()
    return [*found, *_style_variable(node, text, known)]


def defined(node: Node, text: bytes, language: Language | None) -> frozenset[bytes]:
    """Return the names that a node defines for the text around it."""
    return frozenset(text_of(leaf, text) for leaf in defining(node, text, language))


def assigned(node: Node, text: bytes, language: Language | None) -> frozenset[bytes]:
    """Return the names that a node assigns, in the sense of `assigning`."""
    return frozenset(text_of(leaf, text) for leaf in assigning(node, text, language))


def text_of(node: Node, text: bytes) -> bytes:
    """Return the text of a node."""
    return text[node.start_byte : node.end_byte]


def is_in(node: Node, outer: Node) -> bool:
    """Return whether the text of a node is in that of another one, or all of it."""
    return outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def field_of(branch: Branch) -> str | None:
    """Return the field of its parent that a branch is in, if any."""
    if branch.parent is None:
        return None
    above = branch.parent.inner_node
    for index, child in enumerate(above.children):
        if child.byte_range == branch.node.byte_range:
            return above.field_name_for_child(index)
    return None


def is_imported(branch: Branch, document: Document) -> bool:
    """Return whether a branch is an import, or a child or grandchild of one."""
    lineage = (branch, branch.parent, branch.parent.parent if branch.parent else None)
    return any(
        each is not None
        and each.node.type in conventions(each.own_document_in(document).language).kinds.imports
        for each in lineage
    )


def parameter_names(node: Node, text: bytes, language: Language | None) -> list[bytes]:
    """Return the names that a parameter defines."""
    return [text_of(leaf, text) for leaf in parameter_leaves(node, text, language)]


def parameter_leaves(node: Node, text: bytes, language: Language | None) -> list[Node]:
    """Return the leaves that a parameter defines: `x` of `T x` by its field, else its first name."""
    identifiers = (leaf for leaf in leaves(node) if is_identifier(leaf, language))
    return defining(node, text, language) or [*islice(identifiers, 1)]


def forward_declared(node: Node, text: bytes, language: Language | None) -> list[Node]:
    """Return the leaves that are the names which a node declares, if it ends without a body."""
    body = child_in(node, conventions(language).fields.bodies)
    is_forward = text.endswith(b";", 0, node.end_byte) and body is None
    return defining(node, text, language) if is_forward else []


def child_in(node: Node, fields: Iterable[str]) -> Node | None:
    """Return the child of a node in one of some fields, if any; `<kind>` is one of that kind."""
    names, kinds = _names_and_kinds(tuple(fields))
    for name in names:
        child = node.child_by_field_name(name)
        if child is not None:
            return child
    return next((child for child in node.children if child.type in kinds), None) if kinds else None


@cache
def _names_and_kinds(fields: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields that a grammar names, in order, and the kinds that stand for others."""
    names = sorted(field for field in fields if not field.startswith("<"))
    return tuple(names), tuple(field[1:-1] for field in fields if field.startswith("<"))


def inside(node: Node) -> tuple[int, int]:
    """Return the span (start, end) of what a block or body holds, without a token at either end."""
    if not node.children:
        return node.byte_range
    first, last = node.children[0], node.children[-1]
    start = node.start_byte if first.is_named else first.end_byte
    return start, max(start, node.end_byte if last.is_named else last.start_byte)


def end_with_semicolon(node: Node, text: bytes) -> int:
    """Return where a node ends, or the semicolon that follows it as a token of its own."""
    after = node.next_sibling
    return after.end_byte if after and text_of(after, text) == b";" else node.end_byte


def statement_around(node: Node, language: Language | None) -> Node:
    """Return the statement of a block that a node is in; the root without a block."""
    blocks = conventions(language).kinds.blocks
    while node.parent is not None and node.parent.type not in blocks:
        node = node.parent
    return node


def is_identifier(node: Node, language: Language | None) -> bool:
    """Return whether a node is a leaf whose kind is one for names."""
    identifiers = conventions(language).kinds.identifiers
    return node.is_named and not node.child_count and node.type in identifiers


def with_fields(node: Node) -> Iterator[tuple[str | None, Node]]:
    """Yield a node's children, each with the field that it is in."""
    cursor = node.walk()
    has_child = cursor.goto_first_child()
    while has_child:
        if cursor.node is not None:
            yield cursor.field_name, cursor.node
        has_child = cursor.goto_next_sibling()


def nodes(root: Node) -> Iterator[Node]:
    """Yield the nodes of a tree in the order of the text, each before what is in it."""
    stack = [root]
    while stack:
        node = stack.pop()
        stack.extend(reversed(node.children))
        yield node


def leaves(root: Node) -> Iterator[Node]:
    """Yield the leaves of a tree in the order of the text."""
    return (node for node in nodes(root) if not node.child_count)


def _in_fields(
    node: Node,
    text: bytes,
    known: Conventions,
    depth: int = 0,
    *,
    named: bool = False,
    assigned: bool = False,
) -> Iterator[Node]:
    """Yield the names in the fields of a node that define something, or in the `assigned` ones.

    Called for most nodes of a text, most of which are leaves that are no names.
    """
    if not node.child_count:
        if named and node.is_named and is_name(text_of(node, text)):
            yield node
        return
    if node.type in known.kinds.calls:
        return
    if (name := _name_read_as_type(node, known)) is not None:
        yield name
        return
    qualified = named and node.type in known.kinds.qualified_names
    named_without_field = named or qualified or node.type in known.kinds.name_lists
    for field, child in with_fields(node) if depth < _MAX_DEPTH else ():
        if not child.is_named:  # a token, such as a keyword or a bracket
            continue
        if field is None:
            is_named = named_without_field
        else:
            is_named = (
                qualified
                or _is_naming(node, field, known, assigned)
                or _is_renamed(node, field, known)
            )
        if not is_named and not child.child_count:
            continue
        if (qualified and child.end_byte < node.end_byte) or _is_inner(node, field, child, known):
            continue
        yield from _in_fields(child, text, known, depth + 1, named=is_named, assigned=assigned)


def _name_read_as_type(node: Node, known: Conventions) -> Node | None:
    """Return the name of C's `f(x) { }`, which reads as a variable `(x)` of the type `f`; else None."""
    if not known.kinds.bare_parameters or child_in(node, known.fields.bodies) is None:
        return None
    name = child_in(node, known.fields.names)
    is_bare = name is not None and name.type in known.kinds.bare_parameters
    return child_in(node, known.fields.types) if is_bare else None


def _is_naming(node: Node, field: str, known: Conventions, assigned: bool) -> bool:
    """Return whether a field has a name that a node defines or, with `assigned`, assigns."""
    refers = node.type in known.kinds.references
    if field in known.fields.names and refers == assigned:
        return True
    if assigned:
        return field in known.fields.assigned
    return field in known.fields.function_names and node.type in known.kinds.functions


def _is_inner(node: Node, field: str | None, child: Node, known: Conventions) -> bool:
    """Return whether nothing that a child defines is visible outside of its parent."""
    if field in known.fields.types:  # `struct s x;` uses what `struct s { } x;` defines
        return child_in(child, known.fields.bodies) is None
    if field in known.fields.bodies and node.type in known.kinds.enumerations:
        return False
    if field is None:
        inner = known.inner_parts.get(node.type, ())
        return child.is_named and (child.type in known.kinds.inner or child.type in inner)
    return field in known.fields.inner and not _is_renamed(node, field, known)


def _is_renamed(node: Node, field: str, known: Conventions) -> bool:
    """Return whether a field has the new name of a property in a destructuring assignment."""
    return field in known.fields.values and node.type in known.kinds.renamings


def _in_lisp_list(node: Node, text: bytes, known: Conventions) -> Iterator[Node]:
    """Yield the name in Lisp's `(define name ...)`, `(defn name ...)` or `(define (name ...) ...)`.

    Also in each `(name value)` of `(let ((name value) ...) ...)`.
    """
    if node.type not in known.kinds.defining_lists:
        return
    head = islice(leaves(node), _MAX_HEAD_LEAVES)
    first, *others = [leaf for leaf in head if leaf.type != "("] or [node]
    if (
        others
        and text.startswith(known.tokens.defining, first.start_byte)
        and is_name(text_of(others[0], text))
    ):
        yield others[0]
    elif _is_bound_by_let(node, text):
        yield first


def _is_bound_by_let(node: Node, text: bytes) -> bool:
    """Return whether a list is a name and its value among those that `let` binds."""
    bound = node.parent
    above = bound.parent if bound is not None else None
    if above is None or node.named_child_count != _MIN_HEAD or node.named_children[0].child_count:
        return False
    head = above.named_children[:_MIN_HEAD]
    return bound == head[-1] and text.startswith(b"let", head[0].start_byte)


def _style_variable(node: Node, text: bytes, known: Conventions) -> Iterator[Node]:
    """Yield the name in a style sheet's `$name: value` or `--name: value`."""
    if node.type not in known.kinds.variable_declarations:
        return
    for name in node.named_children[:1]:
        is_variable = text_of(name, text).startswith(known.tokens.variable_prefixes)
        if is_variable and name.type in known.kinds.variable_names:
            yield name


def _guessed_names(node: Node, known: Conventions, depth: int = 0) -> Iterator[Node]:
    """Yield the names that a node seems to define, in a grammar without fields for names."""
    is_definition = node.type in known.kinds.guessed_definitions
    for child in node.children if depth < _MAX_DEPTH else ():
        if not child.is_named:
            if child.type in known.kinds.value_starts:
                return
        elif is_definition and child.type in known.kinds.guessed_names:
            yield _last_leaf(child)
            return
        elif (
            child.type in known.kinds.guessed_definitions
            or child.type not in known.kinds.guessed_inner
        ):
            yield from _guessed_names(child, known, depth + 1)


def _last_leaf(node: Node) -> Node:
    while node.child_count:
        node = node.children[-1]
    return node


def declared_names(document: Document) -> frozenset[bytes]:
    """Return all names declared in a document's own tree, parameters and locals included."""
    text, language = document.text, document.language
    known = conventions(language)
    found: set[bytes] = set()
    stack = [document.root]
    while stack:
        node = stack.pop()
        stack += node.children
        declaring = [*defining(node, text, language), *assigning(node, text, language)]
        if node.type in known.kinds.parameters:
            declaring += _in_fields(node, text, known, named=True)
        found.update(
            text_of(leaf, text) for leaf in declaring if leaf.type not in known.kinds.texts
        )
    return frozenset(name for name in found if is_word(name, language))


def queried_definitions(document: Document) -> dict[int, Span]:
    """Map the offset of each name that the grammar's own queries call a definition to a span.

    The span (start, end) is that of the defining node, or of the name itself. A `locals` query captures
    names as `local.definition`, a `tags` query as `name` beside a `definition.*`. They know definitions
    that are in no field, such as the parameters of JavaScript.
    """
    if document.language is None:
        return {}
    return {
        name.start_byte: whole.byte_range
        for patterns in _patterns(document.language)
        for _, _, captures in patterns.matches(document.root, document.text)
        for name, whole in _captured(captures)
    }


def _captured(captures: Captures) -> Iterator[tuple[Node, Node]]:
    defining_nodes = [nodes for name, nodes in captures.items() if name.startswith("definition.")]
    for name, nodes in captures.items():
        if name.startswith("local.definition"):
            yield from zip(nodes, nodes, strict=True)
        if name == "name" and defining_nodes:
            yield from ((node, defining_nodes[0][0]) for node in nodes)


@cache
def _patterns(language: Language) -> tuple[Patterns, ...]:
    grammar = grammar_of(language)
    sources = (queries(grammar, "locals"), queries(grammar, "tags")) if grammar else ()
    return tuple(Patterns(source, language) for source in sources if source)
