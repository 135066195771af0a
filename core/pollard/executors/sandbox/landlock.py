"""Landlock: what the Linux kernel lets a thread and all that it starts do with files; see landlock(7).

It needs no privilege, no program and no namespaces, so it is there where bubblewrap is not. It is
weaker: a run may change the permissions, owners and times of the user's files.
"""

from __future__ import annotations

import ctypes
import functools
import os
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pollard.executors.sandbox.secrets import hidden_paths, shown_paths
from pollard.executors.sandbox.socket_filter import close_network

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from pollard.oracle.sandbox_policy import SandboxPolicy

T = TypeVar("T")

# System calls, the same for all processors, and constants; see <linux/landlock.h>.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEVICE, _REACH_SOCKET = 1 << 14, 1 << 15, 1 << 16
_READ = _EXECUTE | _READ_FILE
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE | _REACH_SOCKET
_BIND_AND_CONNECT_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11

_MIN_VERSION = 3  # without it, files could be truncated
_VERSION_WITH_NETWORK = 4
_VERSION_WITH_IOCTL = 5
_VERSION_WITH_SCOPES = 6
_VERSION_WITH_SOCKETS = 9

_CAPABILITIES_VERSION = 0x20080522  # see capset(2)
_CAPABILITIES_BYTES = 24

_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


@functools.cache
def is_available() -> bool:
    """Return whether the kernel can do what is needed."""
    return _version() >= _MIN_VERSION


def _version() -> int:
    return _call(_CREATE_RULESET, None, 0, _ASK_VERSION)


def confined(function: Callable[[], T], policy: SandboxPolicy, directory: Path) -> T:
    """Return what a function returns; what it starts is confined, but may write `directory`.

    Raises OSError if the kernel refuses.
    """

    def call() -> T:
        _confine_this_thread(policy, directory)
        return function()

    with ThreadPoolExecutor(1) as thread:  # it can never do again what it may not do
        return thread.submit(call).result()


def _confine_this_thread(policy: SandboxPolicy, directory: Path) -> None:
    version = _version()
    attributes = restrictions(version, policy)
    rules = _checked(_call(_CREATE_RULESET, attributes, len(attributes), 0))
    try:
        for path, access in _accesses(policy, directory, _rights(version)):
            _allow(rules, path, access)
        _checked(ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        _drop_privileges()
        _checked(_call(_RESTRICT_SELF, rules, 0))
        if not policy.network:
            close_network(
                tcp_is_closed=version >= _VERSION_WITH_NETWORK,
                local_is_closed=version >= _VERSION_WITH_SOCKETS or _names_socket(policy),
            )
    finally:
        os.close(rules)


def restrictions(version: int, policy: SandboxPolicy) -> bytes:
    """Return what is denied unless a rule allows it, as this version of Landlock reads it."""
    parts = [_rights(version)]
    if version >= _VERSION_WITH_NETWORK:
        parts.append(0 if policy.network else _BIND_AND_CONNECT_TCP)
    if version >= _VERSION_WITH_SCOPES:
        parts.append(_ABSTRACT_SOCKETS_AND_SIGNALS)
    return struct.pack(f"={len(parts)}Q", *parts)


def _rights(version: int) -> int:
    """Return all rights to files that a version knows."""
    if version >= _VERSION_WITH_SOCKETS:
        return 2 * _REACH_SOCKET - 1
    return (2 if version >= _VERSION_WITH_IOCTL else 1) * _IOCTL_DEVICE - 1


def _names_socket(policy: SandboxPolicy) -> bool:
    """Return whether the user allowed a socket; the filter of system calls cannot tell which it is."""
    return any(path.is_socket() for path in (*policy.read, *policy.write))


def _drop_privileges() -> None:
    """Take the privileges of root from this thread, and so from all that it starts."""
    header = struct.pack("=Ii", _CAPABILITIES_VERSION, 0)
    _checked(ctypes.CDLL(None, use_errno=True).capset(header, bytes(_CAPABILITIES_BYTES)))


def _accesses(
    policy: SandboxPolicy, directory: Path, everything: int
) -> Iterator[tuple[Path, int]]:
    """Yield paths and what may be done with them and below them."""
    hidden = {path.resolve() for path in hidden_paths(policy)}
    shown = (_READ | _READ_DIR | _REACH_SOCKET) & everything
    yield Path("/"), _READ_DIR
    yield from ((path, _READ) for path in _outside(Path("/"), hidden))
    yield from ((Path("/dev", name), _READ_FILE | _WRITE_FILE) for name in _DEVICES)
    yield from ((path, shown) for path in shown_paths(policy))
    yield from ((path, everything) for path in (directory, *policy.write))


def _outside(path: Path, hidden: Collection[Path]) -> Iterator[Path]:
    """Yield paths that together cover all that exists below `path`, except what is hidden."""
    below = [each for each in hidden if path == each or path in each.parents]
    if not below:
        yield path
    elif path not in below:
        for child in _children(path):
            yield from _outside(child, below)


def _children(path: Path) -> Iterable[Path]:
    try:
        return [child for child in path.iterdir() if not child.is_symlink()]
    except OSError:
        return []


def _allow(rules: int, path: Path, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # it is gone, or not to be reached anyway
    try:
        allowed = access if path.is_dir() else access & _OF_FILES
        rule = struct.pack("=Qi", allowed, descriptor)
        _checked(_call(_ADD_RULE, rules, _PATH_BENEATH, rule, 0))
    finally:
        os.close(descriptor)


def _call(number: int, *arguments: bytes | int | None) -> int:
    result: int = ctypes.CDLL(None, use_errno=True).syscall(number, *arguments)
    return result


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
