"""The open documents: each one's name, language, text and records."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pollard.errors import PollardError
from pollard.syntax.encodings.encoding import UTF_8, Encoding
from pollard.syntax.grammars import languages
from pollard.syntax.grammars.language_facts import extensions_of
from pollard_server.records import Records
from pollard_server.text.file_encodings import (
    REPLACEMENT,
    encoding_in_editor,
    is_saved,
    loses_bytes,
)
from pollard_server.text.uris import path_of

if TYPE_CHECKING:
    from pollard.syntax.grammars.languages import Grammar
    from pollard_server.streaming import Streamer
    from pollard_server.streaming.stream import Snapshot


class TextError(PollardError):
    """A buffer's text cannot be written to a file, or a file's text cannot be put into a buffer."""


@dataclass(eq=False)
class OpenDocument:
    """An open document; `streamer` has its text and sends the edits of reductions.

    `encoding` is that of its file, which oracles read. `note` is what the user must know about it.
    """

    uri: str
    language_id: str
    streamer: Streamer
    encoding: Encoding = field(default=UTF_8, init=False)
    note: str | None = field(default=None, init=False)

    def compare_with_file(self) -> None:
        """Find the encoding of the file; call it when the buffer has the text of the file.

        The file was just read or written, so that this takes no time. Without one, or if the buffer
        has another text, the encoding stays.
        """
        path, text = self.path, self.snapshot.text
        try:
            file = path.read_bytes() if path is not None and path.is_file() else None
        except OSError:
            return
        if file is not None:
            self.encoding = encoding_in_editor(file, text, self.encoding) or self.encoding
            self.note = _LOSS.format(self.name) if loses_bytes(file, text) else None

    @cached_property
    def records(self) -> Records:
        """The document's reductions on disk, from this session and earlier ones."""
        return Records(self.uri, self.name)

    @property
    def snapshot(self) -> Snapshot:
        """The text and its version, as the editor last sent them."""
        return self.streamer.snapshot

    @property
    def settings_uri(self) -> str:
        """The URI of the file whose settings hold: its own."""
        return self.uri

    @property
    def obstacle(self) -> str | None:
        """Why the document cannot be reduced, whatever the oracle; None if it can."""
        return _NOTEBOOK if urlsplit(self.uri).scheme in _NOTEBOOK_SCHEMES else None

    @property
    def warning(self) -> str | None:
        """What the user must know before an oracle runs on the text; None if there is nothing."""
        return self.note if REPLACEMENT in self.snapshot.text else None

    @property
    def content(self) -> bytes:
        """The file's bytes for the present text, to compare with; other bytes if there are none."""
        text = self.snapshot.text.encode("utf-8", "surrogatepass")
        content = self.encoding.encoded(text)
        return text if content is None else content

    @property
    def path(self) -> Path | None:
        """The file's path; None without a file, as for `untitled:Untitled-1`."""
        return path_of(self.uri)

    @property
    def is_unsaved(self) -> bool:
        """Whether the text differs from that of its file, if there is one that can be read."""
        try:
            file = self.path.read_bytes() if self.path is not None else None
        except OSError:
            return False
        return file is not None and not is_saved(file, self.snapshot.text, self.encoding)

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


def encoded(text: str, encoding: Encoding) -> bytes:
    """Return the bytes of a file for a buffer's text. Raises `TextError` if there are none."""
    try:
        content = encoding.encoded(text.encode())
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        message = (
            f"Line {line} has half of a surrogate pair, which no file can hold; delete that "
            "character and try again."
        )
        raise TextError(message) from error
    if content is None:
        lines = enumerate(text.split("\n"), 1)
        line = next(n for n, each in lines if encoding.encoded(each.encode()) is None)
        message = (
            f"Line {line} has a character that the file's encoding {encoding.codec} lacks; delete it, "
            "or save the file in another encoding."
        )
        raise TextError(message)
    return content


def decoded(file: bytes, encoding: Encoding) -> str:
    """Return a file's text for a buffer. Raises `TextError` if it is not in the encoding."""
    try:
        return encoding.decoded(file).decode()
    except UnicodeError as error:
        message = (
            f"This version of the file is not valid {encoding.codec.upper()}, so it cannot be put into "
            "a buffer."
        )
        raise TextError(message) from error


# The schemes that editors give to the cells of notebooks.
_NOTEBOOK_SCHEMES = ("vscode-notebook-cell", "vscode-interactive-input", "notebook-cell")
_NOTEBOOK = (
    "A cell of a notebook cannot be reduced, since tools need the whole notebook; copy what you need "
    "from it into a file of its own."
)
_LOSS = (
    "The editor shows bytes of {} as U+FFFD, and so the oracle reads them: the file is not UTF-8. To "
    "keep them, reopen it in its encoding, or in Latin-1."
)
