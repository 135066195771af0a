"""What a reduction accepted, on disk: it survives a killed process, and can be resumed.

A journal has a header, which says under which conditions the search ran, and a line for each accepted
text or tree: its difference from the one before. A resumed reduction repeats the search, which is
deterministic and finds its verdicts in the cache, until it has accepted all that was recorded.

Modules, in reading order:

    recording   the lines on disk, and the repetition of a recorded search; the directories of journals
    journal     the journal of one text, and the header
    history     the accepted texts of a reduction, and the best of them

`pollard.project.project_journal` is the journal of several files.
"""

from pollard.journal.history import History
from pollard.journal.journal import HEADER_FILE, Change, Journal, JournalHeader
from pollard.journal.recording import (
    JournalError,
    Recording,
    Repetition,
    StepCost,
    claimed,
    journal_directory,
    state_directory,
)

__all__ = [
    "HEADER_FILE",
    "Change",
    "History",
    "Journal",
    "JournalError",
    "JournalHeader",
    "Recording",
    "Repetition",
    "StepCost",
    "claimed",
    "journal_directory",
    "state_directory",
]
