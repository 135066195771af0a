"""Small programs that fail in each of the ways for which there is a preset."""

from __future__ import annotations

import shlex
import sys

from tests.examples import rarely

PYTHON = shlex.quote(sys.executable)

RAISES = b"import os\n\n\ndef load():\n    raise ValueError('broken at 7')\n\n\nload()\n"
DIES = b"import os\nprint(1)\nos.kill(os.getpid(), 11)\n"
HANGS = b"first = 1\nwhile first:\n    pass\n"
SLEEPS = b"import time\n\nprint('before')\ntime.sleep(60)\nprint('after')\n"
ASSERTS = b"total = 1\nprint('done')\nassert total == 2\n"
DEBUGS = b"total = 1\nprint(__debug__)\n"
SUMS = b"total = 0\nfor number in (1, 2, 3):\n    total -= number\nprint('total:', total)\n"
HOARDS = b"import time\n\nheld = bytearray(1) * 300_000_000\ntime.sleep(3)\n"
FINE = b"print('all is well')\n"

# Each preset with answers, a file that shows the failure, and the failure as people see it.
SHOWN = {
    "crash": ({"command": f"{PYTHON} {{file}}"}, RAISES, "ValueError, raised in load"),
    "signal": ({"command": f"{PYTHON} {{file}}"}, DIES, "SIGSEGV"),
    "hang": ({"command": f"{PYTHON} {{file}}", "limit": "2s"}, HANGS, "time limit exceeded"),
    "differ": (
        {"command": f"{PYTHON} {{file}}", "second": f"{PYTHON} -O {{file}}"},
        ASSERTS,
        "AssertionError, raised on line 3",
    ),
    "wrong": (
        {"command": f"{PYTHON} {{file}}", "text": "total: -6"},
        SUMS,
        "It prints: total: -6 (nothing else is compared)",
    ),
    "slow": ({"command": f"{PYTHON} {{file}}", "limit": "2s"}, SLEEPS, "time limit exceeded"),
    "memory": (
        {"command": f"{PYTHON} {{file}}", "limit": "200MB"},
        HOARDS,
        "memory limit exceeded",
    ),
    "other": ({"command": f"{PYTHON} {{file}}"}, RAISES, "ValueError, raised in load"),
}

# Everyday tests of the server and the command line leave out those whose runs take seconds.
CASES = [*(case for case in SHOWN if case not in ("hang", "slow")), *rarely("hang", "slow")]


def preset_of(case: str) -> str:
    """The name of a case's preset; "crash" and "slow" have two cases."""
    return {"signal": "crash", "memory": "slow"}.get(case, case)
