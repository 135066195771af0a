"""The naming and spelling conventions of each language, from its file in the folder `languages`.

`common.toml` holds what is true of most grammars, since they give the same names to fields and kinds. A
language's file adds to its lists and replaces its single values; `like` names another file to start
from instead.

Each language has its own words. In most languages a name consists of letters, digits and
underscores. Where it may have more characters, a search for plain words would take the `margin` of
`margin-left` for a use of the name `margin`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pollard.syntax.grammars.languages import grammar_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tree_sitter import Language

    from pollard.syntax.tree.document import Document

#: The folder of the files, each named after a language.
FOLDER = Path(__file__).with_name("languages")
_COMMON = "common"
_LETTER = r"[A-Za-z_\x80-\xff]"
_USUAL = r"\w\x80-\xff"
_NONE: frozenset[str] = frozenset()
_ENTRY_KINDS = ("calls", "heads", "expressions", "variables", "members", "columns", "containers")
_ENTRY_TEXTS = ("programs", "values")
_ENTRY_PATTERNS = ("imports", "types", "modules", "definers", "forms")
# A name in any language: no white space, quotes or brackets, and not a number.
_NAME = re.compile(rb"[^\s\w()\[\]{}\"'`,;]*[A-Za-z_\x80-\xff][^\s()\[\]{}\"`,;]*")


@dataclass(frozen=True, slots=True)
class NodeKinds:
    """The kinds of nodes that play a role for names; `common.toml` explains each."""

    imports: frozenset[str] = _NONE
    exports: frozenset[str] = _NONE
    functions: frozenset[str] = _NONE
    forward_declarations: frozenset[str] = _NONE
    references: frozenset[str] = _NONE
    name_lists: frozenset[str] = _NONE
    identifiers: frozenset[str] = _NONE
    texts: frozenset[str] = _NONE
    parameters: frozenset[str] = _NONE
    enumerations: frozenset[str] = _NONE
    namespaces: frozenset[str] = _NONE
    paths: frozenset[str] = _NONE
    mentions: frozenset[str] = _NONE
    guessed_definitions: frozenset[str] = _NONE
    guessed_names: frozenset[str] = _NONE
    guessed_inner: frozenset[str] = _NONE
    inner: frozenset[str] = _NONE
    """Nodes in no field whose definitions are not visible outside."""
    renamings: frozenset[str] = _NONE
    """Nodes whose field `value` has the name that they define."""
    qualified_names: frozenset[str] = _NONE
    """Names with a path before them; only the last part is defined."""
    defining_lists: frozenset[str] = _NONE
    """Lisp's lists; the second word is defined if the first begins with `def`."""
    variable_declarations: frozenset[str] = _NONE
    variable_names: frozenset[str] = _NONE
    value_lists: frozenset[str] = _NONE
    returns: frozenset[str] = _NONE
    opening_tags: frozenset[str] = _NONE
    opening_brackets: frozenset[str] = _NONE
    value_starts: frozenset[str] = _NONE
    blocks: frozenset[str] = _NONE
    here_openings: frozenset[str] = _NONE
    here_bodies: frozenset[str] = _NONE
    field_lists: frozenset[str] = _NONE
    pointers: frozenset[str] = _NONE
    arrays: frozenset[str] = _NONE
    headers: frozenset[str] = _NONE
    """Lines that include the text of a file."""
    valued_blocks: frozenset[str] = _NONE
    symbols: frozenset[str] = _NONE
    """Leaves that may name what they define, such as `:x` in Ruby's `attr_reader :x`."""
    applications: frozenset[str] = _NONE
    """Calls without brackets around their arguments, which stand after what is called."""
    bare_lists: frozenset[str] = _NONE
    """Lists of parameters or arguments that need no brackets."""
    program_starts: frozenset[str] = _NONE
    """Parts of the root without which the rest is no program."""
    bare_functions: frozenset[str] = _NONE
    """Functions without a node for their bodies: a head, `inner_parts`, statements and an end."""
    type_arguments: frozenset[str] = _NONE
    wrapped_lists: frozenset[str] = _NONE
    sections: frozenset[str] = _NONE
    """Lists that begin with a keyword and must have an element."""
    sources: frozenset[str] = _NONE
    """Parts of queries that name the tables to read, after the columns."""
    tag_names: frozenset[str] = _NONE
    """Names in tags, which nothing declares."""


