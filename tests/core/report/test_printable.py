"""What cannot be seen is shown as an escape, so that a report hides nothing."""

from __future__ import annotations

import pytest

from pollard.report.printable import printable, printable_output, printable_text
from pollard.syntax.encodings.encoding import encoding_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\r\nc\n", "a\tb\nc\n"),
        ("\0\x1b[2J", r"\x00\x1b[2J"),
        ("a\u202eb\ufeff", r"a\u202eb\ufeff"),
        ("héllo 🌳", "héllo 🌳"),
        ("\udcff", r"\udcff"),
    ],
)
def test_invisible_characters_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (b"plain\n", "plain\n"),
        (b"caf\xc3\xa9 \xff|", r"café \xff|"),
        ("# coding: latin-1\n# é".encode("latin-1"), "# coding: latin-1\n# é"),
        ("\ufeffmarked".encode("utf-16-le"), "marked"),
    ],
)
def test_bytes_that_are_no_text_are_escaped(content: bytes, shown: str) -> None:
    assert printable_text(content, encoding_of(content)) == shown


def test_colours_of_a_terminal_are_left_out_of_the_output() -> None:
    assert printable_output("\x1b[1;31merror\x1b[0m: \x1b]8;;x\x07bad\x07") == r"error: bad\x07"
