"""Guess a file's language from its name, its `#!` line and, where names are ambiguous, its text."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from pollard.syntax.grammars.language_facts import extensions, file_names, interpreters

if TYPE_CHECKING:
    from collections.abc import Iterator


#: How many bytes of a text are enough to tell its language, even if a licence comes first.
HEAD = 16_384

# Endings that say nothing about the language: the name without them does.
_IGNORED_ENDINGS = (".in", ".orig", ".bak", ".reduced", ".template", ".tmpl", ".old")

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
        "pl": ((rb"^:- |^[a-z]\w*(?:\(.*\))?\s*:-", "prolog"),),
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

    `path` need not exist. `head` is the beginning of the text, of which `HEAD` bytes are enough.
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
    for ending in _IGNORED_ENDINGS:
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