@dataclass(frozen=True, slots=True)
class FieldNames:
    """The fields of nodes that play a role for names; `common.toml` explains each."""

    names: frozenset[str] = _NONE
    bodies: frozenset[str] = _NONE
    types: frozenset[str] = _NONE
    results: frozenset[str] = _NONE
    type_parameter_lists: frozenset[str] = _NONE
    parameter_lists: frozenset[str] = _NONE
    assigned: frozenset[str] = _NONE
    function_names: frozenset[str] = _NONE
    inner: frozenset[str] = _NONE
    origins: frozenset[str] = _NONE
    keys: frozenset[str] = _NONE
    parameters: frozenset[str] = _NONE
    values: frozenset[str] = _NONE
    called: frozenset[str] = _NONE
    arguments: frozenset[str] = _NONE
    members: frozenset[str] = _NONE


@dataclass(frozen=True, slots=True)
class Tokens:
    """Pieces of text that play a role for names; `common.toml` explains each."""

    path_separators: tuple[bytes, ...] = ()
    list_openings: tuple[bytes, ...] = ()
    receivers: tuple[bytes, ...] = ()
    constructors: tuple[bytes, ...] = ()
    literals: tuple[bytes, ...] = ()
    separators: tuple[bytes, ...] = ()
    tails: tuple[bytes, ...] = ()
    variable_prefixes: tuple[bytes, ...] = ()
    sigils: tuple[bytes, ...] = ()
    absent: tuple[bytes, ...] = ()
    """What a parameter without an argument is, if the language allows that."""
    shortest_values: tuple[bytes, ...] = ()
    further_values: tuple[bytes, ...] = ()
    argument_values: tuple[bytes, ...] = ()
    shortest_functions: tuple[bytes, ...] = ()
    long_values: tuple[bytes, ...] = ()
    nothing: tuple[bytes, ...] = ()
    empty_objects: tuple[bytes, ...] = ()
    no_result: tuple[bytes, ...] = ()
    shortest_types: tuple[bytes, ...] = ()
    """Types that most type parameters can be."""
    bracketed: tuple[bytes, ...] = ()
    """Beginnings of values that need brackets before a member or a call of them."""
    wrappers: tuple[bytes, ...] = ()
    wrapping: tuple[bytes, ...] = ()
    unwrapping: tuple[bytes, ...] = ()
    failing: tuple[bytes, ...] = ()
    binding: tuple[bytes, ...] = ()
    pragmas: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """How to find the body of a function, and the shortest text that can replace it (`stub`).

    A body begins with `opening`. It is the last child of its function, unless `bodies` lists its kinds.
    """

    stub: bytes
    opening: bytes = b""
    functions: frozenset[str] = _NONE
    bodies: frozenset[str] = _NONE
    beside: frozenset[str] = _NONE
    """If not empty: a sibling must have one of these kinds."""
    local: frozenset[str] = _NONE
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
    used: frozenset[str] = _NONE
    """The fields of leaves that use a name; if empty, all leaves do."""
    outside: frozenset[str] = _NONE
    """Definitions directly in these are no local ones."""
    omitting: frozenset[str] = _NONE
    discarded: frozenset[str] = _NONE
    typed: tuple[bytes, bytes] = (b"", b"")
    counted: frozenset[str] = _NONE
    """Lists of what the names after them go through. One that has no end there only counts."""
    changing: re.Pattern[bytes] | None = None
    """Matches the use of a variable that may change it."""
    constants: Mapping[str, bytes] = field(default_factory=dict)
    """By keyword: the one for what nothing changes, where the language demands it."""


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
    typed: bytes = b""
    """A value of a type, which stands in the place of `{}`; for variables whose type is declared."""
    separator: bytes = b""
    """Joins several expressions in one program, if that is possible."""


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


