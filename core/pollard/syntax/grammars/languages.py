"""Which language a file is in, and the grammar for it; the door to everything about languages.

`find` takes any name of a language, `detect` a file's name and first bytes, `available` lists what
is installed, `queries` reads what a grammar's package says about injections, scopes and tags.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pollard.errors import PollardError
from pollard.syntax.grammars.detect import HEAD, guesses
from pollard.syntax.grammars.ids import PLAIN, RELATIVES, aliases, canonical, grammar_name, readers
from pollard.syntax.grammars.sources import SOURCES, Grammar, GrammarError, Source, folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import PurePath

    from tree_sitter import Language


__all__ = [
    "HEAD",
    "Grammar",
    "GrammarError",
    "UnknownLanguageError",
    "available",
    "canonical",
    "detect",
    "find",
    "grammar_of",
    "queries",
]

_FOUND: dict[Language, Grammar] = {}

# Wheels that carry several injection queries and none under the plain name.
_QUERY_FILES = {("embeddedtemplate", "injections"): "injections-erb.scm"}


class UnknownLanguageError(PollardError):
    """No installed grammar knows the language; the text names the nearest that one knows."""


def find(language_id: str, sources: Sequence[Source] = SOURCES) -> Grammar:
    """Return the grammar for any name of a language, from the first of `sources` where it loads.

    If none has it, that of its relative (`RELATIVES`), under the name of the language. Raises
    `UnknownLanguageError` if there is none of that either, `GrammarError` if what there is does not
    load.
    """
    name = canonical(language_id)
    problems = []
    for reader in readers(name):
        for grammar in filter(None, (source.get(reader) for source in sources)):
            problem = grammar.problem()
            if problem is None:
                _FOUND.setdefault(grammar.language, grammar)
                return replace(grammar, name=name)
            problems.append(problem)
    if problems:
        raise GrammarError("; ".join(problems))
    raise UnknownLanguageError(_unknown(language_id, sources))


def grammar_of(language: Language) -> Grammar | None:
    """Return the grammar that `find` returned for what is loaded as `language`; None for others."""
    return _FOUND.get(language)


def detect(
    path: str | PurePath, head: bytes = b"", sources: Sequence[Source] = SOURCES
) -> str | None:
    """Return the canonical id of the language of a file, or None if no installed grammar reads it.

    `head` is the first `HEAD` bytes or so of its text; it matters only where the name leaves a doubt.
    """
    for name in guesses(path, head):
        if any(source.get(reader) for source in sources for reader in readers(name)):
            return name
    return None


def available(sources: Sequence[Source] = SOURCES) -> list[Grammar]:
    """Return the installed grammars, one per language and the one that wins, sorted by name.

    Loads none of them: ask each for its `problem` to know whether it works.
    """
    found: dict[str, Grammar] = {}
    for source in sources:
        for name in source.names():
            grammar = None if name in found else source.get(name)
            if grammar is not None:
                found[name] = grammar
    return [found[name] for name in sorted(found)]


def queries(grammar: Grammar, kind: Literal["injections", "locals", "tags"]) -> str | None:
    """Return the text of the grammar's own query of that kind, or None where its package has none.

    Only single wheels carry queries. One written as an addition to another language's (TypeScript's
    `tags` to JavaScript's) comes without what it adds to.
    """
    place = folder(grammar.module) if grammar.source == "wheel" else None
    if place is None:
        return None
    file = _QUERY_FILES.get((grammar.name, kind), f"{kind}.scm")
    # A wheel with several grammars has a folder for each, or one file for them all. F#'s has the
    # first grammar's queries at the top and the second's in "signature".
    inner = grammar_name(grammar.name).removeprefix("fsharp_")
    for candidate in (place / "queries" / inner / file, place / "queries" / file):
        if candidate.is_file():
            return candidate.read_text(encoding="utf-8")
    return None


def _unknown(language_id: str, sources: Sequence[Source]) -> str:
    if language_id.strip().lower() in PLAIN:
        return "plain text has no grammar; leave the language out"
    names = [grammar.name for grammar in available(sources)]
    known = [
        name for identifier in (*names, *RELATIVES) for name in (identifier, *aliases(identifier))
    ]
    close = difflib.get_close_matches(language_id.strip().lower(), known, n=3, cutoff=0.6)
    by_language = {canonical(name): repr(name) for name in reversed(close)}
    nearest = " or ".join(reversed(by_language.values()))
    hint = f"did you mean {nearest}?" if nearest else "`pollard languages` lists those there are"
    return f"no installed grammar knows the language {language_id!r}; {hint}"
