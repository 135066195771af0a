"""One of the processes that repeat the search, as the coordinator sees it."""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import psutil

from pollard.speculation.messages import (
    Accepted,
    Arrived,
    Asked,
    Follow,
    Offered,
    PassBegan,
    PassDone,
)

if TYPE_CHECKING:
    from queue import SimpleQueue

    from pollard.speculation.copies import SearchCopy
    from pollard.speculation.messages import FromCoordinator, FromReplay, Given

_NICENESS = 10

# The new process gets this one's path, since it may have been changed since its start.
_CODE = """\
import sys
sys.path[:] = {path!r}
from pollard.speculation.replayed_process import serve
serve()
"""


def _started(arguments: list[str]) -> subprocess.Popen[bytes]:
    """Start a process that the keys of the terminal do not reach. Raises OSError."""
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_PROCESS_GROUP
    return subprocess.Popen(
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        creationflags=flags,
    )


class Replayer:
    """One process that repeats the search.

    - `place`: the copy where it is, once it has handled all that was sent
    - `given`, `texts`: how much it then knows: answers, and texts of the question at which it waits
    - `busy`: whether it has to report something
    - `reports`: how many reports it made since the last answer, of which the first `known_reports`
      repeat those of a process that died
    """

    def __init__(self, received: SimpleQueue[Parcel | None], place: SearchCopy) -> None:
        """Put what it says into `received`, with None at its end. Raises OSError if it cannot start."""
        self.place = place
        self.given = self.texts = 0
        self.busy = False
        self.reports = self.known_reports = 0
        self._sent = self._handled = self._valid_from = 0
        self._process = _started([sys.executable or "", "-c", _CODE.format(path=sys.path)])
        self._reader = threading.Thread(target=self._read, args=(received,), daemon=True)
        self._reader.start()

    def yield_to_others(self) -> None:
        """Let it compute only while others leave a core free."""
        niceness = _NICENESS
        if sys.platform == "win32":
            niceness = psutil.BELOW_NORMAL_PRIORITY_CLASS
        with contextlib.suppress(psutil.Error):  # it has ended
            psutil.Process(self._process.pid).nice(niceness)

    @property
    def behind(self) -> int:
        """How many messages it has not reacted to yet, as far as is known."""
        return self._sent - self._handled

    def _read(self, received: SimpleQueue[Parcel | None]) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                handled, message = pickle.load(self._process.stdout)
                received.put((self, handled, message))
        received.put((self, 0, None))

    def send(self, message: FromCoordinator) -> None:
        """Send a message; that a process died shows by what it says last."""
        assert self._process.stdin is not None
        self._sent += 1
        with contextlib.suppress(OSError):
            pickle.dump(message, self._process.stdin)
            self._process.stdin.flush()

    def follow(self, given: list[Given], texts: int | None, *, afresh: bool = False) -> None:
        """Let it go on as `Follow` says; nothing that it said before counts any more."""
        self.send(Follow(tuple(given), texts, afresh))
        self.given = len(given) + (0 if afresh else self.given)
        self.texts, self.busy = texts or 0, texts is None
        self.reports = self.known_reports = 0
        self._valid_from = self._sent

    def takes(self, handled: int, message: FromReplay) -> bool:
        """Note what it says; return whether that is new."""
        self._handled = handled
        if handled < self._valid_from or isinstance(message, Arrived):
            return False
        if isinstance(message, PassBegan | PassDone | Accepted):
            self.reports += 1
            return self.reports > self.known_reports
        self.busy = False
        if isinstance(message, Asked):
            self.texts = len(message.offered.texts)
        elif isinstance(message, Offered):
            self.texts += len(message.texts)
        return True

    def kill(self) -> None:
        """End it, whatever it does."""
        self._process.kill()

    def close(self) -> None:
        """Wait until it has ended."""
        self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what was not sent
                pipe.close()


Parcel = tuple[Replayer, int, "FromReplay | None"]
