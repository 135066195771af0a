"""The entry point for languages: detect a file's language and find the grammar that parses it.

`detect` takes a file's name and first bytes, `find` any name of a language. `available` lists the
installed grammars. `queries` reads the queries that come with a grammar's package.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pollard.errors import PollardError
from pollard.syntax.grammars.language_facts import (
    HEAD_BYTES,
    PLAIN,
    aliases,
    canonical,
    grammar_name,
    guesses,
    readers,
    relatives,
)
from pollard.syntax.grammars.sources import SOURCES, Grammar, GrammarError, Source, folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import PurePath

    from tree_sitter import Language


__all__ = [
    "HEAD_BYTES",
    "Grammar",
    "GrammarError",
    "UnknownLanguageError",
    "available",
    "canonical",
    "detect",
    "find",
    "find_installed",
    "grammar_for",
    "grammar_of",
    "is_plain",
    "queries",
]

_GRAMMAR_OF: dict[Language, Grammar] = {}

# Wheels whose injection query is not in `injections.scm`.
_QUERY_FILES = {("embeddedtemplate", "injections"): "injections-erb.scm"}


class UnknownLanguageError(PollardError):
    """No installed grammar parses the language; the message suggests similar names."""


def find(language_id: str, sources: Sequence[Source] = SOURCES) -> Grammar:
    """Return the grammar for any name of a language, from the first of `sources` where it loads.

    If no source has one, return the grammar of the language's relative, under the name of the language
    asked for. Raises `UnknownLanguageError` if neither is installed, `GrammarError` if an
    installed one does not load.
    """
    grammar = find_installed(language_id, sources)
    if grammar is None:
        raise UnknownLanguageError(_unknown(language_id, sources))
    return grammar


def find_installed(language_id: str, sources: Sequence[Source] = SOURCES) -> Grammar | None:
    """Return what `find` returns, but None where the language is unknown.

    Raises `GrammarError`. It does not look through all grammars for similar names.
    """
    name = canonical(language_id)
    problems = []
    for reader in readers(name):
        for grammar in filter(None, (source.get(reader) for source in sources)):
            problem = grammar.problem()
            if problem is None:
                _GRAMMAR_OF.setdefault(grammar.language, grammar)
                return replace(grammar, name=name, borrowed=reader != name)
            problems.append(problem)
    if problems:
        raise GrammarError("; ".join(problems))
    return None


def grammar_of(language: Language) -> Grammar | None:
    """Return the grammar that `find` loaded as `language`; None if `find` did not load it."""
    return _GRAMMAR_OF.get(language)


def detect(
    path: str | PurePath, head: bytes = b"", sources: Sequence[Source] = SOURCES
) -> str | None:
    """Return the canonical id of a file's language, or None if no installed grammar parses it.

    `head` is the beginning of the text; `HEAD_BYTES` are enough. It decides only where the
    name is ambiguous or unknown.
    """
    for name in guesses(path, head):
        if any(source.get(reader) for source in sources for reader in readers(name)):
            return name
    return None


def available(sources: Sequence[Source] = SOURCES) -> list[Grammar]:
    """Return one grammar for each language, sorted by name; earlier `sources` win.

    Loads none of them. A grammar's `problem` says whether it works.
    """
    found: dict[str, Grammar] = {}
    for source in sources:
        for name in source.names():
            grammar = None if name in found else source.get(name)
            if grammar is not None:
                found[name] = grammar
    return [found[name] for name in sorted(found)]


def grammar_for(filename: str, text: bytes, language: str | None = None) -> Grammar | None:
    """Return the grammar for a text; None if none knows it, or if `language` says that it is plain.

    `language` None is detected. Raises `UnknownLanguageError` for a language that is not there.
    """
    if is_plain(language):
        return None
    name = language or detect(filename, text[:HEAD_BYTES])
    return find(name) if name else None


def is_plain(language: str | None) -> bool:
    """Return whether the name stands for text in no language."""
    return language is not None and language.strip().lower() in PLAIN


def queries(grammar: Grammar, kind: Literal["injections", "locals", "tags"]) -> str | None:
    """Return the text of the query of that kind in the grammar's package, or None without one.

    Only wheels for one language carry queries. A query that extends another language's, such as
    TypeScript's `tags`, is returned without the query that it extends.
    """
    directory = folder(grammar.module) if grammar.source == "wheel" else None
    if directory is None:
        return None
    file = _QUERY_FILES.get((grammar.name, kind), f"{kind}.scm")
    # A wheel with several grammars has a folder for each, or one file for all. F#'s wheel has the
    # first grammar's queries at the top level and the second's in the folder "signature".
    inner = grammar_name(grammar.name).removeprefix("fsharp_")
    for candidate in (directory / "queries" / inner / file, directory / "queries" / file):
        if candidate.is_file():
            return candidate.read_text(encoding="utf-8")
    return None


def _unknown(language_id: str, sources: Sequence[Source]) -> str:
    if language_id.strip().lower() in PLAIN:
        return "plain text has no grammar; leave the language out"
    names = [grammar.name for grammar in available(sources)]
    known = [
        name for identifier in (*names, *relatives()) for name in (identifier, *aliases(identifier))
    ]
    close = difflib.get_close_matches(language_id.strip().lower(), known, n=3, cutoff=0.6)
    by_language = {canonical(name): repr(name) for name in reversed(close)}
    nearest = " or ".join(reversed(by_language.values()))
    hint = f"did you mean {nearest}?" if nearest else "`pollard languages` lists those there are"
    return f"no installed grammar knows the language {language_id!r}; {hint}"
