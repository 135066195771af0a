"""What nodes, fields and pieces of text do for names; each language's file says which ones do it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

#: For roles that no node of a language has.
NO_KINDS: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NodeKinds:
    """The kinds of nodes that play a role for names; `common.toml` explains each."""

    imports: frozenset[str] = NO_KINDS
    exports: frozenset[str] = NO_KINDS
    functions: frozenset[str] = NO_KINDS
    forward_declarations: frozenset[str] = NO_KINDS
    references: frozenset[str] = NO_KINDS
    calls: frozenset[str] = NO_KINDS
    name_lists: frozenset[str] = NO_KINDS
    identifiers: frozenset[str] = NO_KINDS
    texts: frozenset[str] = NO_KINDS
    parameters: frozenset[str] = NO_KINDS
    enumerations: frozenset[str] = NO_KINDS
    namespaces: frozenset[str] = NO_KINDS
    paths: frozenset[str] = NO_KINDS
    headings: frozenset[str] = NO_KINDS
    """Parts of the root that name the text itself, which uses nothing in it."""
    mentions: frozenset[str] = NO_KINDS
    guessed_definitions: frozenset[str] = NO_KINDS
    guessed_names: frozenset[str] = NO_KINDS
    guessed_inner: frozenset[str] = NO_KINDS
    inner: frozenset[str] = NO_KINDS
    """Nodes in no field whose definitions are not visible outside."""
    renamings: frozenset[str] = NO_KINDS
    """Nodes whose field `value` has the name that they define."""
    typed_members: frozenset[str] = NO_KINDS
    """Members of types, which objects elsewhere have wherever the type is written."""
    qualified_names: frozenset[str] = NO_KINDS
    """Names with a path before them; only the last part is defined."""
    defining_lists: frozenset[str] = NO_KINDS
    """Lisp's lists; the second word is defined if the first begins as `defining` tells."""
    variable_declarations: frozenset[str] = NO_KINDS
    variable_names: frozenset[str] = NO_KINDS
    value_lists: frozenset[str] = NO_KINDS
    returns: frozenset[str] = NO_KINDS
    interpolations: frozenset[str] = NO_KINDS
    opening_tags: frozenset[str] = NO_KINDS
    opening_brackets: frozenset[str] = NO_KINDS
    value_starts: frozenset[str] = NO_KINDS
    blocks: frozenset[str] = NO_KINDS
    here_openings: frozenset[str] = NO_KINDS
    here_bodies: frozenset[str] = NO_KINDS
    field_lists: frozenset[str] = NO_KINDS
    pointers: frozenset[str] = NO_KINDS
    arrays: frozenset[str] = NO_KINDS
    headers: frozenset[str] = NO_KINDS
    """Lines that include the text of a file."""
    valued_blocks: frozenset[str] = NO_KINDS
    modified: frozenset[str] = NO_KINDS
    """Statements with a condition or a loop after them, such as `f() if x`."""
    implying: frozenset[str] = NO_KINDS
    """What gives the `implied` variables values in it."""
    bare_parameters: frozenset[str] = NO_KINDS
    items: frozenset[str] = NO_KINDS
    """Parts of data that begin with their key, which others may mention."""
    symbols: frozenset[str] = NO_KINDS
    """Leaves that may name what they define, such as `:x` in Ruby's `attr_reader :x`."""
    applications: frozenset[str] = NO_KINDS
    """Calls without brackets around their arguments, which stand after what is called."""
    commands: frozenset[str] = NO_KINDS
    """The same where they are no values, as in the shell."""
    word_loops: frozenset[str] = NO_KINDS
    """Loops over words, which stand after the variable in the loop or in its only head."""
    bare_lists: frozenset[str] = NO_KINDS
    """Lists of parameters or arguments that need no brackets."""
    program_starts: frozenset[str] = NO_KINDS
    """Parts of the root without which the rest is no program."""
    bare_functions: frozenset[str] = NO_KINDS
    """Functions without a node for their bodies: a head, `inner_parts`, statements and an end."""
    type_arguments: frozenset[str] = NO_KINDS
    templates: frozenset[str] = NO_KINDS
    """Generic declarations, of which the last part is what they declare."""
    wrapped_lists: frozenset[str] = NO_KINDS
    sections: frozenset[str] = NO_KINDS
    """Lists that begin with a keyword and must have an element."""
    sources: frozenset[str] = NO_KINDS
    """Parts of queries that name the tables to read, after the columns."""
    queries: frozenset[str] = NO_KINDS
    """Queries with a name, which comes first in them, such as views."""
    rows: frozenset[str] = NO_KINDS
    """Lists of columns, and of their values."""
    relations: frozenset[str] = NO_KINDS
    """Tables or queries with a name that a query reads, with what it calls them."""
    operations: frozenset[str] = NO_KINDS
    tag_names: frozenset[str] = NO_KINDS
    """Names in tags, which nothing declares."""
    assignments: frozenset[str] = NO_KINDS
    changes: frozenset[str] = NO_KINDS
    open_expressions: frozenset[str] = NO_KINDS
    new_objects: frozenset[str] = NO_KINDS
    """Open expressions as well if they have no arguments."""
    yields: frozenset[str] = NO_KINDS
    member_variables: frozenset[str] = NO_KINDS
    """Leaves that are members of the object around them, or variables of the program."""
    constants: frozenset[str] = NO_KINDS
    """Leaves that are variables or constants, where a macro may declare some."""


