"""Files in any encoding are reduced by their trees, and keep their encoding."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard import reduce
from pollard.oracle import CommandOracle
from pollard.syntax.grammars.languages import find
from tests.core.reductions import Watched, plan, watched
from tests.examples import examples

# About what a search by lines and bytes needs many hundreds of runs for.
_MAX_RUNS = 120


def parsed_by(*script: str) -> CommandOracle:
    """An oracle that is a Python script with the candidate as `sys.argv[1]`."""
    return CommandOracle((sys.executable, "-c", "\n".join(script), "{file}"))


def catalogue(codec: str) -> bytes:
    """An XML file with Cyrillic names, elements, attributes and comments."""
    items = "".join(
        f'  <товар номер="{n}" цена="{n * 7}"><!-- комментарий {n} -->\n'
        f"    <имя>Название товара {n}</имя><склад>Москва</склад>\n  </товар>\n"
        for n in range(60)
    )
    broken = '  <товар номер="x"><имя>ошибка</имя></товар>\n'
    text = f'<?xml version="1.0" encoding="{codec}"?>\n<каталог>\n{items}{broken}</каталог>\n'
    return text.encode(codec)


def xml(text: bytes, pause: float = 0, **options) -> Watched:
    """Reduce an XML file with a parser that must find the word `ошибка` in an element."""
    oracle = parsed_by(
        "import sys, time, xml.etree.ElementTree as tree",
        f"time.sleep({pause})",
        "root = tree.parse(sys.argv[1]).getroot()",
        "sys.exit(not any('ошибка' in (each.text or '') for each in root.iter()))",
    )
    options = {"filename": "case.xml", "grammar": find("xml"), **options}
    return watched(plan(text=text, oracle=oracle, **options))


@pytest.mark.exhaustive
@pytest.mark.parametrize("codec", ["windows-1251", "koi8-r", "utf-16"])
def test_an_xml_file_is_reduced_like_the_same_file_in_utf_8(codec: str) -> None:
    seen, usual = xml(catalogue(codec)), xml(catalogue("utf-8"))
    text = seen.result.text.decode(codec)
    assert "ошибка" in text
    assert len(text) < 70
    assert seen.result.counts.runs <= usual.result.counts.runs + 20 < _MAX_RUNS
    assert any("encoding" in note for note in seen.result.notes)
    assert seen.result.reduced.bytes == len(seen.result.text)
    for accepted in seen.texts:
        accepted.decode(codec)


@pytest.mark.exhaustive
def test_several_jobs_accept_the_same_texts() -> None:
    text = catalogue("windows-1251")
    # Long enough for a search in a process of its own, which sends its texts.
    alone, together = (xml(text, pause=0.06, cache=False, jobs=jobs) for jobs in (1, 2))
    assert together.texts == alone.texts
    assert together.result.counts.runs == alone.result.counts.runs


@pytest.mark.exhaustive
def test_a_resumed_reduction_reads_the_journal_in_the_same_encoding(tmp_path) -> None:
    text = catalogue("windows-1251")
    first = xml(text, journal=tmp_path)
    again = xml(text, journal=tmp_path, resume=True)
    assert again.result.text == first.result.text
    assert again.texts == []


def c_file(line: str, needle: str, codec: str) -> bytes:
    """A C file with forty times a line and its number, and a function in the middle."""
    lines = [line.replace("%", str(n)) for n in range(40)]
    text = "".join([*lines[:20], f"int f(void) {{\n  {needle}\n}}\n", *lines[20:]])
    return text.encode(codec, "surrogateescape")


def test_a_byte_that_looks_like_a_backslash_is_part_of_its_character() -> None:
    """In Shift-JIS; a grammar that reads bytes sees escaped quotes, and strings without an end."""
    needle = 'return needle("ひょうじソ");'
    text = c_file('char *a% = "ひょうじソ";\nint b% = %;\n', needle, "shift_jis")
    assert text.count(b'\\";') + text.count(b'\\")') == 41
    seen: list[bytes] = []

    def interesting(text: bytes) -> bool:
        seen.append(text)
        return b"needle" in text and "ソ".encode("shift_jis") in text

    result = reduce(text, interesting, filename="x.c", checks=1)
    assert result.counts.runs <= _MAX_RUNS
    assert "needle" in result.text.decode("shift_jis")
    assert not [text for text in seen if text.decode("shift_jis").count('"') % 2]


@pytest.mark.parametrize("stray", ["\udcff", "\udce9 größer"])
def test_a_stray_byte_in_a_comment_does_not_cost_the_tree(stray: str) -> None:
    text = c_file("int a% = f(%);\n", f"needle(1); /* {stray} */", "utf-8")
    byte = stray[0].encode("utf-8", "surrogateescape")
    result = reduce(text, lambda t: b"needle(" in t and byte in t, filename="x.c", checks=1)
    assert result.counts.runs <= _MAX_RUNS
    assert byte in result.text
    assert b"\xf4" not in result.text  # where the private character of the byte would begin
    assert len(result.text) < 30


def test_a_region_of_a_wide_file_is_a_part_of_its_bytes() -> None:
    text = "a needle b\nc needle d\n".encode("utf-16")
    half = 2 + 2 * len("a needle b\n")
    result = reduce(
        text, lambda t: "needle" in t.decode("utf-16"), filename="x.txt", region=(half, len(text))
    )
    assert result.text.decode("utf-16") == "a needle b\n"


def test_plain_text_is_reduced_by_characters_in_any_encoding() -> None:
    text = "eins größer\nzwei größer\n".encode("utf-16-be")
    seen: list[bytes] = []

    def interesting(text: bytes) -> bool:
        seen.append(text)
        return "zwei ö" in text.decode("utf-16-be").replace("gr", "")

    assert reduce(text, interesting, language="none").text.decode("utf-16-be") == "zwei ö"
    assert not any(len(text) % 2 for text in seen)


@examples(30)
@given(st.binary(max_size=60), st.binary(min_size=1, max_size=2))
def test_any_file_is_reduced_and_the_result_is_interesting(file: bytes, needle: bytes) -> None:
    """Also where all encodings are mixed, and where what must stay is a part of a character."""
    text = file + needle
    result = reduce(text, lambda t: needle in t, checks=1)
    assert needle in result.text
    assert len(result.text) <= len(text)
