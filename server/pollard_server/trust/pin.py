"""The pin of an oracle: a hash of everything that a user's consent to it covers.

Covered are the command, standard input, the criteria, the formatter, the workspace root, `files` with
all they hold, and the files of the workspace that the command and the formatter name. Limits and
repetitions are not: they change how long something runs, never what.

Not covered is what only its owner can change or nobody can foresee: programs on PATH outside the
workspace, what the named files load in turn, and what somebody changes while the oracle runs.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import threading
from collections import OrderedDict
from dataclasses import astuple
from typing import TYPE_CHECKING

from pollard_server.trust.covered_files import named_files, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pollard.oracle import Oracle
    from pollard_server.trust.covered_files import Piece

_VERSION = "pollard consent 1"
_MOST_KNOWN = 64
# What may be looked at and read while an editor waits for its menu.
_MOST_PIECES = 50
_MOST_BYTES = 1 << 20
_MOST_COMMAND = 500


def pin(oracle: Oracle) -> str:
    """Return the hash, reading all files; what is missing or unreadable is hashed as such."""
    return _pinned(oracle, pieces(oracle))


def pieces(oracle: Oracle) -> Iterator[Piece]:
    """Yield all files and folders that the pin covers, in an order that is always the same."""
    workspace = oracle.workspace.absolute()
    for file in oracle.files:
        yield from walk(f"copied {file}", workspace / file)
    for path in named_files(oracle.command, workspace):
        yield from walk(f"named {path}", path)
    for path in named_files(oracle.formatter, workspace) if oracle.formatter else ():
        yield from walk(f"named by the formatter {path}", path)


class Pins:
    """The pins of oracles, remembered together with what their files looked like; thread-safe."""

    def __init__(self) -> None:
        self._known: OrderedDict[Oracle, tuple[list[Piece], str]] = OrderedDict()
        self._lock = threading.Lock()

    def now(self, oracle: Oracle) -> str:
        """Return the pin, reading everything: seconds if there is much of it."""
        return self._read(oracle, list(pieces(oracle)))

    def soon(self, oracle: Oracle) -> str | None:
        """Return the pin within milliseconds; None if that takes longer and nothing is known.

        Contents are read only if their files look different; where there are too many files to look
        at, the answer is what `now` found. A file that the command names and that was not there
        before is only seen by `now`.
        """
        with self._lock:
            found, known = self._known.get(oracle, ([], None))
        if len(found) > _MOST_PIECES:
            return known
        if known and all(piece.look() == piece.again().look() for piece in found):
            return known
        if sum(map(len, (*oracle.command, *(oracle.formatter or ())))) > _MOST_COMMAND:
            return None
        found = list(itertools.islice(pieces(oracle), _MOST_PIECES + 1))
        if len(found) > _MOST_PIECES or sum(piece.size for piece in found) > _MOST_BYTES:
            return None
        return self._read(oracle, found)

    def _read(self, oracle: Oracle, found: list[Piece]) -> str:
        result = _pinned(oracle, found)
        with self._lock:
            self._known[oracle] = found, result
            self._known.move_to_end(oracle)
            while len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)
        return result


def _pinned(oracle: Oracle, found: Iterable[Piece]) -> str:
    digest = hashlib.blake2b(digest_size=32)
    root = os.path.realpath(oracle.workspace)
    criteria = astuple(oracle.criteria)
    invalid = None if oracle.invalid is None else astuple(oracle.invalid)
    files = tuple(map(str, oracle.files))
    what = (_VERSION, oracle.command, oracle.stdin, criteria, invalid, root, files)
    # Without a formatter the pin is what it was before there were any: no consent is lost.
    digest.update(encoded((*what, oracle.formatter) if oracle.formatter else what))
    for piece in found:
        digest.update(encoded((piece.name, piece.target, piece.content())))
    return digest.hexdigest()


def encoded(value: object) -> bytes:
    """Return bytes that differ for any two different values: each part has its kind and length."""
    if value is None or isinstance(value, (bool, int)):
        kind, data = type(value).__name__, str(value).encode()
    elif isinstance(value, str):
        kind, data = "str", value.encode("utf-8", "surrogatepass")
    elif isinstance(value, tuple):
        kind, data = "tuple", b"".join(map(encoded, value))
    else:
        message = f"a {type(value).__name__} has no encoding"
        raise TypeError(message)
    return b"%s %d:%s" % (kind.encode(), len(data), data)