@dataclass(frozen=True, slots=True)
class FieldNames:
    """The fields of nodes that play a role for names; `common.toml` explains each."""

    names: frozenset[str] = NO_KINDS
    bodies: frozenset[str] = NO_KINDS
    types: frozenset[str] = NO_KINDS
    results: frozenset[str] = NO_KINDS
    type_parameter_lists: frozenset[str] = NO_KINDS
    parameter_lists: frozenset[str] = NO_KINDS
    objects: frozenset[str] = NO_KINDS
    assigned: frozenset[str] = NO_KINDS
    function_names: frozenset[str] = NO_KINDS
    inner: frozenset[str] = NO_KINDS
    origins: frozenset[str] = NO_KINDS
    keys: frozenset[str] = NO_KINDS
    parameters: frozenset[str] = NO_KINDS
    values: frozenset[str] = NO_KINDS
    called: frozenset[str] = NO_KINDS
    arguments: frozenset[str] = NO_KINDS
    members: frozenset[str] = NO_KINDS


@dataclass(frozen=True, slots=True)
class Tokens:
    """Pieces of text that play a role for names; `common.toml` explains each."""

    path_separators: tuple[bytes, ...] = ()
    list_openings: tuple[bytes, ...] = ()
    receivers: tuple[bytes, ...] = ()
    constructors: tuple[bytes, ...] = ()
    literals: tuple[bytes, ...] = ()
    separators: tuple[bytes, ...] = ()
    separators_in_text: tuple[bytes, ...] = ()
    """Separators of lists that the grammar takes for a part of their elements."""
    tails: tuple[bytes, ...] = ()
    variable_prefixes: tuple[bytes, ...] = ()
    sigils: tuple[bytes, ...] = ()
    absent: tuple[bytes, ...] = ()
    """What a parameter without an argument is, if the language allows that."""
    shortest_values: tuple[bytes, ...] = ()
    further_values: tuple[bytes, ...] = ()
    truth_values: tuple[bytes, ...] = ()
    value_statement: tuple[bytes, ...] = ()
    declaring: tuple[bytes, ...] = ()
    comparisons: tuple[bytes, ...] = ()
    typing: tuple[bytes, ...] = ()
    argument_values: tuple[bytes, ...] = ()
    unlike: tuple[bytes, ...] = ()
    further_unlike: tuple[bytes, ...] = ()
    comparing: tuple[bytes, ...] = ()
    comparing_methods: tuple[bytes, ...] = ()
    instance: tuple[bytes, ...] = ()
    new_object: tuple[bytes, ...] = ()
    shortest_functions: tuple[bytes, ...] = ()
    arrow: tuple[bytes, ...] = ()
    long_values: tuple[bytes, ...] = ()
    nothing: tuple[bytes, ...] = ()
    empty_objects: tuple[bytes, ...] = ()
    no_result: tuple[bytes, ...] = ()
    shortest_types: tuple[bytes, ...] = ()
    """Types that most type parameters can be."""
    bracketed: tuple[bytes, ...] = ()
    """Beginnings of values that need brackets before a member or a call of them."""
    continuing: tuple[bytes, ...] = ()
    """Beginnings of values that continue a statement before them that no semicolon ends."""
    number_object: tuple[bytes, ...] = ()
    """What stands before and after a whole number that a member of it follows."""
    wrappers: tuple[bytes, ...] = ()
    wrapping: tuple[bytes, ...] = ()
    unwrapping: tuple[bytes, ...] = ()
    failing: tuple[bytes, ...] = ()
    binding: tuple[bytes, ...] = ()
    pragmas: tuple[bytes, ...] = ()
    implied: tuple[bytes, ...] = ()
    """Names of variables that the language gives values to, without their signs."""
    placed: tuple[bytes, ...] = ()
    defining: tuple[bytes, ...] = ()
    appending: tuple[bytes, ...] = ()
    empty_lists: tuple[bytes, ...] = ()
    list_ends: tuple[bytes, ...] = ()
    pairs_of_keys: tuple[bytes, ...] = ()
    inherited: tuple[bytes, ...] = ()
    objectless: tuple[bytes, ...] = ()
    reserved_letters: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """How to find the body of a function, and the shortest text that can replace it (`stub`).

    A body begins with `opening`. It is the last child of its function, unless `bodies` lists its kinds.
    """

    stub: bytes
    opening: bytes = b""
    functions: frozenset[str] = NO_KINDS
    bodies: frozenset[str] = NO_KINDS
    beside: frozenset[str] = NO_KINDS
    """If not empty: a sibling must have one of these kinds."""
    local: frozenset[str] = NO_KINDS
    """Siblings of these kinds go with the body."""


