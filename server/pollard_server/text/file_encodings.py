"""The encoding of an open file, which LSP does not tell: the file is compared with the buffer."""

from __future__ import annotations

from itertools import chain

from pollard.syntax.encodings.encoding import (
    LATIN_1,
    UTF_8,
    UTF_8_WITH_MARK,
    Encoding,
    encoding_of,
)

# What editors offer for files that say nothing; the narrower ones first.
_OFFERED_CODECS = (
    *("cp1252", "latin-1", "iso8859-15", "cp1250", "cp1251", "koi8-r", "cp1253", "cp1254"),
    *("cp1257", "iso8859-2", "iso8859-5", "mac_roman", "cp437", "cp850", "cp866"),
    *("cp932", "euc_jp", "cp949", "gb18030", "cp950", "utf-16-le", "utf-16-be"),
)

#: What editors show for a byte that is not in the encoding that they assume.
REPLACEMENT = "\ufffd"


def encoding_in_editor(file: bytes, text: str, known: Encoding = UTF_8) -> Encoding | None:
    """Return the encoding by which an editor made the text of a buffer from a file; None if unknown.

    The `known` one is kept where it fits: what remains of a reduced file may tell nothing any more. If
    the buffer has another text than the file, the answer is what the file tells, provided that it can
    express the buffer's text.
    """
    told = encoding_of(file)
    if (found := _encoding_that_gives(file, text, known, told)) is not None:
        return found
    is_certain = told.private is None and told != LATIN_1
    return told if is_certain and _can_express(told, text) else None


def is_saved(file: bytes, text: str, known: Encoding) -> bool:
    """Return whether the text of a buffer is that of its file, as some editor would show it."""
    found = _encoding_that_gives(file, text, known, encoding_of(file))
    return found is not None or loses_bytes(file, text)


def _encoding_that_gives(
    file: bytes, text: str, known: Encoding, told: Encoding
) -> Encoding | None:
    """Return the first encoding in which a file has a text; `told` is what the file itself tells."""
    shown = _plain(text)
    others = () if told == UTF_8 else _OFFERED_CODECS
    for possible in chain((known, told, UTF_8_WITH_MARK), map(Encoding, others)):
        read = _read(file, possible)
        if possible.private is None and read is not None and _plain(read) == shown:
            return possible
    return None


def loses_bytes(file: bytes, text: str) -> bool:
    """Return whether the buffer has replacement characters in the place of bytes of the file."""
    is_shown = REPLACEMENT in text and _plain(file.decode("utf-8", "replace")) == _plain(text)
    return is_shown and _read(file, UTF_8) is None


def _read(file: bytes, encoding: Encoding) -> str | None:
    """Return the text of a file in an encoding; None if it is in another one."""
    try:
        text = encoding.decoded(file)
        return text.decode() if encoding.encoded(text) == file else None
    except UnicodeError:
        return None


def _can_express(encoding: Encoding, text: str) -> bool:
    return encoding.encoded(text.encode("utf-8", "replace")) is not None


def _plain(text: str) -> str:
    """Return a text with the one kind of line ends that all editors know, and none at the end."""
    return text.replace("\r\n", "\n").rstrip("\n")
