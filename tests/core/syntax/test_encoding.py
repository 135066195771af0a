"""Any file becomes a UTF-8 text from which its bytes can be made again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.syntax.encodings.encoding import LATIN_1, UTF_8, Encoding, encoding_of, text_of

CODECS = (
    *("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "latin-1", "iso8859-15"),
    *("cp1250", "cp1251", "cp1252", "cp1253", "koi8-r", "mac_roman"),
    *("cp932", "shift_jis", "euc_jp", "euc_kr", "cp949", "gb18030", "big5", "cp950", "johab"),
)


@given(st.binary(max_size=40))
def test_every_file_comes_back_as_it_was(file: bytes) -> None:
    encoding = encoding_of(file)
    assert encoding.encoded(encoding.decoded(file)) == file
    encoding.decoded(file).decode()  # valid UTF-8, or the parser would misread it


@given(st.sampled_from(CODECS), st.binary(max_size=30), st.data())
def test_a_file_with_stray_bytes_comes_back_as_it_was(
    codec: str, stray: bytes, data: st.DataObject
) -> None:
    """Whatever the file declares, and whatever in it is not in the declared encoding."""
    text = data.draw(st.text(max_size=20)).encode(codec, "ignore")
    file = f"# coding: {codec}\n".encode() + text + stray
    encoding = encoding_of(file)
    assert encoding.encoded(encoding.decoded(file)) == file


@given(st.text(max_size=30), st.sampled_from([b"\xff\xfe", b"\xfe\xff"]), st.data())
def test_any_deletion_of_characters_can_be_encoded(
    text: str, mark: bytes, data: st.DataObject
) -> None:
    codec = "utf-16-le" if mark == b"\xff\xfe" else "utf-16-be"
    file = mark + text.encode(codec, "surrogatepass")
    encoding = encoding_of(file)
    start = data.draw(st.integers(0, len(text)))
    shorter = "".join(encoding.decoded(file).decode()[start:]).encode()
    encoded = encoding.encoded(shorter)
    assert encoded is not None
    assert encoding.decoded(encoded) == shorter


DECLARATIONS = {
    "XML": ('<?xml version="1.0" encoding="{}"?>\n<a>{}</a>', "windows-1251", "привет"),
    "HTML": ("<html>\n<META charset={}>\n{}", "koi8-r", "привет"),
    "HTML before 5": (
        '<meta http-equiv="Content-Type" content="text/html; charset={}">{}',
        "euc-kr",
        "안녕",
    ),
    "CSS": ('@charset "{}";\na::before {{ content: "{}" }}', "iso-8859-2", "źdźbło"),
    "Python": ("#!/usr/bin/python\n# -*- coding: {} -*-\nx = '{}'", "cp1252", "größer €"),
    "Ruby": ("# encoding: {}\nputs '{}'", "euc-jp", "表示"),
    "Emacs": ("/* -*- mode: c; coding: {}-unix -*- */\n// {}", "big5", "功能"),
    "Vim at the end": ("// {1}\n\n\n\n\n\n\nint x;\n// vim: set fenc={0} :\n", "gb2312", "你好"),
}


@pytest.mark.parametrize("name", DECLARATIONS)
def test_a_declared_encoding_is_used(name: str) -> None:
    pattern, codec, word = DECLARATIONS[name]
    text = pattern.format(codec, word)
    assert text_of(text.encode(codec)).decode() == text


@pytest.mark.parametrize("codec", ["utf-16", "utf-32", "utf-16-le", "utf-16-be", "utf-32-be"])
def test_wide_characters_are_read_with_and_without_a_mark(codec: str) -> None:
    text = "<p>größer</p>\n"
    assert text_of(text.encode(codec)).decode() == text


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"int x;",
        "größer".encode(),
        b"\xef\xbb\xbfint x;",
        b'<?xml encoding="cp1251"?>\xc3\xb6',
    ],
)
def test_valid_utf_8_stays_as_it_is(file: bytes) -> None:
    """Also with a mark, and whatever the file declares: it is what the grammar expects."""
    assert encoding_of(file) == UTF_8
    assert text_of(file) == file


def test_a_file_that_declares_nothing_is_read_byte_for_byte() -> None:
    assert encoding_of("größer\n".encode("latin-1")) == LATIN_1


def test_a_stray_byte_in_utf_8_leaves_the_other_characters_alone() -> None:
    text = text_of("größer ".encode() + b"\xff\n").decode()
    assert text.startswith("größer ")
    assert len(text) == len("größer .\n")


def test_stray_bytes_take_private_characters_that_the_file_does_not_use() -> None:
    taken = chr(0x100000 + 0x4FF)  # where the byte 0xff would go
    file = taken.encode() + b"\xff"
    encoding = encoding_of(file)
    assert encoding.decoded(file).decode()[0] == taken
    assert encoding.encoded(encoding.decoded(file)) == file


def test_shift_jis_is_recognised_since_its_characters_may_end_like_a_backslash() -> None:
    text = 'char *name = "ひょうじソ";\n'
    assert b"\\" in text.encode("shift_jis")
    assert text_of(text.encode("shift_jis")).decode() == text


def test_a_text_that_the_encoding_lacks_is_no_candidate() -> None:
    assert Encoding("cp1251").encoded("漢".encode()) is None
    assert Encoding("cp1251").encoded(b"\xd0") is None


def test_a_byte_order_mark_stays() -> None:
    file = "a".encode("utf-16")
    assert encoding_of(file).encoded(b"") == file[:2]


@pytest.mark.parametrize("codec", ["utf-16", "cp1251", "utf-8"])
def test_a_part_of_the_text_is_a_part_of_the_file(codec: str) -> None:
    file = '<?xml version="1.0" encoding="cp1251"?>\n<a>да</a>\n'.encode(codec)
    encoding = encoding_of(file)
    text = encoding.decoded(file)
    span = text.index("да".encode()), text.index(b"</a>")
    start, end = encoding.span_in_file(text, span)
    assert file[start:end] == "да".encode(codec if codec != "utf-16" else "utf-16-le")
    assert encoding.span_in_text(file, (start, end)) == span


def test_half_a_character_is_outside_a_part() -> None:
    file = "<a>да</a>".encode("utf-16")
    encoding = encoding_of(file)
    inner = encoding.span_in_text(file, (2 + 2 * 3 + 1, 2 + 2 * 5 - 1))
    assert encoding.decoded(file)[slice(*inner)] == b""
    assert encoding.span_in_text(file, (0, len(file))) == (0, len(encoding.decoded(file)))
    assert encoding.span_in_text(file, (1, 2)) == (0, 0)