@dataclass(frozen=True, slots=True)
class UnusedNames:
    """How to keep no value, in a language that refuses imports and variables without a use.

    A variable becomes `blank`. A definition with the sign `declaration` or none defines its targets in
    the scope around it, as do all `declarations`. With the sign `assignment` it defines nothing. The
    targets and the signs of `optional` kinds go instead. So does a whole definition directly in one of
    the kinds `omitting`. Of the kinds `discarded` only the value stays: `const x = f()` becomes
    `_ = f()`, and with a type the value is put between the two texts `typed`.
    """

    blank: bytes
    declaration: bytes
    assignment: bytes
    leaves: frozenset[str]
    scopes: frozenset[str]
    definitions: frozenset[str]
    declarations: frozenset[str]
    optional: frozenset[str]
    targets: frozenset[str]
    values: frozenset[str]
    """The fields of definitions with what is defined, and with its value."""
    used: frozenset[str] = NO_KINDS
    """The fields of leaves that use a name; if empty, all leaves do."""
    outside: frozenset[str] = NO_KINDS
    """Definitions directly in these are no local ones."""
    omitting: frozenset[str] = NO_KINDS
    discarded: frozenset[str] = NO_KINDS
    typed: tuple[bytes, bytes] = (b"", b"")
    counted: frozenset[str] = NO_KINDS
    """Lists of what the names after them go through. One that has no end there only counts."""
    changing: re.Pattern[bytes] | None = None
    """Matches the use of a variable that may change it."""
    constants: Mapping[str, bytes] = field(default_factory=dict)
    """By keyword: the one for what nothing changes, where the language demands it."""


