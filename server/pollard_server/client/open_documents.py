"""The open documents: each one's name, language, text and records."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pollard.errors import PollardError
from pollard.syntax.grammars import languages
from pollard.syntax.grammars.language_facts import extensions_of
from pollard_server.configuration.reading import path_of
from pollard_server.records import Records

if TYPE_CHECKING:
    from pollard.syntax.grammars.languages import Grammar
    from pollard_server.streaming import Streamer
    from pollard_server.streaming.stream import Snapshot


class TextError(PollardError):
    """A buffer's text cannot be written to a file, or a file's text cannot be put into a buffer."""


@dataclass(eq=False)
class OpenDocument:
    """An open document; `streamer` has its text and sends the edits of reductions."""

    uri: str
    language_id: str
    streamer: Streamer

    @cached_property
    def records(self) -> Records:
        """The document's reductions on disk, from this session and earlier ones."""
        return Records(self.uri, self.name)

    @property
    def snapshot(self) -> Snapshot:
        """The text and its version, as the editor last sent them."""
        return self.streamer.snapshot

    @property
    def path(self) -> Path | None:
        """The file's path; None without a file, as for `untitled:Untitled-1`."""
        return path_of(self.uri)

    @property
    def folder(self) -> Path:
        """The file's folder; without a file, the current folder."""
        return self.path.parent if self.path else Path.cwd()

    @property
    def name(self) -> str:
        """The file name of candidates: the file's own, or one with the language's suffix."""
        name = PurePosixPath(unquote(urlsplit(self.uri).path)).name
        name = self.path.name if self.path else "".join(c for c in name if c not in '\\/:*?"<>|')
        if "." in name or self.path is not None:
            return name or "untitled"
        language = languages.canonical(self.language_id)
        extension = next(iter(extensions_of(language)), "")
        return f"{name or 'untitled'}{'.' if extension else ''}{extension}"

    @property
    def grammar(self) -> Grammar | None:
        """The grammar that the command line would find, or else that of the editor's language id."""
        head = self.snapshot.text[: languages.HEAD_BYTES].encode("utf-8", "replace")
        try:
            return languages.find(languages.detect(self.name, head) or self.language_id)
        except (languages.UnknownLanguageError, languages.GrammarError):
            return None

    @property
    def language(self) -> str | None:
        """The canonical id of the document's language; None if no grammar knows it."""
        return grammar.name if (grammar := self.grammar) else None


def encoded(text: str) -> bytes:
    """Return a buffer's text as UTF-8. Raises `TextError` if that is impossible."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        message = (
            f"Line {line} has half of a surrogate pair, which no file can hold; delete that "
            "character and try again."
        )
        raise TextError(message) from error


def decoded(text: bytes) -> str:
    """Return a text of the engine for a buffer. Raises `TextError` if it is not UTF-8."""
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        message = "This version of the file is not valid UTF-8, so it cannot be put into a buffer."
        raise TextError(message) from error
