"""Lone commands of a shell: they stand in no blocks, and their variables need no values."""

from __future__ import annotations

import pytest

from pollard.passes.coupling.alone import named
from tests.core.passes.support import Case, plain, reduced

SHELL = b"""#!/bin/bash
show() {
    local key=$1
    if [ $key -gt 700 ]; then
        echo "it is $((sum / count)) on average"
    else
        echo "${target:?no target given}/$key"
    fi
    case $key in
        high) run "$tool" --fast "$key" ;;
    esac
}
show "$@"
"""


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (b"if [ $key -gt 700 ]; then", b"[ $key -gt 700 ]"),
        (b'echo "it is $((sum / count)) on average"', b'echo "it is $((sum / count)) on average"'),
        (b'echo "${target:?no target given}/$key"', b'echo "${target:?no target given}/$key"'),
        (b'high) run "$tool" --fast "$key" ;;', b'run "$tool" --fast "$key"'),
    ],
    ids=["a condition", "in a branch", "after else", "of a case"],
)
def test_a_command_that_the_output_names_stands_alone(line: bytes, wanted: bytes) -> None:
    """It stays as it is: a variable that is not set is empty, which is most often what failed."""
    case = Case(SHELL, "shellscript", lambda new: new == SHELL or plain(new) == wanted)
    found = reduced(case, named, failing_lines=[line])
    assert plain(found.text) == wanted
    assert len(found.judge.asked) <= 4
