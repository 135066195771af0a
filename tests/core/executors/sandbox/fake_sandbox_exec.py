"""Stands for macOS' sandbox-exec: reads a profile, and has bubblewrap confine the program accordingly.

It understands of profiles what Pollard writes. `FAKE_SANDBOX_LETS` names what it does not keep programs
from, to stand for a system in which the profile means something else.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path


def _paths(profile: str, rule: str) -> list[str]:
    found = re.findall(rf'^\({re.escape(rule)} \(subpath "(.*)"\)\)$', profile, re.MULTILINE)
    return [re.sub(r"\\(.)", r"\1", path) for path in found]


def options(profile: str, lets: str) -> Iterator[str]:
    """Yield what bubblewrap does for a profile."""
    assert profile.startswith("(version 1)\n(deny default)\n")
    yield from ("--unshare-user", "--unshare-ipc", "--die-with-parent")
    yield from ("--bind" if lets == "files" else "--ro-bind", "/", "/", "--dev", "/dev")
    yield from () if lets == "signals" else ("--unshare-pid", "--proc", "/proc")
    is_open = lets == "network" or "(allow network*" in profile
    yield from () if is_open else ("--unshare-net",)
    for path in _paths(profile, "deny file-read*"):
        yield from () if lets == "secrets" or not Path(path).is_dir() else ("--tmpfs", path)
    for path in _paths(profile, "allow file-read* file-write*"):
        yield from () if lets == "nothing" else ("--bind", path, path)
        # Namespaces do not close sockets that are files.
        for service in Path(path).parent.iterdir():
            yield from ("--ro-bind", os.devnull, str(service)) * (
                service.is_socket() and not is_open
            )


if __name__ == "__main__":
    dash_p, text, dashes, *command = sys.argv[1:]
    assert (dash_p, dashes) == ("-p", "--")
    lets = os.environ.get("FAKE_SANDBOX_LETS", "")
    if lets == "everything":
        os.execvp(command[0], command)
    os.execvp("bwrap", ["bwrap", *options(text, lets), "--", *command])
