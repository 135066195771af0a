"""The pin of an oracle: a hash of everything that a user's consent covers.

It covers the command, standard input, the criteria, the formatter, the cluster, the workspace root,
the contents of `files`, and the workspace's files that the command and the formatter name. It does
not cover limits and repetitions, which change how long something runs but not what runs.

It also does not cover what only its owner can change or what cannot be foreseen: programs on PATH
outside the workspace, files that the named files load in turn, and changes while the oracle runs.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import threading
from collections import OrderedDict
from dataclasses import astuple
from typing import TYPE_CHECKING

from pollard.oracle.sandbox_policy import SandboxPolicy
from pollard.oracle.warm.warm_runs import WarmRuns
from pollard_server.trust.covered_files import named_files, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pollard.oracle import CommandOracle, Criteria
    from pollard_server.trust.covered_files import CoveredPath

_VERSION = "pollard consent 1"
_MAX_REMEMBERED_PINS = 64
# Limits for what may be looked at and read while an editor waits for its menu.
_MAX_PATHS_FOR_MENU = 50
_MAX_BYTES_FOR_MENU = 1 << 20
_MAX_COMMAND_SIZE_FOR_MENU = 500


def pin(oracle: CommandOracle) -> str:
    """Return the pin. Reads all covered files; missing and unreadable ones are hashed as such."""
    return _pinned(oracle, covered_paths(oracle))


def covered_paths(oracle: CommandOracle) -> Iterator[CoveredPath]:
    """Yield all files and folders that the pin covers, always in the same order."""
    workspace = oracle.workspace.absolute()
    for file in oracle.files:
        yield from walk(f"copied {file}", workspace / file)
    for path in named_files(oracle.command, workspace):
        yield from walk(f"named {path}", path)
    for path in named_files(oracle.formatter, workspace) if oracle.formatter else ():
        yield from walk(f"named by the formatter {path}", path)
    scheduler_file = oracle.cluster.scheduler_file if oracle.cluster else None
    if scheduler_file is not None and scheduler_file.is_relative_to(workspace):
        yield from walk(f"scheduler {scheduler_file}", scheduler_file)


class Pins:
    """Remembers the pins of oracles, with the state of their files at that time; thread-safe."""

    def __init__(self) -> None:
        self._known: OrderedDict[CommandOracle, tuple[list[CoveredPath], str]] = OrderedDict()
        self._lock = threading.Lock()

    def now(self, oracle: CommandOracle) -> str:
        """Return the pin, reading everything; that may take seconds."""
        return self._read(oracle, list(covered_paths(oracle)))

    def soon(self, oracle: CommandOracle) -> str | None:
        """Return the pin within milliseconds; None if that is impossible and nothing is remembered.

        Contents are only read if the files' sizes or times differ. If there are too many files to
        look at, the answer is what `now` found. Only `now` notices a new file that the command
        names.
        """
        with self._lock:
            found, known = self._known.get(oracle, ([], None))
        if len(found) > _MAX_PATHS_FOR_MENU:
            return known
        if known and all(covered.signature() == covered.again().signature() for covered in found):
            return known
        if sum(map(len, (*oracle.command, *(oracle.formatter or ())))) > _MAX_COMMAND_SIZE_FOR_MENU:
            return None
        found = list(itertools.islice(covered_paths(oracle), _MAX_PATHS_FOR_MENU + 1))
        if (
            len(found) > _MAX_PATHS_FOR_MENU
            or sum(covered.size for covered in found) > _MAX_BYTES_FOR_MENU
        ):
            return None
        return self._read(oracle, found)

    def _read(self, oracle: CommandOracle, found: list[CoveredPath]) -> str:
        result = _pinned(oracle, found)
        with self._lock:
            self._known[oracle] = found, result
            self._known.move_to_end(oracle)
            while len(self._known) > _MAX_REMEMBERED_PINS:
                self._known.popitem(last=False)
        return result


def _pinned(oracle: CommandOracle, found: Iterable[CoveredPath]) -> str:
    digest = hashlib.blake2b(digest_size=32)
    root = os.path.realpath(oracle.workspace)
    criteria = _criteria(oracle.criteria, oracle)
    invalid = None if oracle.invalid is None else _criteria(oracle.invalid, oracle)
    files = tuple(map(str, oracle.files))
    values = (_VERSION, oracle.command, oracle.stdin, criteria, invalid, root, files)
    # What is as usual is left out, as it was before it existed: no consent is lost.
    digest.update(hash_input((*values, oracle.formatter) if oracle.formatter else values))
    if oracle.sandbox != SandboxPolicy():
        digest.update(hash_input(_sandbox(oracle.sandbox)))
    if oracle.surroundings is not None:
        around = oracle.surroundings
        links = tuple(map(str, around.links))
        place = str(around.root), str(around.inside), links, around.neighbours
        digest.update(hash_input(("surroundings", place)))
    if oracle.is_server:
        digest.update(hash_input("language server"))
    if oracle.request is not None:
        digest.update(hash_input(("request", oracle.request.method, oracle.request.at)))
    if oracle.cluster is not None:
        digest.update(hash_input(("cluster", str(oracle.cluster))))
    if oracle.warm is WarmRuns.PROTOCOL:
        digest.update(hash_input("asked by a protocol"))
    if oracle.reduce_files:
        digest.update(hash_input("its files are reduced"))
    for covered in found:
        digest.update(hash_input((covered.name, covered.target, covered.content())))
    return digest.hexdigest()


def hash_input(value: object) -> bytes:
    """Return bytes that differ for any two different values, by each part's kind and length."""
    if value is None or isinstance(value, (bool, int)):
        kind, data = type(value).__name__, str(value).encode()
    elif isinstance(value, str):
        kind, data = "str", value.encode("utf-8", "surrogatepass")
    elif isinstance(value, tuple):
        kind, data = "tuple", b"".join(map(hash_input, value))
    else:
        message = f"a {type(value).__name__} has no encoding"
        raise TypeError(message)
    return b"%s %d:%s" % (kind.encode(), len(data), data)


def _criteria(criteria: Criteria, oracle: CommandOracle) -> tuple[object, ...]:
    """Return the values of criteria, without those at the end that are not used."""
    *values, diagnostic, exceeds, absent = astuple(criteria)
    if absent:
        limit = str(getattr(oracle, exceeds)) if exceeds else ""
        return (*values, diagnostic, exceeds, absent, limit)
    if exceeds is not None:
        return (*values, diagnostic, exceeds, str(getattr(oracle, exceeds)))
    return (*values, diagnostic) if diagnostic else tuple(values)


def _sandbox(policy: SandboxPolicy) -> tuple[object, ...]:
    paths = tuple(map(str, policy.read)), tuple(map(str, policy.write))
    return "sandbox", policy.level.value, *paths, policy.network, policy.env
