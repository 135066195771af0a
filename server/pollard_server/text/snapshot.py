"""What an editor published about a document, as one value that cannot be torn."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A document's whole text and the version that the editor gave it.

    Versions are the editor's own: they may begin with 0 and jump. None where it gave none.
    """

    version: int | None
    text: str
