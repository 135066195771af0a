"""The journal of one text: every accepted text, so that earlier ones stay available."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pollard import other_failures
from pollard.journal.recording import DAMAGED, JournalError, Recording, unwritable
from pollard.syntax.tree.edits import splice
from pollard.system import make_directory, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pollard.plan import Plan

Change = tuple[int, int, bytes]
"""One replacement: `start` and `end` (exclusive) in the previous text, and the new bytes."""

#: The file with the journal's header; it exists once the journal has begun.
HEADER_FILE = "terms"


H = TypeVar("H", bound="JournalHeader")


@dataclass(frozen=True, slots=True)
class JournalHeader:
    """The conditions of a reduction, which must be equal for a resumed one to repeat the search.

    `preprocessing` names the steps that are switched off. `renaming` matters for the default
    strategy only; for others it is always true. `formatter` is the command that formats the result.
    `same_failure` is the value of `SameFailure`.
    """

    file: str
    oracle: str
    strategy: str
    region: tuple[int, int]
    guard: bool
    preprocessing: tuple[str, ...] = ()
    learn_invalid: bool = False
    renaming: bool = True
    formatter: tuple[str, ...] | str | None = None
    same_failure: str = "kind"

    @classmethod
    def of(cls, plan: Plan, oracle: str, strategy: str) -> JournalHeader:
        """Return the header for a plan, with the fingerprint of its oracle and the strategy's name."""
        from pollard.passes.strategy import DEFAULT  # noqa: PLC0415 (the server reads without passes)

        return JournalHeader(
            file=plan.filename,
            oracle=oracle,
            strategy=strategy,
            region=plan.region or (0, len(plan.text)),
            guard=plan.guard,
            preprocessing=plan.preprocessing.switched_off,
            learn_invalid=plan.learn_invalid,
            renaming=plan.renaming or strategy != DEFAULT,
            formatter=plan.oracle.formatter or None,
            same_failure=plan.oracle.same_failure.value,
        )

    def differences(self, other: JournalHeader) -> list[str]:
        """Return the names of the fields that differ in *other*."""
        own_fields, other_fields = asdict(self), asdict(other)
        return [name for name in own_fields if own_fields[name] != other_fields[name]]


def write_header(directory: Path, header: JournalHeader) -> None:
    """Write the header, the last file of a new journal. Raises OSError."""
    write_atomically(directory / HEADER_FILE, json.dumps(asdict(header)).encode())


def read_header(directory: Path, kind: type[H]) -> H:
    """Return the header of a journal. Raises JournalError if there is no journal of that kind."""
    try:
        fields: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in json.loads((directory / HEADER_FILE).read_bytes()).items()
        }
        return kind(**fields)
    except (OSError, *DAMAGED) as error:
        raise nothing_to_resume() from error


def nothing_to_resume(what: str = "this file") -> JournalError:
    """Return the error to raise when there is no journal."""
    return JournalError(f"There is no interrupted reduction of {what} to resume.")


def require_same(recorded: JournalHeader, header: JournalHeader) -> None:
    """Raise JournalError unless a reduction has the conditions of the interrupted one."""
    changed = recorded.differences(header)
    if changed:
        message = (
            f"The interrupted reduction had another {' and another '.join(changed)}; "
            "use the same again or begin anew instead of resuming."
        )
        raise JournalError(message)


class Journal(Recording[bytes]):
    """The accepted texts of one reduction: the files `original`, `terms` (header) and `reductions`."""

    def __init__(self, directory: Path, header: JournalHeader, original: bytes) -> None:
        super().__init__(directory, original)
        self.header = header

    @classmethod
    def begin(cls, directory: Path, header: JournalHeader, original: bytes) -> Journal:
        """Start a journal and discard an older one. Raises JournalError if it cannot be written."""
        journal = cls(directory, header, original)
        try:
            make_directory(directory)
            other_failures.discard(directory)
            journal.clear()
            write_atomically(directory / "original", original)
            write_header(directory, header)
        except OSError as error:
            raise unwritable(directory, error) from error
        return journal

    @classmethod
    def load(cls, directory: Path) -> Journal:
        """Read the journal in `directory`. Raises JournalError if there is none."""
        header = read_header(directory, JournalHeader)
        try:
            journal = cls(directory, header, (directory / "original").read_bytes())
            journal.reread()
        except OSError as error:
            raise nothing_to_resume() from error
        return journal

    def texts(self) -> Iterator[bytes]:
        """Yield the accepted texts in order, without the original."""
        return self.states()

    def changes(self) -> Iterator[tuple[bytes, Change]]:
        """Yield the accepted texts in order, each with the replacement that led to it."""
        for line, text in self._valid_lines():
            yield text, decoded(json.loads(line))

    def text(self, number: int) -> bytes:
        """Return an accepted text by its number, from 1; 0 is the original."""
        return self.state(number)

    def difference(self, before: bytes, after: bytes) -> dict[str, object]:
        """Return the replacement that turns one text into the next, for a line of JSON."""
        return encoded(splice(before, after))

    def changed(self, before: bytes, difference: Any) -> bytes:
        """Return the text after a change; see `Recording.changed`."""
        start, end, new = decoded(difference)
        return before[:start] + new + before[end:]


def encoded(change: Change) -> dict[str, object]:
    """Return a replacement as a JSON value."""
    start, end, new = change
    return {"start": start, "end": end, "new": new.decode("latin-1")}


def decoded(value: Any) -> Change:
    """Return the replacement that `encoded` wrote; see `Recording.changed` for what it raises."""
    return int(value["start"]), int(value["end"]), value["new"].encode("latin-1")
