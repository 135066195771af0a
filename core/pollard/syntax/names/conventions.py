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
from pollard.syntax.names.roles import (
    NO_KINDS,
    BodyStyle,
    EntryStyle,
    FieldNames,
    LooseMethods,
    NodeKinds,
    Tokens,
    UnusedNames,
)

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
_ENTRY_KINDS = (
    "calls",
    "heads",
    "expressions",
    "variables",
    "members",
    "columns",
    "containers",
    "classes",
)
_ENTRY_TEXTS = ("programs", "values", "value_statement")
_ENTRY_PATTERNS = ("imports", "types", "modules", "definers", "forms", "collections")
# A name in any language: no white space, quotes or brackets, and not a number.
_NAME = re.compile(rb"[^\s\w()\[\]{}\"'`,;]*[A-Za-z_\x80-\xff][^\s()\[\]{}\"`,;]*")


@dataclass(frozen=True, slots=True)
class Conventions:
    """All that is known about the names of one grammar."""

    kinds: NodeKinds = field(default_factory=NodeKinds)
    fields: FieldNames = field(default_factory=FieldNames)
    tokens: Tokens = field(default_factory=Tokens)
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
    checks_results: bool = False
    """Whether a running function refuses to return a value of another type than it declares."""
    innermost_last: bool = False
    """Whether a list of calls, as a failing program prints it, ends with the innermost one."""
    may_be_unset: bool = False
    """Whether a variable that nothing gave a value is empty, and no error."""
    only_defining: frozenset[str] = NO_KINDS
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
    untyped_value: tuple[bytes, ...] = ()
    """Before and after a value that may have any type; empty if all values may."""
    entry: EntryStyle | None = None
    """How an expression becomes a program; None where it cannot, or need not be told."""
    loose_methods: LooseMethods | None = None
    """How a method becomes a function; None if it needs its class."""
    detours: tuple[tuple[re.Pattern[bytes], bytes, Mapping[bytes, bytes]], ...] = ()
    """Patterns of calls that take a detour, what replaces them, with the groups of the pattern, and the
    words in that which are written otherwise then."""
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
    naming |= kinds.guessed_definitions if guesses else NO_KINDS
    tokens = {name: tuple(token.encode() for token in of) for name, of in table["tokens"].items()}
    return Conventions(
        kinds,
        found,
        Tokens(**tokens),
        {kind: frozenset(inner) for kind, inner in table.get("inner_parts", {}).items()},
        _bodies(table, kinds.functions),
        guesses,
        tuple(re.compile(each.encode(), re.MULTILINE) for each in table.get("annotations", ())),
        table.get("declares_before_use", False),
        table.get("runs_statements", False),
        table.get("checks_results", False),
        table.get("innermost_last", False),
        table.get("may_be_unset", False),
        NO_KINDS if known or functions else naming,
        bool(known or naming),
        bool(known & found.assigned or (kinds.references and known & found.names)),
        {a.encode(): b.encode() for a, b in table.get("header_names", {}).items()},
        _unused(table["unused"]) if "unused" in table else None,
        tuple(each.encode() for each in table.get("untyped_value", ())),
        _entry(table["entry"]) if "entry" in table else None,
        _loose_methods(table["loose_methods"]) if "loose_methods" in table else None,
        tuple(
            (
                re.compile(detour.encode(), re.DOTALL),
                plain.encode(),
                {word.encode(): new.encode() for word, new in other},
            )
            for detour, plain, *other in table.get("detours", ())
        ),
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
        found[name] = tuple(text.encode() for text in table.get(name, ()))
    for name in _ENTRY_PATTERNS:
        found[name] = re.compile(table.get(name, "(?!)").encode())
    for name in ("zeros", "typed_values", "bounded_values"):
        found[name] = tuple(
            (re.compile(each.encode()), tuple(value.encode() for value in values))
            for each, *values in table.get(name, ())
        )
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
    """Return the offsets of each word of a document's text, in order, but for headings; found once."""
    return document.once(_word_places)


def _word_places(document: Document) -> Mapping[bytes, Sequence[int]]:
    known = conventions(document.language)
    headings = known.kinds.headings
    apart = {
        found.start()
        for child in (document.root.children if headings else ())
        if child.type in headings
        for found in known.word.finditer(document.text, *child.byte_range)
    }
    places: dict[bytes, list[int]] = {}
    for found in known.word.finditer(document.text):
        if found.start() not in apart:
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
