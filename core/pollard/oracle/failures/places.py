"""What a program names when it fails: places in files, such as `orders.py", line 12`, and values."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pollard.oracle.verdict import Outcome


# `x.c:3`, `x.ts(3`, `x.php on line 3`, `"x.py", line 3`.
_LINE = rb"(?::|\(|[,:]? (?:on |at )?line )(\d{1,9})"
_LINE_AFTER_NAME = rb"""["')]*""" + _LINE
_BETWEEN_NAMES = re.compile(rb"""[\s"'()<>:,]""")
# A test runner begins paths at the folder of a package.
_UPWARDS = re.compile(rb"^/(?:\.\.?/)+")
# In a longer path the end is enough, and in a longer output what names many places is no failure.
_MAX_PATH_BYTES = 512
_MAX_READ_PLACES = 10_000
# A deep recursion repeats few lines, and hardly more of them are needed to find what failed.
_MAX_LINES = 64
# In quotes, as the class of an object: `#<Order:0x01>`, `an instance of Order`, `Order::total()`, or as
# its method: `total() on null`; or as a variable: `rows is not iterable`, `rows.map is not a function`.
_QUOTED = re.compile(
    rb"""[`'"]([\w.:/@+-]{1,64})['"`]|(?:#<|instance of )(\w{1,64})"""
    rb"""|\b(\w{1,64})(?=::\w+\(\)|\(\) on )"""
    rb"""|(?<![\w.])(\w{1,64})(?=[\w.]{0,64}(?:\(\.{3}\)[\w.]{0,64})? is not (?:a |iterable))"""
)
# No part of a path, and no file with its suffix and line.
_NAME = re.compile(rb"""(?<![\w/-])[^\W\d]\w*(?![\w/\\-]|\.\w+["']?[:,(])""")
# A number beyond the length of what it is an index of.
_INDEX = re.compile(rb"(?:\b(?:index|range)|__n|__pos)\b\D{0,20}?(\d{1,9})\b", re.IGNORECASE)
_LENGTH = re.compile(rb"\b(?:len|length|size|capacity)\b\D{0,20}?(\d{1,9})\b", re.IGNORECASE)
_MAX_LENGTH = 999
_MAX_QUOTING_BYTES = 16_384
_MAX_WORDS = 4
# Between the words of a message: quotes, escapes and placeholders. Where a program prints its own text,
# or many messages, none is known to be that of the failure.
_AROUND_WORDS = re.compile(rb"""[$%#@]?\{[^{}"'`\s]*\}|["'`<>{}]|\\.|[$%@][-+.]?\w+""")
_MIN_MESSAGE_BYTES = 8
_MAX_MESSAGES = 4
_MAX_PRINTING_BYTES = 65_536


def named_lines(outcome: Outcome, filename: str) -> tuple[int, ...]:
    """Return the numbers of the lines of a file that a run's output names, in the order of the output.

    Lines are counted from 1; each is returned once. Whatever folder the file is in counts.
    """
    name = re.escape(filename.encode("utf-8", "surrogateescape"))
    pattern = re.compile(rb"(?<![\w.-])" + name + _LINE_AFTER_NAME)
    found = (int(match[1]) for match in pattern.finditer(outcome.stderr + b"\n" + outcome.stdout))
    return tuple(dict.fromkeys(found))[:_MAX_LINES]


def printing_lines(outcome: Outcome, text: bytes) -> tuple[int, ...]:
    """Return the number of the line of a text whose message a run's output has last, if one has.

    A message is in quotes and has several words. A whole line is none: tools repeat what they read.
    What is on standard error comes first. Lines are counted from 1.
    """
    if len(text) > _MAX_PRINTING_BYTES:
        return ()
    told = [(line.strip(), _messages(line)) for line in text.split(b"\n")]
    for output in (outcome.stderr, outcome.stdout):
        printed = output[-_MAX_QUOTING_BYTES:]
        found = {
            number: max(map(printed.rfind, messages))
            for number, (line, messages) in enumerate(told, 1)
            if messages and line not in printed
        }
        found = {number: place for number, place in found.items() if place >= 0}
        if found:
            last = max(found, key=lambda number: found[number])
            return (last,) if len(found) <= _MAX_MESSAGES else ()
    return ()


def _messages(line: bytes) -> list[bytes]:
    _, *after = re.split(rb"""["'`]""", line, maxsplit=1)
    pieces = (piece.strip() for rest in after for piece in _AROUND_WORDS.split(rest))
    return [piece for piece in pieces if len(piece) >= _MIN_MESSAGE_BYTES and b" " in piece]


def named_places(outcome: Outcome, paths: Collection[bytes]) -> tuple[tuple[bytes, int], ...]:
    """Return the files of a tree that a run's output names, with lines, in the order of the output.

    `paths` are those of the tree's files. Of files with one name, that with the longest path counts
    which the output has; if it has only the end of a path, that must be the end of no other. Lines are
    counted from 1, and each place is returned once.
    """
    by_name: dict[bytes, list[bytes]] = {}
    for path in sorted(paths, key=len, reverse=True):
        by_name.setdefault(path.rpartition(b"/")[2], []).append(path)
    output = outcome.stderr + b"\n" + outcome.stdout
    places = (
        (named, int(match[1]))
        for match in islice(re.finditer(_LINE, output), _MAX_READ_PLACES)
        if (named := _path_at_end(_before(output, match.start()), by_name)) is not None
    )
    return tuple(dict.fromkeys(places))[:_MAX_LINES]


def named_words(outcome: Outcome, texts: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return what a run's output quotes and one of some texts has, in the order of the output.

    So does it with the class of an object, which not all languages quote. Quotes in lines of the texts,
    which a list of calls repeats, come last.

    It may be a value that failed, such as the `west` of `KeyError: 'west'`.
    """
    output = outcome.stderr + b"\n" + outcome.stdout
    repeated: dict[bytes, bool] = {}
    for line in output[-_MAX_QUOTING_BYTES:].splitlines():
        words = [each[each.lastindex or 0] for each in _QUOTED.finditer(line)]
        is_of_text = bool(words) and any(line.strip() in text for text in texts)
        for word in words:
            repeated[word] = repeated.get(word, True) and is_of_text
    had = (word for word in repeated if any(word in text for text in texts))
    return tuple(sorted(had, key=lambda word: repeated[word])[:_MAX_WORDS])


def named_bounds(outcome: Outcome) -> tuple[int, int] | None:
    """Return the index and the length that a run's output names where one is beyond the other.

    So do `the len is 3 but the index is 5`, `range [5] with length 3` and `__n (which is 5) >=
    this->size() (which is 3)`. None if it names none, or a length that would be that of no example.
    """
    output = (outcome.stderr + b"\n" + outcome.stdout)[-_MAX_QUOTING_BYTES:]
    for line in output.splitlines():
        index, length = _INDEX.search(line), _LENGTH.search(line)
        if index and length and int(length[1]) <= _MAX_LENGTH:
            return int(index[1]), int(length[1])
    return None


def names_at_places(outcome: Outcome) -> tuple[bytes, ...]:
    """Return the names in those lines of a run's output that name a place, in its order.

    They stand before or after the place, as in `x.py", line 3, in load`.
    """
    output = (outcome.stderr + b"\n" + outcome.stdout)[-_MAX_QUOTING_BYTES:]
    lines = [line for line in output.splitlines() if re.search(_LINE, line)]
    # The first may be the message with its place, as in Perl and Lua.
    lines = [line for line in lines[:1] if b"in " in line] + lines[1:]
    return tuple(dict.fromkeys(name for line in lines for name in _NAME.findall(line)))


def _before(output: bytes, end: int) -> bytes:
    return output[max(end - _MAX_PATH_BYTES, 0) : end]


def _path_at_end(output: bytes, by_name: Mapping[bytes, list[bytes]]) -> bytes | None:
    """Return the path with which an output ends, if there is one."""
    printed = _BETWEEN_NAMES.split(output.rstrip(b"\"')"))[-1].replace(b"\\", b"/")
    same_name = by_name.get(printed.rpartition(b"/")[2], [])
    for path in same_name:
        if (b"/" + printed).endswith(b"/" + path):
            return path
    inside = _UPWARDS.sub(b"/", b"/" + printed)
    ends = [path for path in same_name if (b"/" + path).endswith(inside)]
    return ends[0] if len(ends) == 1 else None
