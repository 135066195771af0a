"""The program that tries, in the sandbox of macOS, what must be denied and what must be allowed.

`seatbelt` starts it as a script in a scratch directory of its own, and finds out from outside what it
achieved; nothing that it says counts. It harms nothing but that directory and a process made for it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys

RESULT = "result"
TO_READ = "everybody may read this"
EXPECTED = f"{TO_READ}, and a child said hello"

_WAIT_SECONDS = 2.0


def main(scratch: str, stream_port: str, datagram_port: str, other: str) -> None:
    """Try everything; the current directory is the room, where all is allowed."""
    outside = f"{scratch}/outside/file"
    attempts = (
        lambda: _copy(f"{scratch}/secret/key", "stolen"),
        lambda: _through_link(f"{scratch}/secret/key"),
        lambda: os.link(f"{scratch}/secret/key", "another name"),
        lambda: _append(outside),
        lambda: _append(f"{scratch}/outside/new"),
        lambda: _append(f"{scratch}/beside"),
        lambda: _through_hard_link(outside),
        lambda: os.chmod(outside, 0o600),  # noqa: PTH101
        lambda: os.utime(outside, (0, 0)),
        lambda: os.rename(outside, "taken"),  # noqa: PTH104
        lambda: os.unlink(outside),  # noqa: PTH108
        lambda: socket.create_connection(("127.0.0.1", int(stream_port)), _WAIT_SECONDS),
        lambda: _send(int(datagram_port)),
        lambda: socket.socket(socket.AF_UNIX).connect(f"{scratch}/service"),
        lambda: os.kill(int(other), signal.SIGKILL),
    )
    _work(outside)  # first, since an attempt that succeeds may remove what it reads
    for attempt in attempts:
        with contextlib.suppress(OSError):
            attempt()


def _work(readable: str) -> None:
    """Do what every run may do: read, start and end processes, and change what is in the room."""
    with open(readable) as stream:  # noqa: PTH123
        text = stream.read()
    said = subprocess.run(["/bin/sh", "-c", "echo hello"], stdout=subprocess.PIPE, check=True)
    with subprocess.Popen(["/bin/sh", "-c", "exec sleep 60"]) as child:
        child.kill()
    os.makedirs("a/b")  # noqa: PTH103
    with open("a/b/c", "w") as stream, open(os.devnull, "w") as nothing:  # noqa: PTH123
        stream.write(f"{text}, and a child said {said.stdout.decode().strip()}")
        nothing.write(text)
    os.rename("a/b/c", RESULT)  # noqa: PTH104
    os.removedirs("a/b")


def _copy(source: str, target: str) -> None:
    with open(source) as stream, open(target, "w") as copy:  # noqa: PTH123
        copy.write(stream.read())


def _append(path: str) -> None:
    with open(path, "a") as stream:  # noqa: PTH123
        stream.write("broken")


def _through_link(path: str) -> None:
    os.symlink(path, "link")  # noqa: PTH211
    _copy("link", "stolen")


def _through_hard_link(path: str) -> None:
    os.link(path, "hard link")
    _append("hard link")


def _send(port: int) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as sender:
        sender.sendto(b"harm", ("127.0.0.1", port))


if __name__ == "__main__":
    main(*sys.argv[1:])
