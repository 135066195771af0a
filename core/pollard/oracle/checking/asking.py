"""The names in a failure's list of calls for which an oracle asks, besides its message.

An oracle that looks for `in load_config` wants the failure in that function, and not alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.oracle.checking.remedies import beginnings_of_scripts
from pollard.oracle.failures.places import names_at_places
from pollard.oracle.predicate import Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.oracle.command import CommandOracle
    from pollard.oracle.predicate import AnyOracle
    from pollard.oracle.verdict import Outcome

# No part of a path or an option; `\\b` in a pattern does not begin a name.
_NAME = re.compile(r"(?<![\w/-])[^\W\d]\w*(?![\w/-])")
_ESCAPED = re.compile(r"\\\w")


def asked_names(outcome: Outcome, oracle: AnyOracle, texts: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the names in the list of calls that a run prints for which the oracle asks.

    They are in the patterns of its criteria, or in a script that the command is or names; and one of
    the `texts` has them. What one of these has at its beginning is no such script.
    """
    if isinstance(oracle, Predicate):
        return ()
    asking = " ".join(_ESCAPED.sub(" ", text) for text in _asking(oracle, texts))
    asked = {name.encode() for name in _NAME.findall(asking)}
    names = (name for name in names_at_places(outcome) if name in asked)
    words = ((name, re.compile(rb"\b" + name + rb"\b")) for name in names)
    return tuple(name for name, word in words if any(map(word.search, texts)))


def _asking(oracle: CommandOracle, texts: Sequence[bytes]) -> Iterator[str]:
    criteria = oracle.criteria
    yield from filter(None, (criteria.output, criteria.stdout, criteria.stderr))
    command = oracle.command
    yield from [command] if isinstance(command, str) else (word for word in command if " " in word)
    for text in beginnings_of_scripts(oracle):
        if not any(each.startswith(text) for each in texts):
            yield text.decode("utf-8", "replace")
