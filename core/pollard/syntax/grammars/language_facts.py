"""The names, relatives and file types of all languages, and a guess which one a file is in.

The facts are data, in `languages.toml`; a new language needs a new entry there and no code. The file
is read on first use, so that a command which needs no language does not pay for it. Where several
languages share an extension, `guesses` looks at the beginning of the text.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


#: The ids that editors send for text that no grammar describes.
PLAIN = frozenset({"plaintext", "text", "txt", "binary", "none"})


@dataclass(frozen=True, slots=True)
class _LanguageEntry:
    """One entry of `languages.toml`, each value as a tuple of words."""

    grammar: tuple[str, ...] = ()
    relative: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    full_parses: tuple[str, ...] = ()
    line_ends: tuple[str, ...] = ()


_NO_ENTRY = _LanguageEntry()


def canonical(language_id: str) -> str:
    """Return the canonical id for any name of a language; an unknown name in lower case.

    Case, blanks, hyphens and underscores do not matter.
    """
    name = language_id.strip().lower()
    return _canonical_ids().get(_key(name), name)


def grammar_name(canonical_id: str) -> str:
    """Return what tree-sitter's packages call the language: "bash" for "shellscript"."""
    return next(iter(_facts(canonical_id).grammar), canonical_id)


def readers(canonical_id: str) -> tuple[str, ...]:
    """Return the languages whose grammars parse a language, the best first: itself, its relative."""
    return (canonical_id, *_facts(canonical_id).relative)


def aliases(canonical_id: str) -> tuple[str, ...]:
    """Return the other names of a language, the grammar's own first."""
    return _facts(canonical_id).grammar + _facts(canonical_id).aliases


def extensions_of(canonical_id: str) -> tuple[str, ...]:
    """Return the extensions of a language's files without the dot, the usual one first."""
    return _facts(canonical_id).extensions


def needs_full_parses(canonical_id: str) -> bool:
    """Return whether the grammar's incremental parses cannot be relied on."""
    return bool(_facts(canonical_id).full_parses)


def needs_line_end(canonical_id: str) -> bool:
    """Return whether the grammar's parser may not return from a comment that ends the text."""
    return bool(_facts(canonical_id).line_ends)


@cache
def relatives() -> Mapping[str, str]:
    """Return the language that stands in for each language whose own grammar may be missing."""
    return {name: facts.relative[0] for name, facts in _table().items() if facts.relative}


@cache
def extensions() -> Mapping[str, str]:
    """Return the canonical id for each extension (without the dot)."""
    return {word: name for name, facts in _table().items() for word in facts.extensions}


@cache
def file_names() -> Mapping[str, str]:
    """Return the canonical id for each file name that belongs to one language."""
    return {word: name for name, facts in _table().items() for word in facts.files}


@cache
def interpreters() -> Mapping[str, str]:
    """Return the canonical id for each interpreter that a `#!` line may name."""
    return {word: name for name, facts in _table().items() for word in facts.interpreters}


@cache
def _canonical_ids() -> Mapping[str, str]:
    names = ((name, other) for name in _table() for other in (name, *aliases(name)))
    return {_key(other): name for name, other in names}


def _key(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "")


def _facts(canonical_id: str) -> _LanguageEntry:
    return _table().get(canonical_id, _NO_ENTRY)


@cache
def _table() -> Mapping[str, _LanguageEntry]:
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    keys = [field.name for field in fields(_LanguageEntry)]
    return {
        name: _LanguageEntry(*(tuple(entry.get(key, "").split()) for key in keys))
        for name, entry in tomllib.loads(text).items()
    }


#: How many bytes of a text suffice to guess its language, even if a licence comes first.
HEAD_BYTES = 16_384

# Endings of copies and of templates, without which the name tells the language.
_COPIES = (".in", ".orig", ".bak", ".reduced", ".old")
_TEMPLATES = (".j2", ".jinja", ".jinja2", ".template", ".tmpl")

# "Dockerfile.dev", "Makefile.am", "requirements-dev.txt".
_NAME_PATTERNS = (
    (re.compile(r"(?:Docker|Container)file[.-].+"), "dockerfile"),
    (re.compile(r"(?:GNU)?[Mm]akefile[.-].+"), "makefile"),
    (re.compile(r"Kconfig[.-].+"), "kconfig"),
    (re.compile(r"Jenkinsfile[.-].+"), "groovy"),
    (
        re.compile(r"(?:.*[-_.])?(?:requirements|constraints)(?:[-_.].*)?\.(?:txt|in)"),
        "requirements",
    ),
    (re.compile(r"tsconfig(?:\..+)?\.json"), "json"),
)

_CPP_ONLY = (
    rb"^\s*(?:class|namespace|template\s*<|using\s|public:|private:|protected:|constexpr)"
    rb"|\bstd::|^\s*#\s*include\s*<(?:string|vector|memory|cstd\w+|iostream|utility)>"
)

# A directive of Prolog, a rule with its head, or the end of a head of several lines.
_CLAUSE = rb"^:-|^[a-z]\w*(?:\(.*\))?\s*:-|\)\s*:-[ \t]*(?:%.*)?$"

