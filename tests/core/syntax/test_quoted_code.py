"""Code in strings: which strings are code, and what it can replace."""

from __future__ import annotations

import pytest

from pollard.syntax.names.definitions import text_of
from pollard.syntax.names.quoted_code import quoted_code
from tests.core.passes.support import document


def _found(name: str, text: bytes) -> list[tuple[str, str]]:
    made = document(text, name)
    return [(code.decode(), text_of(node, text).decode()) for code, node in quoted_code(made)]


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("python", b'exec("f(1)")\n', "f(1)"),
        ("python", b'exec("""f(1)""")\n', "f(1)"),
        ("python", b"exec('d = {}\\nd[\\'a\\']')\n", "d = {}\nd['a']"),
        ("javascript", b"eval('new A(\"b\")');\n", 'new A("b")'),
        ("ruby", b"eval 'f(1)'\n", "f(1)"),
    ],
)
def test_a_string_that_parses_is_code_without_its_escapes(name, text, code):
    assert code in [found for found, _ in _found(name, text)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("python", b'print("word")\n'),
        ("python", b'print("a sentence, with a comma")\n'),
        ("python", b'print("f(")\n'),
        ("python", b"f(1)  # 'g(2)'\n"),
        ("c", b'char *s = "f(1";\n'),
        ("json", b'{"a": "f(1)"}\n'),
    ],
)
def test_words_sentences_comments_and_other_languages_are_no_code(name, text):
    assert _found(name, text) == []


def test_it_replaces_the_statement_around_it_or_the_whole_text():
    text = b'def f():\n    exec("g(1)")\n    h()\n'
    assert _found("python", text) == [("g(1)", 'exec("g(1)")'), ("g(1)", text.decode())]


def test_only_the_longest_few_strings_are_taken():
    text = b"".join(b'exec("f(%s)")\n' % (b"1" * number) for number in range(1, 9))
    assert {code for code, _ in _found("python", text)} == {
        f"f({'1' * number})" for number in range(5, 9)
    }
