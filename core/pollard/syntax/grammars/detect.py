"""Guesses a file's language from its name, its first line and, where names collide, its text."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from pollard.syntax.grammars.file_types import EXTENSIONS, FILE_NAMES, INTERPRETERS

if TYPE_CHECKING:
    from collections.abc import Iterator


#: So many bytes of a text tell its language: a licence may come first.
HEAD = 16_384

# Endings that say something about the file, but nothing about its language.
_TRANSPARENT = (".in", ".orig", ".bak", ".reduced", ".template", ".tmpl", ".old")

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

# Extensions that languages share: those whose patterns are found come before what EXTENSIONS says.
_SHARED: dict[str, tuple[tuple[re.Pattern[bytes], str], ...]] = {
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

# The last resort: how a file of the language has to begin.
_OPENINGS = (
    (re.compile(rb"\A(?:\xef\xbb\xbf)?<\?hh\b"), "hack"),
    (re.compile(rb"\A(?:\xef\xbb\xbf)?<\?php\b"), "php"),
    (re.compile(rb"\A(?:\xef\xbb\xbf)?\s*<\?xml\s"), "xml"),
    (re.compile(rb"(?i)\A(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)\b"), "html"),
    (re.compile(rb"\A-----BEGIN [A-Z ]+-----"), "pem"),
)


def guesses(path: str | PurePath, head: bytes = b"") -> Iterator[str]:
    """Yield the canonical ids that a file's language may have, most likely first; may yield none.

    `path` need not exist; `head` is the beginning of the text (`HEAD` bytes will do).
    """
    yield from _by_name(PurePath(path).name, head)
    interpreter = _interpreter(head)
    if interpreter in INTERPRETERS:
        yield INTERPRETERS[interpreter]
    for pattern, language in _OPENINGS:
        if pattern.match(head):
            yield language


def _by_name(name: str, head: bytes) -> Iterator[str]:
    if name in FILE_NAMES:
        yield FILE_NAMES[name]
    for pattern, language in _NAME_PATTERNS:
        if pattern.fullmatch(name):
            yield language
    for extension in _extensions(name):
        yield from _by_extension(extension, head)
    for ending in _TRANSPARENT:
        if name.endswith(ending) and len(name) > len(ending):
            yield from _by_name(name.removesuffix(ending), head)


def _extensions(name: str) -> Iterator[str]:
    """Yield the extensions of "page.html.erb" longest first: "html.erb", "erb"."""
    parts = name.split(".")[1:]
    return (".".join(parts[start:]) for start in range(len(parts)))


def _by_extension(extension: str, head: bytes) -> Iterator[str]:
    for spelling in dict.fromkeys((extension, extension.lower())):
        for pattern, language in _SHARED.get(spelling, ()):
            if pattern.search(head):
                yield language
        if spelling in EXTENSIONS:
            yield EXTENSIONS[spelling]


def _interpreter(head: bytes) -> str | None:
    """Return the program that a `#!` line names, without folder and version, or None."""
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
