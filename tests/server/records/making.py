"""Makes records as a reduction does."""

from __future__ import annotations

from pollard.events import Counts, Reduced
from pollard.journal import Journal, JournalHeader
from pollard.oracle import OtherFailure, Signature
from pollard_server.records import Record, Records

URI = "file:///home/me/crash.c"
ORIGINAL = b"int main(void)\r\n{ return \xf0\x9f\x98\x80 \xff; }\n"
TEXTS = [b"int main(void) { return; }\n", b"int main(){}\n", b"main(){}"]
OTHERS = [
    OtherFailure(Signature("NameError", where="line 1"), b"a", 3),
    OtherFailure(Signature("SIGSEGV"), b"ab"),
]
HEADER = JournalHeader(file="crash.c", oracle="abc", strategy="default", region=(0, 9), guard=True)


def records(uri: str = URI, name: str = "crash.c") -> Records:
    return Records(uri, name)


def begun(place: Records | None = None, original: bytes = ORIGINAL, **known) -> Record:
    return (place or records()).begin(original=original, **{"oracle": "gcc", **known})


def reduced(record: Record, texts: list[bytes], *, first: int = 1) -> None:
    """Do what the engine and the job do for each accepted text: first journal it, then the step."""
    if first == 1:
        journal = Journal.begin(record.directory, HEADER, record.original)
    else:
        journal = Journal.load(record.directory)
        journal.cut(first - 1)
    for number, text in enumerate(texts, first):
        journal.append(text)
        record.add_step(event(number, text))
    journal.close()


def event(number: int, text: bytes) -> Reduced:
    counts = Counts(runs=10 * number, seconds=number / 2)
    return Reduced(text=text, number=number, where=f"hddh level {number}", counts=counts)


def left_behind(record: Record) -> None:
    """Make the record look as if the server that wrote it had been killed."""
    file = record.directory / "record.json"
    content = file.read_text(encoding="utf-8")
    assert '"status": "running"' in content
    head, _, tail = content.partition('"process": [')
    file.write_text(f'{head}"process": [{2**30}, 1.0]{tail.partition("]")[2]}', encoding="utf-8")
