"""The names in a list of calls for which an oracle asks, besides a message."""

from __future__ import annotations

import pytest

from pollard.oracle import CommandOracle, Criteria, Outcome
from pollard.oracle.checking.asking import asked_names

PRINTED = b"""Traceback (most recent call last):
  File "/tmp/x/main.py", line 9, in <module>
    main()
  File "/tmp/x/main.py", line 4, in load
    return table[key]
KeyError: 'table'
"""
TEXT = b"def main(): load()\ndef load(): return table[key]\ntable = {}\nmain()\n"


@pytest.mark.parametrize(
    ("command", "pattern", "asked"),
    [
        (("python3", "main.py"), r"(?s)in \bload\b.*KeyError", (b"load",)),
        (("sh", "-c", "python3 main.py 2>&1 | grep 'in load'"), None, (b"load",)),
        (("sh", "-c", "python3 main.py 2>&1 | grep \"KeyError: 'table'\""), None, ()),
        (("python3", "load"), "KeyError", ()),
    ],
    ids=["a criterion", "a silent script", "only its message", "an argument"],
)
def test_only_names_of_a_list_of_calls_are_asked_for(command, pattern, asked):
    """The path `main.py` is no function, though the command and the output have the word."""
    oracle = CommandOracle(command, criteria=Criteria(output=pattern))
    outcome = Outcome(exit_code=1, signal=None, stderr=PRINTED)
    assert asked_names(outcome, oracle, [TEXT]) == asked


def test_the_text_itself_asks_for_nothing(tmp_path):
    """The program is a script, too, and its text names its functions."""
    (tmp_path / "main.py").write_bytes(TEXT)
    oracle = CommandOracle(("python3", "main.py"), workspace=tmp_path)
    outcome = Outcome(exit_code=1, signal=None, stderr=PRINTED)
    assert asked_names(outcome, oracle, [TEXT]) == ()
