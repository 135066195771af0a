"""The encoding of a file: how its bytes become the text of the engine, and how that becomes bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from pollard.syntax.encodings.declarations import declared_codecs

if TYPE_CHECKING:
    from collections.abc import Iterator

# So much of a file tells whether it is a text.
_HEAD_BYTES = 8192

_FIRST_SURROGATE, _SURROGATES = 0xD800, 0x800
_SURROGATE = re.compile("[\ud800-\udfff]")

# Blocks of plane 16, which is for private use; its last two code points are no characters.
_PRIVATE_BLOCKS = range(0x100000, 0x110000 - _SURROGATES, _SURROGATES)


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding of one file. Text is UTF-8, and the file's bytes are those of `codec` after `bom`.

    Bytes that are none of the codec's characters become private characters, which count from
    `private` and do not occur in the file otherwise. None: there are no such bytes.
    """

    codec: str = "utf-8"
    bom: bytes = b""
    private: int | None = None

    @property
    def is_utf8(self) -> bool:
        """Whether text and file have the same bytes."""
        return self == UTF_8

    @property
    def note(self) -> str | None:
        """A sentence for the user; None for UTF-8."""
        if self in (UTF_8, UTF_8_WITH_MARK):
            return None
        if self == LATIN_1:
            return "The file is not valid UTF-8 and declares no encoding: it is read byte for byte."
        exception = "" if self.private is None else ", except for some bytes"
        return f"The file is read in the encoding {self.codec}{exception}."

    def decoded(self, file: bytes) -> bytes:
        """Return the text for a file's bytes. Raises UnicodeError if they are not in this encoding."""
        if self.is_utf8:
            return file
        characters = file.removeprefix(self.bom).decode(self.codec, self._errors)
        if self.private is not None:
            shift = self.private - _FIRST_SURROGATE
            characters = _SURROGATE.sub(lambda found: chr(ord(found[0]) + shift), characters)
        return characters.encode()

    def encoded(self, text: bytes) -> bytes | None:
        """Return the bytes of the file for a text; None if this encoding cannot express the text."""
        if self.is_utf8:
            return text
        try:
            return self.bom + self._restored(text.decode()).encode(self.codec, self._errors)
        except UnicodeError:
            return None

    def _restored(self, characters: str) -> str:
        """Return the characters with surrogates in the place of private characters."""
        if self.private is None:
            return characters
        shift = self.private - _FIRST_SURROGATE
        block = f"[{chr(self.private)}-{chr(self.private + _SURROGATES - 1)}]"
        return re.sub(block, lambda found: chr(ord(found[0]) - shift), characters)

    @property
    def _errors(self) -> str:
        """How the codec writes what is no character: single bytes, or code units that lack a pair."""
        return "surrogatepass" if self.codec.startswith(("utf-16", "utf-32")) else "surrogateescape"

    def span_in_text(self, file: bytes, span: tuple[int, int]) -> tuple[int, int]:
        """Return the part of the text for a part (start, end) of a file in this encoding.

        A character that is partly outside is left outside.
        """
        if self.is_utf8:
            return span
        text = self.decoded(file)
        start = self._offset_in_text(file, text, span[0], 1)
        return start, max(start, self._offset_in_text(file, text, span[1], -1))

    def _offset_in_text(self, file: bytes, text: bytes, offset: int, step: int) -> int:
        while len(self.bom) < offset < len(file):
            try:
                before = self.decoded(file[:offset])
            except UnicodeError:  # in the middle of a character
                before = None
            if before is not None and text.startswith(before):
                return len(before)
            offset += step
        return len(text) if offset >= len(file) else 0

    def span_in_file(self, text: bytes, span: tuple[int, int]) -> tuple[int, int]:
        """Return the part of the file for a part of its text that begins and ends with a character."""
        start, end = (len(self.encoded(text[:offset]) or b"") for offset in span)
        return start, end


UTF_8 = Encoding()

# Some editors hide the mark. In files, it is a character as any other.
UTF_8_WITH_MARK = Encoding(bom=b"\xef\xbb\xbf")

# Each byte is a character, so this is exact for any file.
LATIN_1 = Encoding("latin-1")