@dataclass(frozen=True, slots=True)
class Conventions:
    """All that is known about the names of one grammar."""

    kinds: NodeKinds = NodeKinds()
    fields: FieldNames = FieldNames()
    tokens: Tokens = Tokens()
    pairs: tuple[tuple[str, str], ...] = ()
    """Parts of names of macros and functions that belong together: (opening, closing)."""
    inner_parts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By kind of node: the kinds of children whose definitions are not visible outside."""
    bodies: tuple[BodyStyle, ...] = ()
    guesses: bool = False
    """Whether the grammar has no fields for names, so that definitions are guessed by kind."""
    annotations: tuple[re.Pattern[bytes], ...] = ()
    """Match text that a program in this language means the same without, such as line markers."""
    declares_before_use: bool = False
    """Whether everything is declared before it is used, so that each beginning of a text is valid."""
    runs_statements: bool = False
    """Whether a file is a sequence of statements that run."""
    only_defining: frozenset[str] = _NONE
    """The only kinds of nodes with defined names in them, if the grammar has no fields for names.

    Nodes of the kinds for variables define a name only if it has the prefix of one.
    """
    has_definitions: bool = False
    """Whether any node of this grammar can define a name; none can in JSON."""
    has_assignments: bool = False
    """Whether any node of this grammar can give a name a value, or refer to a name in a field."""
    header_names: Mapping[bytes, bytes] = field(default_factory=dict)
    """By name that headers define: what it means, in words of the language."""
    unused: UnusedNames | None = None
    """How names without a use are avoided; None if the language allows them."""
    typed_value: tuple[bytes, ...] = ()
    """Before a value, between it and its type, and after the type; empty if a value needs no type."""
    untyped_value: tuple[bytes, ...] = ()
    """Before and after a value that may have any type; empty if all values may."""
    entry: EntryStyle | None = None
    """How an expression becomes a program; None where it cannot, or need not be told."""
    loose_methods: LooseMethods | None = None
    """How a method becomes a function; None if it needs its class."""
    word: re.Pattern[bytes] = re.compile(f"{_LETTER}[{_USUAL}]*".encode())
    """Matches a name as the language spells it."""
    inside_word: re.Pattern[bytes] = re.compile(f"[{_USUAL}]{{2}}".encode())
    """Matches two bytes that a name can have in a row."""


@cache
def conventions(language: Language | None) -> Conventions:
    """Return the conventions of a grammar; without one, only the usual spelling of words."""
    if language is None:
        return Conventions()
    grammar = grammar_of(language)
    table = _table(grammar.name if grammar is not None else _COMMON)
    kinds = _node_kinds(table, language)
    found = FieldNames(**{name: frozenset(of) for name, of in table["fields"].items()})
    known = set(filter(language.field_id_for_name, found.names | found.assigned))
    functions = set(filter(language.field_id_for_name, found.function_names))
    guesses = (
        table["guess_definitions"]
        and bool(kinds.guessed_definitions)
        and not known & {"name", "declarator"}
    )
    naming = kinds.name_lists | kinds.defining_lists | kinds.renamings | kinds.variable_names
    naming |= kinds.guessed_definitions if guesses else _NONE
    tokens = {name: tuple(token.encode() for token in of) for name, of in table["tokens"].items()}
    return Conventions(
        kinds,
        found,
        Tokens(**tokens),
        tuple((opening, closing) for opening, closing in table["pairs"]),
        {kind: frozenset(inner) for kind, inner in table.get("inner_parts", {}).items()},
        _bodies(table, kinds.functions),
        guesses,
        tuple(re.compile(each.encode(), re.MULTILINE) for each in table.get("annotations", ())),
        table.get("declares_before_use", False),
        table.get("runs_statements", False),
        _NONE if known or functions else naming,
        bool(known or naming),
        bool(known & found.assigned or (kinds.references and known & found.names)),
        {a.encode(): b.encode() for a, b in table.get("header_names", {}).items()},
        _unused(table["unused"]) if "unused" in table else None,
        tuple(each.encode() for each in table.get("typed_value", ())),
        tuple(each.encode() for each in table.get("untyped_value", ())),
        _entry(table["entry"]) if "entry" in table else None,
        _loose_methods(table["loose_methods"]) if "loose_methods" in table else None,
        **_spelling(**table["words"]) if "words" in table else {},
    )


def _loose_methods(table: Mapping[str, Any]) -> LooseMethods:
    table = {"members": ["."], **table}
    members = tuple(sign.encode() for sign in table.pop("members"))
    return LooseMethods(members, **{name: text.encode() for name, text in table.items()})


def own_table(name: str) -> dict[str, Any]:
    """Return the contents of a language's own file; empty if it has none."""
    file = FOLDER / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def _table(name: str) -> dict[str, Any]:
    """Return the contents of a language's file on top of the files that it builds on."""
    own = own_table(name)
    return own if name == _COMMON else _merged(_table(own.pop("like", _COMMON)), own)


