"""The places in a file that a program names when it fails, such as `orders.py", line 12`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.oracle.verdict import Outcome


# `x.c:3`, `x.ts(3`, `x.php on line 3`, `"x.py", line 3`.
_LINE_AFTER_NAME = rb"""["')]*(?::|\(|,? (?:on |at )?line )(\d{1,9})"""
# A deep recursion repeats few lines, and hardly more of them are needed to find what failed.
_MAX_LINES = 64


def named_lines(outcome: Outcome, filename: str) -> tuple[int, ...]:
    """Return the numbers of the lines of a file that a run's output names, in the order of the output.

    Lines are counted from 1; each is returned once. Whatever folder the file is in counts.
    """
    name = re.escape(filename.encode("utf-8", "surrogateescape"))
    pattern = re.compile(rb"(?<![\w.-])" + name + _LINE_AFTER_NAME)
    found = (int(match[1]) for match in pattern.finditer(outcome.stderr + b"\n" + outcome.stdout))
    return tuple(dict.fromkeys(found))[:_MAX_LINES]