def encoding_of(file: bytes) -> Encoding:
    """Return an encoding for the bytes of a file that gives back every one of them.

    A byte order mark comes first, then UTF-16 and UTF-32 without one, valid UTF-8, what the file
    declares, Shift-JIS, UTF-8 with some other bytes, and Latin-1.
    """
    possible = chain(_wide(file), _narrow(file))
    return next(filter(None, (_exact(each, file) for each in possible)), LATIN_1)


def is_binary(content: bytes) -> bool:
    """Return whether a file is no text: it has a zero byte early on, and is not UTF-16 or UTF-32."""
    head = content[:_HEAD_BYTES]
    return b"\0" in head and not encoding_of(head).codec.startswith(("utf-16", "utf-32"))


def text_of(file: bytes) -> bytes:
    """Return the text of a file, in UTF-8."""
    return encoding_of(file).decoded(file)


def _exact(encoding: Encoding, file: bytes) -> Encoding | None:
    """Return the encoding, with room for other bytes if needed; None if it changes any byte."""
    try:
        characters = file.removeprefix(encoding.bom).decode(encoding.codec, encoding._errors)
        if _SURROGATE.search(characters):
            block = _unused_block(characters)
            if block is None:
                return None
            encoding = replace(encoding, private=block)
        return encoding if encoding.encoded(encoding.decoded(file)) == file else None
    except UnicodeError:
        return None


def _unused_block(characters: str) -> int | None:
    used = {ord(character) // _SURROGATES for character in set(characters)}
    return next((block for block in _PRIVATE_BLOCKS if block // _SURROGATES not in used), None)


# UTF-32's first: in little-endian order it begins like UTF-16's.
_MARKS = {
    b"\xff\xfe\0\0": "utf-32-le",
    b"\0\0\xfe\xff": "utf-32-be",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
}


def encoding_named(codec: str, *, marked: bool) -> Encoding:
    """Return the encoding by Python's name of it, for a file that begins with a mark or not."""
    if not marked or codec == UTF_8.codec:
        return UTF_8_WITH_MARK if marked else Encoding(codec)
    return Encoding(codec, next((mark for mark, wide in _MARKS.items() if wide == codec), b""))


# For a code unit's bytes, whether most of them are zero in a text that is mostly ASCII.
_ZEROS = {
    "utf-32-le": (False, True, True, True),
    "utf-32-be": (True, True, True, False),
    "utf-16-le": (False, True),
    "utf-16-be": (True, False),
}


def _wide(file: bytes) -> Iterator[Encoding]:
    """Yield the encodings with code units of two or four bytes that the file may have."""
    for bom, codec in _MARKS.items():
        if file.startswith(bom):
            yield Encoding(codec, bom)
    if b"\0" in file:
        for codec, zeros in _ZEROS.items():
            if all(
                _is_mostly_zero(file[at :: len(zeros)]) is zero for at, zero in enumerate(zeros)
            ):
                yield Encoding(codec)


def _is_mostly_zero(column: bytes) -> bool:
    return 2 * column.count(0) > len(column)


def _narrow(file: bytes) -> Iterator[Encoding]:
    """Yield the encodings with code units of one byte that the file may have."""
    if _is_utf8(file):
        yield UTF_8
        return
    yield from (Encoding(codec) for codec in declared_codecs(file))
    if _looks_japanese(file):
        yield Encoding("cp932")
    if _UTF_8_CHARACTER.search(file):
        yield UTF_8


def _is_utf8(file: bytes) -> bool:
    try:
        file.decode()
    except UnicodeDecodeError:
        return False
    return True


_UTF_8_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_KANA = re.compile("[\u3041-\u30fc]")
_NOT_ASCII = re.compile("[^\0-\x7f]")


def _looks_japanese(file: bytes) -> bool:
    """Return whether the file is valid Shift-JIS of which a third is kana.

    Shift-JIS is recognised because its characters can end with the byte of a backslash.
    """
    try:
        characters = file.decode("cp932")
    except UnicodeError:
        return False
    return 3 * len(_KANA.findall(characters)) > len(_NOT_ASCII.findall(characters))
