"""The exit codes of the command line."""

from __future__ import annotations

REDUCED = 0
NOTHING_REDUCED = 1
USAGE = 2
NOT_INTERESTING = 3
UNEXPECTED = 70
INTERRUPTED = 130
#: 128 + SIGPIPE: nobody reads the output any more.
BROKEN_PIPE = 141
