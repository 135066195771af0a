"""A simulated editor that is connected to the real server, and behaves like the real editors.

It keeps buffers, applies the server's edits with its own code, types while they arrive, and
records everything that a user would have seen.
"""

from tests.server.editor.answers import (
    ALWAYS,
    KEEP_MINE,
    KEEP_REDUCING,
    NO,
    RESTORE,
    RUN_ONCE,
    UNANSWERED,
    Answers,
)
from tests.server.editor.buffer import Buffer
from tests.server.editor.capabilities import capabilities
from tests.server.editor.editor import Editor, Fault, ServerGone, WaitedTooLong
from tests.server.editor.temperaments import (
    EMACS,
    NEOVIM,
    TEMPERAMENTS,
    VSCODE,
    Temperament,
    Treatment,
)
from tests.server.editor.workspace import Workspace

__all__ = [
    "ALWAYS",
    "EMACS",
    "KEEP_MINE",
    "KEEP_REDUCING",
    "NEOVIM",
    "NO",
    "RESTORE",
    "RUN_ONCE",
    "TEMPERAMENTS",
    "UNANSWERED",
    "VSCODE",
    "Answers",
    "Buffer",
    "Editor",
    "Fault",
    "ServerGone",
    "Temperament",
    "Treatment",
    "WaitedTooLong",
    "Workspace",
    "capabilities",
]
