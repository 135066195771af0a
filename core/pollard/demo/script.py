"""The script that the demo reduces, and the oracle that tells whether it still fails."""

from __future__ import annotations

import sys
from importlib import resources

from pollard.oracle import Criteria, Oracle
from pollard.reduction import Plan
from pollard.syntax import languages

FILENAME = "orders.py"
FAILURE = "RuntimeError: dictionary changed size during iteration"
FUNCTION = "settle"

# The last frame of the traceback, its source lines, the error. Asking for the function too keeps the
# reduction from slipping to another loop that fails in the same words. `\S*` lets colours pass.
_TRACEBACK = (
    rf"in \S*{FUNCTION}\b.*\n(?:    .*\n)*\S*RuntimeError\S* \S*dictionary changed size during"
)


def script() -> bytes:
    """Return the bundled script's text; its name keeps linters from taking it for a module."""
    return resources.files(__package__).joinpath(f"{FILENAME}.txt").read_bytes()


def oracle() -> Oracle:
    """Return the oracle: this same Python runs the candidate and its traceback is looked at.

    `-I -S` leaves out the user's settings and installed packages, and halves the time of a start.
    """
    return Oracle(
        command=(sys.executable, "-I", "-S", "{file}"),
        name="demo",
        criteria=Criteria(stderr=_TRACEBACK),
    )


def plan(jobs: int = 1) -> Plan:
    """Return the plan of the demo; without the cache, so that it is a reduction each time."""
    return Plan(
        text=script(),
        filename=FILENAME,
        oracle=oracle(),
        grammar=languages.find("python"),
        jobs=jobs,
        cache=False,
    )
