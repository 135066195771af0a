"""How bubblewrap shows the system to a run: read-only, without secrets, network or other processes.

Bubblewrap needs neither root nor a daemon. It makes new namespaces for files, processes, users, the
network and shared memory, and takes all privileges away. See bwrap(1).
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.sandbox.secrets import hidden_paths, shown_paths
from pollard.oracle.sandbox_policy import SandboxLevel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pollard.oracle.sandbox_policy import SandboxPolicy

PRIVATE = ("/tmp", "/var/tmp", "/dev/shm")
"""Directories that a run may write, and of which nobody else sees anything."""

_KERNEL_SETTINGS = ("/proc/sys", "/proc/sysrq-trigger", "/proc/acpi", "/proc/fs", "/proc/mtrr")
_TRIAL_SECONDS = 20.0

# Sockets of other programs, through which a run could have them do what it may not do itself.
_SOCKETS = "/run"
_NEEDED_IN_RUN = ("/run/current-system", "/run/wrappers")  # NixOS has its programs there
_RESOLVER = Path("/etc/resolv.conf")  # with systemd, a link into that directory
_PREFIXES_OF_SOCKETS = (
    "ssh-",
    ".X11-unix",
    ".ICE-unix",
    "dbus-",
    "tmux-",
    "nvim.",
    "pollard-",
    "systemd-",
)

# Each entry of those directories that a run can read is a mount, and bubblewrap's time grows with the
# square of their number: on one machine 17 ms without any, 156 ms with 200 and 2.2 s with 1,000. It
# takes no more than 3,000.
_MAX_ENTRIES = 256

_COMPLAINT = "bwrap: "


class MountError(OracleError):
    """Bubblewrap found other files than those that it was told of; the next try may succeed."""


def program() -> str | None:
    """Return the path of bubblewrap's program, or None if it is not installed."""
    return shutil.which("bwrap")


@functools.cache
def failure() -> str:
    """Return why bubblewrap cannot start a program on this machine; "" if it can.

    Some systems and containers do not let users make namespaces.
    """
    command = [*_start(), "--", "/bin/sh", "-c", ":"]
    try:
        tried = subprocess.run(command, capture_output=True, check=False, timeout=_TRIAL_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here ({error})"
    reason = tried.stderr.decode("utf-8", "replace").strip().removeprefix(_COMPLAINT)
    return f"bubblewrap does not work here ({reason})" if tried.returncode else ""


def check_start(complaint: str) -> None:
    """Raise MountError if bubblewrap, and not what it started, printed this on standard error.

    If it worked before, a file that it was to hide or to show has gone since `arguments` named it. The
    sockets of editors come and go.
    """
    if complaint.startswith(_COMPLAINT):
        raise MountError(f"The sandbox cannot be started: {complaint.strip()}.")


def arguments(
    policy: SandboxPolicy, directory: Path, empty: Path, named: Sequence[Path] = ()
) -> list[str]:
    """Return the command line up to the program that shall run in the sandbox.

    It starts in `directory`, which may be written. `empty` is an empty file, which stands for files
    that are hidden. Where `PRIVATE` directories have very many entries, only those that lead to `named`
    paths and the newest ones can be read.
    """
    return [
        *_start(),
        *(["--share-net"] if policy.network else []),
        *_private_directories(policy, named),
        *(word for path in _sockets_in_sight() for word in ("--ro-bind", str(empty), str(path))),
        *_hidden_and_shown(policy, empty),
        *("--bind", str(directory), str(directory)),
        *("--chdir", str(directory), "--"),
    ]


def _start() -> Iterator[str]:
    yield program() or "bwrap"
    yield from ("--unshare-all", "--cap-drop", "ALL", "--as-pid-1", "--new-session")
    yield from ("--ro-bind", "/", "/", "--dev", "/dev", "--remount-ro", "/dev", "--proc", "/proc")
    # The kernel lets a real root change these without any privilege.
    yield from _paths("--ro-bind", map(Path, _KERNEL_SETTINGS))


def _private_directories(policy: SandboxPolicy, named: Sequence[Path]) -> Iterator[str]:
    """Yield options for empty directories in which the user's own files can be read, but no socket."""
    private = [path for path in map(Path, PRIVATE) if path.is_dir() and not path.is_symlink()]
    for directory in private:
        yield from ("--tmpfs", str(directory))
    yield from _paths("--ro-bind-try", _readable(private, (*policy.read, *policy.write, *named)))
    if Path(_SOCKETS).is_dir():
        yield from ("--tmpfs", _SOCKETS)
        yield from _paths("--ro-bind", map(Path, _NEEDED_IN_RUN))
        if policy.network and (names := _RESOLVER.resolve()).is_relative_to(_SOCKETS):
            yield from _paths("--ro-bind", (names,))
        yield from ("--remount-ro", _SOCKETS)


def _readable(private: Sequence[Path], named: Sequence[Path]) -> list[Path]:
    """Return the entries of private directories that a run can read, at most about `_MAX_ENTRIES`."""
    entries = {Path(entry): entry for directory in private for entry in _files_in(directory)}
    if len(entries) <= _MAX_ENTRIES:
        return sorted(entries)
    above = {parent for path in named for parent in (path, *path.parents)}
    needed = entries.keys() & above
    others = sorted(entries.keys() - above, key=lambda path: _changed(entries[path]), reverse=True)
    return sorted([*needed, *others[: max(_MAX_ENTRIES - len(needed), 0)]])


def _files_in(directory: Path) -> list[os.DirEntry[str]]:
    with os.scandir(directory) as entries:
        return [
            entry
            for entry in entries
            if not entry.name.startswith(_PREFIXES_OF_SOCKETS)
            and (entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False))
        ]


def _changed(entry: os.DirEntry[str]) -> float:
    """Return when an entry was changed; 0 if it has just gone."""
    try:
        return entry.stat(follow_symlinks=False).st_mtime
    except OSError:
        return 0.0


def _sockets_in_sight() -> list[Path]:
    """Return the sockets of running programs that are files where a run could find them.

    Those in `/run` and beside the private directories' own files are hidden with them.
    """
    try:
        lines = Path("/proc/net/unix").read_bytes().splitlines()[1:]
    except OSError:
        return []
    named = {Path(os.fsdecode(words[7])) for line in lines if len(words := line.split(None, 7)) > 7}
    return sorted(path.resolve() for path in named if _is_in_sight(path))


def _is_in_sight(path: Path) -> bool:
    if not path.is_absolute() or path.is_relative_to(_SOCKETS):
        return False
    for directory in map(Path, PRIVATE):
        if path.is_relative_to(directory):
            top, *below = path.relative_to(directory).parts or ("",)
            if not below or top.startswith(_PREFIXES_OF_SOCKETS):
                return False
    try:
        return path.is_socket() and not path.resolve().is_relative_to(_SOCKETS)
    except OSError:
        return False


def _hidden_and_shown(policy: SandboxPolicy, empty: Path) -> Iterator[str]:
    """Yield options that hide what the policy hides, and then show what it shows."""
    directories = [path for path in hidden_paths(policy) if path.is_dir()]
    for path in hidden_paths(policy):
        hidden = ("--tmpfs",) if path in directories else ("--ro-bind", str(empty))
        yield from (*hidden, str(path))
    yield from _paths("--ro-bind", shown_paths(policy))
    yield from _paths("--bind", policy.write)
    if policy.level is not SandboxLevel.STRICT:
        for path in directories:  # last, since what is shown in them needs a place there
            if path not in policy.write:
                yield from ("--remount-ro", str(path))


def _paths(option: str, paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        if path.exists():
            yield from (option, str(path), str(path))
