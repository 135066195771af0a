"""After any crash records load, and neither the original nor accepted texts are lost."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pollard_server.records import Record, RecordError
from tests.server.records.making import begun, event, records, reduced

_documents = itertools.count()

TEXTS = st.lists(st.binary(max_size=12), max_size=5)
WRITTEN_LATER = st.sampled_from(["record.json", "steps", "reductions", "terms"])
"""All but the original, which is written once and appears whole."""


@given(
    original=st.binary(max_size=12),
    texts=TEXTS,
    cuts=st.lists(st.tuples(WRITTEN_LATER, st.floats(0, 1)), max_size=4),
    ending=st.sampled_from([None, "finished", "stopped"]),
    more=st.binary(max_size=12),
)
def test_files_truncated_anywhere_can_be_read(original, texts, cuts, ending, more):
    place = records(f"file:///{next(_documents)}.c")
    record = begun(place, original=original)
    reduced(record, texts)
    if ending:
        record.finish(ending)
    for name, share in cuts:
        cut(record, name, share)
    (read,) = records(place.uri).all()
    check_texts(read, original, texts)
    continue_if_possible(read, more)


def cut(record: Record, name: str, share: float) -> None:
    """Truncate a file of the record, or remove it if nothing of it would be left."""
    file = record.directory / name
    if file.exists():
        content = file.read_bytes()
        left = content[: int(len(content) * share)]
        if share:
            file.write_bytes(left)
        else:
            file.unlink()


def check_texts(read: Record, original: bytes, texts: list[bytes]) -> None:
    assert read.original == original
    assert read.text(0) == original
    assert read.best in [original, *texts]
    found = [read.text(number) for number in range(1, count(read) + 1)]
    assert found == texts[: len(found)]
    assert read.best == [original, *found][-1]
    assert [step.number for step in read.steps()] == list(range(1, len(read.steps()) + 1))
    assert read.can_continue_from(b"never seen, and longer than any") is False
    assert (read.bytes, read.runs, read.seconds) >= (0, 0, 0.0)


def count(read: Record) -> int:
    """Return the number of accepted texts that the record can still read."""
    try:
        read.text(10**6)
    except RecordError as error:
        return int(str(error).rstrip(".").rpartition(" ")[2])
    raise AssertionError("there cannot be so many")


def continue_if_possible(read: Record, more: bytes) -> None:
    """The next step follows the remaining ones, even in a file that ends in an incomplete line."""
    if read.status != "stopped" or not read.oracle:
        return
    before = read.steps()
    read.resume()
    read.add_step(event(len(before) + 1, more))
    again = records(read.uri).get(read.id)
    assert [step.number for step in again.steps()] == list(range(1, len(before) + 2))
    assert again.steps()[-1].bytes == len(more)
