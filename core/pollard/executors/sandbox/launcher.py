"""The program inside a sandbox that starts the runs, one after the other; on Linux.

`pollard.executors.sandbox.cell` starts it as a script, with a socket as its standard input, and asks
it for a run by a message with four descriptors: the standard streams of the run, and one that becomes
readable if the run shall end. At its end it kills every process that is left, tidies up what the run
left in private directories, and answers with the wait status. When the socket is closed, because the
other end let go of it or died, all ends.

It has one thread, so that it can fork. It must start fast: nothing but small modules of the standard
library may be imported.
"""

from __future__ import annotations

import contextlib
import errno
import marshal
import os
import resource
import select
import signal
import socket
import sys

TYPE_CHECKING = False  # to import `typing` takes longer than all else
if TYPE_CHECKING:
    from collections.abc import Callable

_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_DUMPABLE = 4
HEADER_BYTES = 8
_DESCRIPTORS = 4
# Those that Python or this program handle otherwise than a new program expects.
_RESTORED_SIGNALS = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)

# Arguments, program, directory, environment, and resource limits by number.
Request = tuple[list[bytes], bytes, bytes, dict[bytes, bytes], dict[int, int]]


def serve(
    channel: socket.socket,
    private: list[str],
    start: Callable[[Request, list[int]], int] | None = None,
) -> None:
    """Start runs until the socket is closed; `private` are directories to tidy up after each run.

    `start` is what starts the process of a run and returns its number; by default, `_start`.
    """
    kept = {directory: set(_entries(directory)) for directory in private}
    channel.sendall(b"ready\n")
    while (request := _received(channel)) is not None:
        call, (*streams, stop) = request
        try:
            leader = (start or _start)(call, streams)
        except OSError as error:
            answer = b"failed %d\n" % (error.errno or errno.EINVAL)
        else:
            _wait(leader, stop, channel)
            answer = b"ended %d %f\n" % _end(leader)
        finally:
            for descriptor in (*streams, stop):
                os.close(descriptor)
        for directory, entries in kept.items():
            _tidy(directory, entries)
        channel.sendall(answer)


def _received(channel: socket.socket) -> tuple[Request, list[int]] | None:
    """Return the next request and the descriptors that came with it; None at the end."""
    header, descriptors, _, _ = socket.recv_fds(channel, HEADER_BYTES, _DESCRIPTORS)
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    if not header:
        return None
    while len(header) < HEADER_BYTES:
        header += channel.recv(HEADER_BYTES - len(header)) or _gone()
    length, body = int.from_bytes(header, "big"), bytearray()
    while len(body) < length:
        body += channel.recv(length - len(body)) or _gone()
    return marshal.loads(body), descriptors


def _gone() -> bytes:
    raise SystemExit(0)


def _start(request: Request, streams: list[int]) -> int:
    """Start the process of a run and return its number. Raises OSError if that fails.

    `fork` would take 2 ms, most of them to copy this process.
    """
    arguments, program, directory, environment, limits = request
    os.chdir(directory)
    leader = os.posix_spawn(
        program,
        arguments,
        environment,
        file_actions=[(os.POSIX_SPAWN_DUP2, stream, n) for n, stream in enumerate(streams)],
        setsid=True,
        setsigmask=(),
        setsigdef=_RESTORED_SIGNALS,
    )
    _limit(leader, limits)
    return leader


def _limit(pid: int, limits: dict[int, int]) -> None:
    """Set resource limits on a process and on those that it has already started."""
    for kind, limit in limits.items():
        with contextlib.suppress(OSError):
            resource.prlimit(pid, kind, (limit, limit))
    for child in children_of(pid):
        _limit(child, limits)


def _wait(leader: int, stop: int, channel: socket.socket) -> None:
    """Return once the leader has exited or shall end; exit if the other end is gone."""
    pidfd = os.pidfd_open(leader)
    poll = select.poll()
    for descriptor in (pidfd, stop, channel.fileno()):
        poll.register(descriptor, select.POLLIN)
    ready = [descriptor for descriptor, _ in poll.poll()]
    os.close(pidfd)
    if channel.fileno() in ready:  # nothing is sent during a run
        _gone()


def _end(leader: int | None = None) -> tuple[int, float]:
    """Kill and reap all processes but this one; return the leader's status and processor time.

    Orphans become children of this process, so nothing is left once it has no child. (The signal to
    "all processes" would reach those of other people where this process has no numbers of its own.)
    """
    status, seconds = 0, 0.0
    while children := children_of(os.getpid()):
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        pid, ended, usage = os.wait4(-1, 0)
        if pid == leader:
            status, seconds = ended, usage.ru_utime + usage.ru_stime
    return status, seconds


def children_of(pid: int) -> list[int]:
    """Return the children of a process; none if it has ended."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", "rb") as stream:  # noqa: PTH123
            return [int(word) for word in stream.read().split()]
    except OSError:
        return []


def _entries(directory: str) -> list[str]:
    try:
        return os.listdir(directory)  # noqa: PTH208
    except OSError:
        return []


def _tidy(directory: str, kept: set[str]) -> None:
    """Remove what a run left in a directory."""
    for name in _entries(directory):
        if name not in kept:
            _remove(os.path.join(directory, name))  # noqa: PTH118


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)  # noqa: PTH108
        return
    import shutil  # noqa: PLC0415 (rarely needed)

    shutil.rmtree(path, ignore_errors=True)
    for parent, _, _ in os.walk(path):
        with contextlib.suppress(OSError):
            os.chmod(parent, 0o700)  # noqa: PTH101
    shutil.rmtree(path, ignore_errors=True)


def main() -> None:
    """Serve the socket that is the standard input; the arguments are directories to tidy up."""
    import ctypes  # noqa: PLC0415 (freed before the first run forks)

    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)  # a run must not trace this process
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):  # noqa: PTH110
        sys.exit("the kernel does not list the children of a process")
    channel = socket.socket(fileno=os.dup(0))
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123
        os.dup2(nothing.fileno(), 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # from a terminal; the other end decides
    try:
        serve(channel, sys.argv[1:])
    finally:
        _end()  # the kernel does it only where this is the first process of its namespace


if __name__ == "__main__":
    with contextlib.suppress(ConnectionError):
        main()
