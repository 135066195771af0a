"""How many records of a document stay: the newest, and all that still run."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING

from pollard_server.records.facts import Facts
from pollard_server.records.shelf import discard, listed, tidy

if TYPE_CHECKING:
    from pathlib import Path

MOST_REDUCTIONS = 20
MOST_KEPT_TEXTS = 10


def prune(shelf: Path, uri: str) -> None:
    """Discard all but the newest reductions and kept texts of a document, never one that runs.

    Nor do those go that the newest one, or one that runs, went on from: with them the first original
    would go.
    """
    numbers: Counter[bool] = Counter()
    needed: set[str | None] = set()
    for directory in reversed(listed(shelf)):
        # A record that cannot be read now may be readable later, so it is left alone.
        with contextlib.suppress(OSError):
            facts = Facts.read(directory, uri)
            is_kept = facts.status == "kept"
            numbers[is_kept] += 1
            if numbers[False] == 1 or facts.current_status() == "running":
                needed.add(directory.name)
            if directory.name in needed:
                needed.add(facts.continues)
            elif numbers[is_kept] > (MOST_KEPT_TEXTS if is_kept else MOST_REDUCTIONS):
                discard(directory)
    tidy(shelf)
