"""A simulated editor: its buffer, its undo, and how each real one treats a server's edits.

The temperaments were measured with VS Code, Neovim and Emacs. The editor does nothing by itself: a
test decides when it takes a request from its inbox, when it publishes, and when a message that it
sent arrives (in the order of sending, as over any pipe).
"""

from __future__ import annotations

import enum
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass, field

from lsprotocol import types as lsp

from pollard_server.streaming.stream import Snapshot
from tests.server.text import neovim
from tests.server.text.applier import apply_edits


class Refusal(enum.Enum):
    """How the editor treats an edit for an outdated version."""

    SAY_NO = "answers applied: false"
    PRETEND = "answers applied: true and drops the edit"
    FAIL = "answers with an error"


@dataclass(frozen=True)
class Temperament:
    """How an editor counts versions, refuses edits, keeps line ends and groups undo."""

    name: str
    refusal: Refusal
    encoding: lsp.PositionEncodingKind = lsp.PositionEncodingKind.Utf16
    first_version: int | None = 1
    stride: int = 1  # between versions
    line_end: str | None = None  # all lines get this one
    groups_edits: bool = False  # edits of the server with nothing in between are one undo step
    may_publish_first: bool = False  # a didChange may go out before the edit's answer
    never_refused: tuple[int | None, ...] = (None,)
    refuses_newer: bool = True  # versions that the buffer has yet to reach
    in_steps: bool = False  # an edit may be seen half made


VS_CODE = Temperament("vscode", Refusal.SAY_NO, line_end="\n", may_publish_first=True)
VS_CODE_CRLF = Temperament("vscode-crlf", Refusal.SAY_NO, line_end="\r\n", may_publish_first=True)
NEOVIM = Temperament(
    "neovim",
    Refusal.PRETEND,
    encoding=lsp.PositionEncodingKind.Utf8,
    first_version=0,
    stride=3,
    may_publish_first=True,
    never_refused=(None, 0),
    refuses_newer=False,
    in_steps=True,
)
EMACS = Temperament(
    "emacs",
    Refusal.FAIL,
    encoding=lsp.PositionEncodingKind.Utf32,
    first_version=0,
    groups_edits=True,
)


@dataclass(frozen=True)
class Step:
    """What one undo restores, and whether it undoes the server's work."""

    text: str
    keys: frozenset[str]
    of_server: bool


@dataclass
class Request:
    """A `workspace/applyEdit` on its way to the editor, and the future of its answer."""

    params: lsp.ApplyWorkspaceEditParams
    answer: Future[lsp.ApplyWorkspaceEditResult] = field(default_factory=Future)


class Editor:
    """One document in one editor.

    `keys` are the characters that the user typed and has not undone. Each is typed only once, so
    that every one of them must be in `text` at all times. `states` are the texts that the server's
    edits made of the buffer.
    """

    def __init__(self, text: str, temperament: Temperament) -> None:
        self.temperament = temperament
        self.text = self._with_line_ends(text)
        self.version = temperament.first_version
        self.keys: frozenset[str] = frozenset()
        self.states: list[str] = []
        self.inbox: deque[Request] = deque()
        self._outbox: deque[Snapshot | tuple[Request, bool]] = deque()
        self._undo: list[Step] = []
        self._is_published = True

    @property
    def has_sent(self) -> bool:
        """Whether a message is on its way to the server."""
        return bool(self._outbox)

    @property
    def is_quiet(self) -> bool:
        """Whether no message is in flight between editor and server."""
        return self._is_published and not self.inbox and not self._outbox

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot(self.version, self.text)

    def type(self, key: str, offset: int) -> None:
        """Type a character that was never typed before."""
        if self.text.startswith("\r\n", offset - 1):
            offset -= 1  # no cursor stands there
        self._undo.append(Step(self.text, self.keys, of_server=False))
        self.keys |= {key}
        self._set(self.text[:offset] + key + self.text[offset:])

    def undo(self) -> Step | None:
        """Undo the last step, the user's or the server's, and return it."""
        if not self._undo:
            return None
        step = self._undo.pop()
        self.keys = step.keys
        self._set(step.text)
        return step

    def touch(self) -> None:
        """Increase the version without a change."""
        self._set(self.text)

    def take_request(self, publish_first: bool = False) -> bool:
        """Handle and answer the oldest request in the inbox; return whether the buffer changed."""
        request = self.inbox.popleft()
        [change] = request.params.edit.document_changes or ()
        assert isinstance(change, lsp.TextDocumentEdit)
        applies = self._accepts(change.text_document.version)
        if applies:
            self._apply([edit for edit in change.edits if isinstance(edit, lsp.TextEdit)])
            if publish_first and self.temperament.may_publish_first:
                self.publish()
        self._outbox.append((request, applies))
        return applies

    def publish(self) -> None:
        """Send a didChange if anything has changed since the last one."""
        if not self._is_published:
            self._is_published = True
            self._outbox.append(self.snapshot)

    def deliver(self) -> Snapshot | None:
        """Let the oldest message arrive: an answer is given, a didChange is returned."""
        if not self._outbox:
            return None
        message = self._outbox.popleft()
        if isinstance(message, Snapshot):
            return message
        self._answer(*message)
        return None

    def _accepts(self, version: int | None) -> bool:
        if version is None or version in self.temperament.never_refused:
            return version in self.temperament.never_refused
        current = self.version or 0
        return version == current or (version > current and not self.temperament.refuses_newer)

    def _apply(self, edits: list[lsp.TextEdit]) -> None:
        if not (self.temperament.groups_edits and self._undo and self._undo[-1].of_server):
            self._undo.append(Step(self.text, self.keys, of_server=True))
        *halves, text = self._steps(edits)
        for half in halves:
            self._set(half)
            self.publish()
        self._set(text)
        self.states.append(self.text)

    def _steps(self, edits: list[lsp.TextEdit]) -> list[str]:
        encoding = self.temperament.encoding
        if self.temperament.in_steps:
            return neovim.steps(self.text, edits, encoding)
        return [apply_edits(self.text, edits, encoding)]

    def _answer(self, request: Request, applied: bool) -> None:
        if applied or self.temperament.refusal is Refusal.PRETEND:
            request.answer.set_result(lsp.ApplyWorkspaceEditResult(applied=True))
        elif self.temperament.refusal is Refusal.SAY_NO:
            request.answer.set_result(lsp.ApplyWorkspaceEditResult(applied=False))
        else:
            request.answer.set_exception(RuntimeError("the version is out of date"))

    def _set(self, text: str) -> None:
        self.text = self._with_line_ends(text)
        self.version = (self.version or 0) + self.temperament.stride
        self._is_published = False

    def _with_line_ends(self, text: str) -> str:
        if self.temperament.line_end is None:
            return text
        plain = text.replace("\r\n", "\n").replace("\r", "\n")
        return plain.replace("\n", self.temperament.line_end)
