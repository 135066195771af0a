"""The command that compares what two commands do: their standard output, and how they end.

It is a text for the shell, so that an oracle that needs two commands needs no script of its own. It
prints one line if they differ. The line is a failure that Pollard reads (`readers.toml`), so a
candidate on which they differ in another way is another failure.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pollard.oracle.verdict import Outcome

_DIFFERENCE = re.compile(r"^The two versions differ: (.*)$", re.MULTILINE)
_SCRIPT = """\
(
{first}
) >.first; first=$?
(
{second}
) >.second; second=$?
if cmp -s .first .second; then output=same; else output=different; fi
[ $output$first = same$second ] && exit 1
echo "The two versions differ: $output output, exit codes $first and $second"
diff .first .second || :
"""


def comparison(first: str, second: str) -> str:
    """Return the command that runs two commands for the shell; it exits with 0 if they differ."""
    return _SCRIPT.replace("{first}", first).replace("{second}", second)


def difference(run: Outcome) -> str | None:
    """Return how the two commands differed in a run: "different output, exit codes 0 and 0"."""
    found = _DIFFERENCE.search(run.stdout.decode("utf-8", "replace"))
    return found[1] if found else None


def exit_codes(difference: str) -> tuple[int, ...]:
    """Return the exit codes in a difference."""
    return tuple(map(int, re.findall(r"\d+", difference)))


def has_failed(difference: str) -> bool:
    """Return whether one of the two commands ended with an exit code other than 0."""
    return any(exit_codes(difference))


def criterion(difference: str) -> str:
    """Return the regular expression that finds this difference on standard output."""
    return f"^The two versions differ: {re.escape(difference)}$".replace("\\ ", " ")
