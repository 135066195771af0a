"""What can go wrong with records, as sentences for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import PollardError

if TYPE_CHECKING:
    from pathlib import Path


class RecordError(PollardError):
    """A record is not there, or cannot be read or written."""


def unwritable(directory: Path, error: OSError) -> RecordError:
    """Return what to say when the disk is full or refuses."""
    return RecordError(
        f"The record of the reduction in {directory} cannot be written: {error.strerror}. Make room "
        "there, or set the environment variable POLLARD_STATE_DIR to another place."
    )
