"""How real editors treat a server's edits: measured with VS Code 1.139, Neovim 0.11, eglot 1.9."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Literal


class Treatment(enum.Enum):
    """How an editor treats an edit: DROP answers that it was applied, FAIL with an error."""

    APPLY = enum.auto()
    REFUSE = enum.auto()
    DROP = enum.auto()
    FAIL = enum.auto()


@dataclass(frozen=True)
class Temperament:
    """The behaviour of an editor.

    `delay` is how many seconds after a change it is published, `order` whether before or after the
    answer to the server's edit. `stale` is what happens to an edit for a version that the buffer no
    longer has. With `one_line_end` all lines of a buffer end in the same way. With `neovim` edits
    are applied step by step, also against future versions.
    """

    name: str
    first_version: int
    step: int
    stale: Treatment
    order: Literal["either", "answer first"]
    delay: float = 0.0
    one_line_end: bool = False
    neovim: bool = False


VSCODE = Temperament("vscode", 1, 1, Treatment.REFUSE, "either", one_line_end=True)
NEOVIM = Temperament("neovim", 0, 5, Treatment.DROP, "either", delay=0.05, neovim=True)
EMACS = Temperament("emacs", 0, 1, Treatment.FAIL, "answer first", delay=0.01)
TEMPERAMENTS = (VSCODE, NEOVIM, EMACS)