# Columns with another separator than a comma: the first line has it and no comma, or each of the first
# two lines has several. No grammar knows semicolons, but that for `|` keeps `1,5` in one piece.
_COLUMNS = r"\A[^,\n]*{0}[^,\n]*$|\A(?:[^\n{0}]*{0}[^\n{0}]*{0}[^\n]*\n){{2}}"
_DELIMITERS = (("\t", "tsv"), (r"\|", "psv"), (";", "psv"))

# Extensions that several languages share. A language whose pattern is found in the text is guessed
# before the language that `languages.toml` gives.
_SHARED_EXTENSIONS: dict[str, tuple[tuple[re.Pattern[bytes], str], ...]] = {
    extension: tuple((re.compile(pattern, re.MULTILINE), language) for pattern, language in rules)
    for extension, rules in {
        "h": (
            (rb"^\s*(?:@interface|@protocol|@class|#import)\b", "objective-c"),
            (_CPP_ONLY, "cpp"),
        ),
        "m": ((rb"^\s*(?:@interface|@implementation|@import|#import|#include|//)", "objective-c"),),
        "cls": ((rb"^\s*\\(?:Provides|NeedsTeXFormat|documentclass|LoadClass)", "latex"),),
        "cl": ((rb"^\s*(?:__)?kernel\s|\b__(?:global|local|constant)\b|^\s*#\s*[a-z]", "opencl"),),
        "ts": ((rb"\A\s*<(?:\?xml|!DOCTYPE TS)", "xml"),),
        "v": ((rb"^\s*(?:pub\s+)?fn\s+\w+|^\s*module\s+main\s*$", "v"),),
        "pp": ((rb"(?i)^\s*(?:program|unit|uses|interface)\s+\w+.*;", "pascal"),),
        "ll": ((rb"^%%", "lex"),),
        **dict.fromkeys(("pl", "pro"), ((_CLAUSE, "prolog"),)),
        "csv": tuple((_COLUMNS.format(sign).encode(), name) for sign, name in _DELIMITERS),
        "php": ((rb"\A(?:#!.*\n)?\s*<\?hh", "hack"),),
        "t": ((rb"\A#!.*\bpython", "python"),),
    }.items()
}

_SHEBANG = re.compile(rb"\A(?:\xef\xbb\xbf)?#![ \t]*(\S+)((?:[ \t]+\S+)*)")
_ASSIGNMENT_OR_OPTION = re.compile(r"-|\w+=")
_INTERPRETER_VERSION = re.compile(r"(?:\.exe)?[-.\d]*$")

# The last resort: how every file in the language begins.
_OPENINGS = (
    (re.compile(rb"\A(?:\xef\xbb\xbf)?<\?hh\b"), "hack"),
    (re.compile(rb"\A(?:\xef\xbb\xbf)?<\?php\b"), "php"),
    (re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<\?xml\s"), "xml"),
    (re.compile(rb"(?i)\A(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)\b"), "html"),
    (re.compile(rb"\A-----BEGIN [A-Z ]+-----"), "pem"),
)


def guesses(path: str | PurePath, head: bytes = b"") -> Iterator[str]:
    """Yield the canonical ids of the languages that a file may be in, likeliest first.

    `path` need not exist. `head` is the beginning of the text, of which `HEAD_BYTES` are enough.
    """
    yield from _by_name(PurePath(path).name, head)
    interpreter = _interpreter(head) or ""
    if interpreter in interpreters():
        yield interpreters()[interpreter]
    for pattern, language in _OPENINGS:
        if pattern.match(head):
            yield language


def _by_name(name: str, head: bytes) -> Iterator[str]:
    if name in file_names():
        yield file_names()[name]
    for pattern, language in _NAME_PATTERNS:
        if pattern.fullmatch(name):
            yield language
    for extension in _endings(name):
        yield from _by_extension(extension, head)
    for ending in (*_COPIES, *_TEMPLATES):
        if name.endswith(ending) and len(name) > len(ending):
            yield from _by_name(name.removesuffix(ending), head)


def _endings(name: str) -> Iterator[str]:
    """Yield all extensions of a name, longest first: for "page.html.erb" "html.erb", then "erb"."""
    parts = name.split(".")[1:]
    return (".".join(parts[start:]) for start in range(len(parts)))


def _by_extension(extension: str, head: bytes) -> Iterator[str]:
    for spelling in dict.fromkeys((extension, extension.lower())):
        for pattern, language in _SHARED_EXTENSIONS.get(spelling, ()):
            if pattern.search(head):
                yield language
        if spelling in extensions():
            yield extensions()[spelling]


def _interpreter(head: bytes) -> str | None:
    """Return the program in the `#!` line, without its folder and version; None without such a line."""
    match = _SHEBANG.match(head)
    if match is None:
        return None
    program, *words = match.group(0).decode("utf-8", "replace").split("#!", 1)[1].split()
    if program.rsplit("/", 1)[-1] == "env":
        names = [word for word in words if not _ASSIGNMENT_OR_OPTION.match(word)]
        if not names:
            return None
        program = names[0]
    return _INTERPRETER_VERSION.sub("", program.rsplit("/", 1)[-1])
