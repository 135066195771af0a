"""Real outputs of programs: each is read as the failure that it shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from pollard.oracle import Criteria, Outcome
from pollard.oracle.failures.selection import read_signature

OUTPUTS = Path(__file__).parent / "outputs"
EXPECTED = [
    line.split("\t") for line in (OUTPUTS / "expected.tsv").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize(("name", "kind", "where"), EXPECTED, ids=[row[0] for row in EXPECTED])
def test_a_real_output_is_read_as_its_failure(name, kind, where):
    printed = (OUTPUTS / f"{name}.txt").read_bytes()
    signature = read_signature(
        Outcome(exit_code=1, signal=None, stderr=printed), Criteria(exit_code=(1,))
    )
    assert signature is not None
    assert (signature.kind, signature.where) == (kind, where)
