"""What is left to do when a reduction has ended: its record on disk, and a last look at the buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.errors import Cancelled
from pollard.files import write_atomically
from pollard.oracle import Runner, check
from pollard_server.documents import encoded

if TYPE_CHECKING:
    from pathlib import Path

    from pollard.events import Result
    from pollard_server.documents import Document
    from pollard_server.jobs.services import Services
    from pollard_server.jobs.worker import Worker
    from pollard_server.records import Record, Status
    from pollard_server.trust import Permit


def close(record: Record, name: str, result: Result | None, *, stopped: bool) -> Path:
    """Write down how a reduction ended, and its best text as a file; return that file.

    Without a result it was `stopped` or has failed. `name` is the document's. May raise RecordError
    and OSError.
    """
    if result is None:
        record.finish("stopped" if stopped else "failed")
    else:
        status: Status = "stopped" if result.cancelled else "finished"
        record.finish(status, best=result.text, counts=result.counts)
    file = record.directory / f"reduced-{name}"
    write_atomically(file, record.best)
    return file


def complaint(services: Services, worker: Worker, document: Document, permit: Permit) -> str:
    """Run the oracle on the buffer's own text; return what is wrong with it, if anything is.

    An editor may keep line ends in its own way, and then no run has seen that very text.
    """
    name = document.name
    try:
        seen = services.on_loop(lambda: document.snapshot.text)
        text = encoded(worker.wait_for(seen))
        with services.shares.share() as share, Runner(permit.oracle, name, share=share) as runner:
            checked = check(runner, name, text, runs=1, cancelled=worker.stopping)
    except Cancelled:  # stopped when all was done
        return ""
    return "" if checked.interesting else checked.describe()