def _merged(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return `base` with `own` on top: tables are merged, lists joined, other values replaced."""
    merged = dict(base)
    for key, value in own.items():
        base_value = base.get(key)
        if isinstance(base_value, dict):
            merged[key] = _merged(base_value, value)
        else:
            merged[key] = [*base_value, *value] if isinstance(base_value, list) else value
    return merged


def _node_kinds(table: Mapping[str, Any], language: Language) -> NodeKinds:
    names = filter(None, map(language.node_kind_for_id, range(language.node_kind_count)))
    known, exact = frozenset(names), table.get("kinds", {})
    found = {role.name: frozenset(exact.get(role.name, ())) & known for role in fields(NodeKinds)}
    for role, pattern in table["patterns"].items():
        found[role] |= frozenset(filter(re.compile(pattern).search, known))
    return NodeKinds(**found)


def _bodies(table: Mapping[str, Any], functions: frozenset[str]) -> tuple[BodyStyle, ...]:
    """Return the styles of function bodies: between braces, unless the language lists its own."""
    styles = table.get("bodies", [{"stub": table["stub"], "opening": "{"}])
    return tuple(
        BodyStyle(
            style["stub"].encode(),
            style.get("opening", "").encode(),
            frozenset(style.get("functions", functions)),
            *(frozenset(style.get(role, ())) for role in ("bodies", "beside", "local")),
        )
        for style in styles
    )


def _unused(table: Mapping[str, Any]) -> UnusedNames:
    found: dict[str, Any] = {
        name: of.encode() if isinstance(of, str) else frozenset(of) for name, of in table.items()
    }
    if "changing" in table:
        opening, closing = table["typed"]
        found["typed"] = (opening.encode(), closing.encode())
        found["changing"] = re.compile(found["changing"])
        found["constants"] = {word: new.encode() for word, new in table["constants"].items()}
    return UnusedNames(**found)


def _entry(table: Mapping[str, Any]) -> EntryStyle:
    found: dict[str, Any] = {name: frozenset(table.get(name, ())) for name in _ENTRY_KINDS}
    for name in _ENTRY_TEXTS:
        found[name] = tuple(text.encode() for text in table[name])
    for name in _ENTRY_PATTERNS:
        found[name] = re.compile(table.get(name, "(?!)").encode())
    texts = {name: table.get(name, "").encode() for name in ("typed", "separator")}
    return EntryStyle(**found, **texts)


def _spelling(word: str, signs: str) -> dict[str, re.Pattern[bytes]]:
    """Return the patterns of words that can have `signs` too, written as in a character class."""
    pattern = word.replace("{letter}", _LETTER).replace("{usual}", _USUAL)
    inside = f"[{_USUAL}{signs}]{{2}}"
    return {"word": re.compile(pattern.encode()), "inside_word": re.compile(inside.encode())}


def words(text: bytes, language: Language | None = None) -> Counter[bytes]:
    """Count the words in a text, those in comments and strings too."""
    return Counter(conventions(language).word.findall(text))


def word_places(document: Document) -> Mapping[bytes, Sequence[int]]:
    """Return the offsets of each word of a document's text, in order; found once."""
    return document.once(_word_places)


def _word_places(document: Document) -> Mapping[bytes, Sequence[int]]:
    places: dict[bytes, list[int]] = {}
    for found in conventions(document.language).word.finditer(document.text):
        places.setdefault(found[0], []).append(found.start())
    return places


def is_word(text: bytes, language: Language | None = None) -> bool:
    """Return whether a text is one word and nothing else."""
    return conventions(language).word.fullmatch(text) is not None


def word_at(text: bytes, offset: int, language: Language | None = None) -> bytes:
    """Return the word that begins at an offset; empty if none does."""
    found = conventions(language).word.match(text, offset)
    return found[0] if found else b""


def is_name(text: bytes) -> bool:
    """Return whether a text may be a name in any language."""
    return _NAME.fullmatch(text) is not None


def splits_word(text: bytes, offset: int, language: Language | None = None) -> bool:
    """Return whether an offset is between two bytes that one word may have in a row."""
    inside = conventions(language).inside_word
    return inside.match(text, offset - 1) is not None if offset else False