#: Patterns of types, and values of these, one for each turn; the last one stands for further turns.
ValuesOfTypes = tuple[tuple["re.Pattern[bytes]", tuple[bytes, ...]], ...]


def _with_bounds(value: bytes, index: bytes, length: bytes) -> bytes:
    return value.replace(b"{index}", index).replace(b"{length}", length)


@dataclass(frozen=True, slots=True)
class EntryStyle:
    """How an expression of a function becomes a program of its own.

    `programs` have `{}` in the place of the expression, and one of `values` stands for its variables,
    which are leaves of the kinds `variables`; `members` are kinds of members of these.
    """

    programs: tuple[bytes, ...]
    values: tuple[bytes, ...]
    calls: frozenset[str]
    """Expressions whose first part is called; it has one of the kinds `heads`, if any are given."""
    heads: frozenset[str]
    expressions: frozenset[str]
    """Other expressions that may fail."""
    variables: frozenset[str]
    members: frozenset[str]
    columns: frozenset[str]
    """Kinds of nodes that get a value wherever they stand, since nothing outside gives them one."""
    containers: frozenset[str]
    """Kinds of nodes around parts of the top of a text."""
    imports: re.Pattern[bytes]
    """Matches the beginning of what always stays."""
    types: re.Pattern[bytes]
    """Matches the beginning of what defines all words in it."""
    modules: re.Pattern[bytes]
    """Matches the beginning of what has a name that no field tells; its group is the name."""
    definers: re.Pattern[bytes]
    forms: re.Pattern[bytes]
    """Match the beginning of what looks like a call: of what defines a name, and of a form."""
    collections: re.Pattern[bytes]
    """Matches a value of a type with elements; its groups are the types of keys and of elements."""
    typed: bytes = b""
    """A value of a type, which stands in the place of `{}`; for variables whose type is declared."""
    zeros: ValuesOfTypes = ()
    """Short values of types for what gets a value of its type."""
    typed_values: ValuesOfTypes = ()
    """Values of types that stand for variables of these, where `typed` is not the best one."""
    bounded_values: ValuesOfTypes = ()
    """The same if the output names an `{index}` beyond a `{length}`; for no type an indexed value."""
    bounds: tuple[bytes, ...] = ()
    """The index and the length, if those values stand for variables."""
    classes: frozenset[str] = NO_KINDS
    """Kinds of what the program begins in, where all is in a class."""
    value_statement: tuple[bytes, ...] = ()
    """Before and after a value that is no statement alone, if the language has no usual ones."""
    separator: bytes = b""
    """Joins several expressions in one program, if that is possible."""

    def beyond(self, index: int, length: int) -> EntryStyle:
        """Return the style with that index for numbers, and with collections of that length."""
        bounds = b"%d" % index, b"%d" % length
        known = tuple(
            (pattern, tuple(_with_bounds(value, *bounds) for value in values))
            for pattern, values in self.bounded_values
        )
        some = known + self.typed_values
        return replace(self, values=bounds[:1], typed_values=some, bounds=bounds)


@dataclass(frozen=True, slots=True)
class LooseMethods:
    """How a method becomes a function: `opening` stands before it.

    A member of an object comes after one of the signs in `members`. After `outer`, a function names the
    variables outside of it that it assigns. An object is made by the method `making` of its class, if
    there is one. Calls of `accessors` make readers of the variables that have the names of their
    arguments after `sign`.
    """

    members: tuple[bytes, ...] = (b".",)
    opening: bytes = b""
    variable: bytes | None = None
    """Stands before a variable that was a field of the class; None if that stays as it is."""
    sigil: bytes = b""
    """Before a name that is no function's. With it, a function names all variables outside of it that
    it uses."""
    end: bytes = b""
    """Ends a statement."""
    outer: bytes = b""
    making: bytes = b""
    accessors: bytes = b""
    sign: bytes = b""
    literal: bytes = b""
    """The ends of an object that is written and may have methods, as in `{f() {}}`."""
