"""The sandbox of macOS: a profile for sandbox-exec(1), which is tried out before it is relied on.

The kernel enforces the profile, and whatever a run starts inherits it. Apple does not document the
language of profiles, and it may differ from one version to the next. So nothing is believed: before the
first run, `failure` lets a program try in a scratch directory what must be denied and what must be
allowed. It looks at the effects from outside. Unless all of them are right, there is no sandbox.
"""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.executors.sandbox import seatbelt_trial
from pollard.executors.sandbox.secrets import hidden_paths, shown_paths
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TRIAL_SECONDS = 20.0
_DEVICES = ("null", "zero", "dtracehelper")
# What tells names of users and keeps logs. Others would do for a run what it may not do itself.
_SERVICES = (
    "com.apple.system.opendirectoryd.libinfo",
    "com.apple.system.opendirectoryd.membership",
    "com.apple.system.notification_center",
    "com.apple.system.logger",
    "com.apple.logd",
)
_BEFORE = """(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read* file-map-executable)
"""
_SECRET = b"a secret of nobody"


def program() -> str | None:
    """Return the path of sandbox-exec, or None if there is none."""
    return shutil.which("sandbox-exec")


def arguments(policy: SandboxPolicy, directory: Path) -> list[str]:
    """Return the command line up to the program that shall run in the sandbox of a directory."""
    return _start(profile(policy, directory, hidden_paths(policy)))


def _start(text: str) -> list[str]:
    return [program() or "sandbox-exec", "-p", text, "--"]


def profile(policy: SandboxPolicy, directory: Path, hidden: Iterable[Path]) -> str:
    """Return what a run may do, in the language of profiles; of two rules the later one counts."""
    names = " ".join(f"(global-name {_quoted(name)})" for name in _SERVICES)
    devices = [Path("/dev", name) for name in _DEVICES]
    shown, written = list(shown_paths(policy)), [directory, *policy.write]
    # Programs look at the folders on the way to a file, also if these are hidden.
    on_the_way = sorted({parent for path in (*shown, *written) for parent in path.parents})
    return "".join(
        (
            _BEFORE,
            f"(allow mach-lookup {names})\n",
            *_rules("allow file-write-data file-ioctl", devices, "literal"),
            *_rules("deny file-read*", hidden),
            *_rules("allow file-read-metadata", on_the_way, "literal"),
            *_rules("allow file-read*", shown),
            *_rules("allow file-read* file-write*", written),
            "(allow network* system-socket)\n" if policy.network else "",
        )
    )


def _rules(rule: str, paths: Iterable[Path], kind: str = "subpath") -> Iterator[str]:
    # The kernel compares with the path that a file really has; /tmp is a link on macOS.
    for path in paths:
        yield f"({rule} ({kind} {_quoted(os.path.realpath(path))}))\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@functools.cache
def failure() -> str:
    """Return why sandbox-exec does not confine programs on this machine; "" if it does."""
    if program() is None:
        return "sandbox-exec is not installed"
    try:
        with tempfile.TemporaryDirectory(prefix="pollard-") as name:
            reason = _SeatbeltTrial(Path(name).resolve()).failure()
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = str(error)
    return f"sandbox-exec does not work here ({reason})" if reason else ""


class _SeatbeltTrial:
    """A program in the sandbox of a scratch directory, and all that it shall not reach there."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        for name in ("room", "secret", "outside"):
            (scratch / name).mkdir()
        (scratch / "secret" / "key").write_bytes(_SECRET)
        (scratch / "outside" / "file").write_text(seatbelt_trial.TO_READ)

    def failure(self) -> str:
        """Return what the sandbox does wrong; "" if nothing."""
        before = self._outside()
        with _Listeners(self._scratch / "service") as listeners, _bystander() as other:
            tried = self._run(*listeners.addresses, str(other.pid))
            answer, _ = other.communicate(b"alive", timeout=_TRIAL_SECONDS)
            reached = listeners.reached()
        said = tried.stderr.decode("utf-8", "replace").strip().split("\n")[-1]
        wrong = {
            f"it did not let a program work: {said or tried.returncode}": not self._has_worked(),
            "it lets programs change files of others": self._outside() != before,
            "it shows secrets": self._shows_secret(tried.stdout + tried.stderr),
            "it lets programs signal others": answer != b"alive",
            "it lets programs reach the network or sockets of others": reached,
        }
        return next((reason for reason, is_so in wrong.items() if is_so), "")

    def _run(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        room, hidden = self._scratch / "room", self._scratch / "secret"
        text = profile(SandboxPolicy(SandboxLevel.DEFAULT), room, (hidden,))
        script = str(seatbelt_trial.__file__)
        command = [*_start(text), sys.executable, "-I", "-S", script, str(self._scratch), *words]
        return subprocess.run(
            command, cwd=room, capture_output=True, check=False, timeout=_TRIAL_SECONDS
        )

    def _outside(self) -> list[tuple[object, ...]]:
        """Return what can be seen of all files outside the room."""
        folders = (self._scratch, self._scratch / "outside")
        paths = sorted(path for folder in folders for path in folder.iterdir())
        return [(path, *_state(path)) for path in paths if path.name not in ("room", "service")]

    def _has_worked(self) -> bool:
        result = self._scratch / "room" / seatbelt_trial.RESULT
        return result.is_file() and result.read_text() == seatbelt_trial.EXPECTED

    def _shows_secret(self, printed: bytes) -> bool:
        """Return whether a secret was printed, or is in a file of the room; links do not count."""
        files = (path for path in (self._scratch / "room").iterdir() if not path.is_symlink())
        texts = (path.read_bytes() for path in files if path.is_file())
        return any(_SECRET in text for text in (printed, *texts))


class _Listeners:
    """Sockets of others: for streams and datagrams on the loopback device, and one that is a file."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __enter__(self) -> _Listeners:
        with contextlib.ExitStack() as stack:
            self._stream = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            self._datagrams = stack.enter_context(socket.socket(type=socket.SOCK_DGRAM))
            self._datagrams.bind(("127.0.0.1", 0))
            self._file = stack.enter_context(socket.socket(socket.AF_UNIX))
            self._file.bind(str(self._place))
            self._file.listen()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def addresses(self) -> list[str]:
        """The ports of the first two."""
        return [str(each.getsockname()[1]) for each in (self._stream, self._datagrams)]

    def reached(self) -> bool:
        """Return whether anybody has connected or sent something."""
        for each in (self._stream, self._datagrams, self._file):
            each.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                if each is self._datagrams:
                    each.recv(1)
                else:
                    each.accept()[0].close()
                return True
        return False


@contextlib.contextmanager
def _bystander() -> Iterator[subprocess.Popen[bytes]]:
    """Provide a process that prints what it reads, as long as nobody kills or stops it."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def _state(path: Path) -> tuple[object, ...]:
    status = path.lstat()
    text = path.read_bytes() if path.is_file() else b""
    return status.st_mode, status.st_nlink, status.st_uid, status.st_mtime_ns, text
