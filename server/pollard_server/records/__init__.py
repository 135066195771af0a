"""The reductions of each document, kept on disk so that no text is ever lost.

A *record* is a directory for one reduction, named by a number: the original text (`original`), what
is known about the reduction (`record.json`), the list of its accepted texts (`steps`), and the
engine's journal, from which the texts themselves are restored. The records of one document share a
directory in the user's state directory. Several servers may share it: a record appears and
disappears as a whole, and a record whose process is gone counts as interrupted.

In reading order:

- `records`: the way in. It starts a document's records and finds them again.
- `record`: one of them.
- `facts`: `record.json`.
- `accepted_texts`: the list of steps, and the texts in the journal.
- `directories`: adds, removes and prunes the directories.
- `folder_record`: the latest reduction of a folder, in the engine's journal.

`client`, `jobs`, `protocol` and the top level import this package; it imports only `pollard`.
"""

from pollard_server.records.accepted_texts import RecordedStep
from pollard_server.records.directories import RecordError
from pollard_server.records.facts import RecordedOther, Status
from pollard_server.records.folder_record import FolderRecord
from pollard_server.records.record import Record
from pollard_server.records.records import HistoryOffers, Records

__all__ = [
    "FolderRecord",
    "HistoryOffers",
    "Record",
    "RecordError",
    "RecordedOther",
    "RecordedStep",
    "Records",
    "Status",
]
