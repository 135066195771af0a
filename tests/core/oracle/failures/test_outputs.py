"""Real outputs of programs: each is read as the failure that it shows, and each reader is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pollard.oracle import Criteria, Outcome, Signature
from pollard.oracle.failures import printed
from pollard.oracle.failures.selection import read_signature

OUTPUTS = Path(__file__).parent / "outputs"
EXPECTED = [
    line.split("\t") for line in (OUTPUTS / "expected.tsv").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize(("name", "kind", "where"), EXPECTED, ids=[row[0] for row in EXPECTED])
def test_a_real_output_is_read_as_its_failure(name, kind, where):
    signature = _read(name)
    assert signature is not None
    assert (signature.kind, signature.where) == (kind, where)


READERS = printed.readers()


@pytest.mark.parametrize("reader", READERS, ids=[each.name for each in READERS])
def test_without_a_reader_some_output_is_read_otherwise(reader, monkeypatch):
    """A reader that another one makes superfluous, by its place or its pattern, is a mistake."""
    expected = {name: (kind, where) for name, kind, where in EXPECTED}
    others = tuple(each for each in READERS if each is not reader)
    monkeypatch.setattr(printed, "readers", lambda: others)
    assert any(_described(_read(name)) != expected[name] for name in expected)


def _read(name: str) -> Signature | None:
    outcome = Outcome(exit_code=1, signal=None, stderr=(OUTPUTS / f"{name}.txt").read_bytes())
    return read_signature(outcome, Criteria(exit_code=(1,)))


def _described(signature: Signature | None) -> tuple[str, str] | None:
    return signature and (signature.kind, signature.where)
