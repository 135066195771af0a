"""The encoding of an open file is found, whatever the editor makes of its line ends."""

from __future__ import annotations

import pytest

from pollard.syntax.encodings.encoding import LATIN_1, UTF_8, UTF_8_WITH_MARK, Encoding
from pollard_server.text.file_encodings import encoding_in_editor, loses_bytes

TEXT = "größer\nals\n"


@pytest.mark.parametrize("shown", [TEXT, TEXT.replace("\n", "\r\n"), TEXT.rstrip("\n")])
@pytest.mark.parametrize("codec", ["utf-8", "latin-1", "utf-16", "cp850", "utf-8-sig"])
def test_the_buffer_tells_the_encoding(codec: str, shown: str) -> None:
    file = TEXT.encode(codec)
    encoding = encoding_in_editor(file, shown)
    assert encoding is not None
    assert encoding.encoded(TEXT.encode()) == file


def test_a_mark_that_the_editor_shows_is_a_character() -> None:
    file = TEXT.encode("utf-8-sig")
    assert encoding_in_editor(file, TEXT) == UTF_8_WITH_MARK
    assert encoding_in_editor(file, f"\ufeff{TEXT}") == UTF_8


def test_an_encoding_that_the_file_does_not_declare_is_that_of_the_buffer() -> None:
    assert encoding_in_editor("привет".encode("koi8-r"), "привет") == Encoding("koi8-r")


def test_the_known_encoding_stays_while_it_fits() -> None:
    """A reduced file may be ASCII alone, and its encoding is needed when the original is restored."""
    assert encoding_in_editor(b"als\n", "als\n", LATIN_1) == LATIN_1
    assert encoding_in_editor("größer".encode(), "größer", LATIN_1) == UTF_8


def test_with_unsaved_changes_a_declaration_decides() -> None:
    file = '<?xml version="1.0" encoding="windows-1251"?><a>да</a>'.encode("cp1251")
    assert encoding_in_editor(file, "<a>нет</a>") == Encoding("cp1251")
    assert encoding_in_editor(file, "<a>漢</a>") is None
    assert encoding_in_editor("größer".encode("latin-1"), "kleiner") is None


def test_bytes_that_the_editor_shows_as_replacement_characters_are_noticed() -> None:
    assert loses_bytes(b"a \xff b", "a \ufffd b")
    assert not loses_bytes(b"a \xff b", "a \xff b")
    assert not loses_bytes("a \ufffd b".encode(), "a \ufffd b")
