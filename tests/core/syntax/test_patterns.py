"""Queries say what they say in every grammar: predicates are evaluated here, not by the binding."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pollard.syntax.grammars import patterns
from pollard.syntax.grammars.patterns import Patterns
from tests.core.syntax.samples import parsed

TEXT = b"let one = f(two); /* f */ g('three')"


def found(query: str) -> list[bytes]:
    document = parsed("javascript", TEXT)
    assert document.language is not None
    matches = Patterns(query, document.language).matches(document.root, TEXT)
    return [node.text or b"" for _, _, captures in matches for node in captures.get("x", ())]


@pytest.mark.parametrize(
    ("predicate", "names"),
    [
        ('(#eq? @x "f")', [b"f"]),
        ("(#eq? @x f)", [b"f"]),
        ('(#not-eq? @x "f")', [b"one", b"two", b"g"]),
        ('(#any-of? @x "f" "two")', [b"f", b"two"]),
        ('(#not-any-of? @x "f" "two")', [b"one", b"g"]),
        ('(#match? @x "^.$")', [b"f", b"g"]),
        ('(#match? @x "(?i)O")', [b"one", b"two"]),
        ('(#not-match? @x "^\\\\w{3}$")', [b"f", b"g"]),
        ('(#match? @x "^.$") (#not-eq? @x "g")', [b"f"]),
        ('(#eq? @x "f") (#set! language "l")', [b"f"]),
        ("(#has-parent? @x arguments variable_declarator)", [b"one", b"two"]),
        ("(#not-has-parent? @x arguments)", [b"one", b"f", b"g"]),
    ],
)
def test_predicates(predicate: str, names: list[bytes]) -> None:
    assert found(f"((identifier) @x {predicate})") == names


def test_a_capture_can_be_compared_with_another() -> None:
    query = "(program (_ (_ name: (identifier) @x)) (_ (_ (identifier) @y)) (#{} @x @y))"
    assert found(query.format("eq?")) == []
    assert found(query.format("not-eq?")) == [b"one"]


def test_settings_and_numbers_belong_to_their_patterns() -> None:
    document = parsed("javascript", TEXT)
    assert document.language is not None
    query = """
    ; a comment with ( and "
    ((comment) @c (#set! a "x \\"y\\"") (#set! b))
    [(string) (number)] @s
    """
    matches = Patterns(query, document.language).matches(document.root, TEXT)
    assert [(number, dict(settings)) for number, settings, _ in matches] == [
        (0, {"a": 'x "y"', "b": None}),
        (1, {}),
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        "(no_such_node) @x",
        '((identifier) @x (#lua-match? @x "o"))',
        "((identifier) @x (#offset! @x 0 1 0 -1))",
        '((identifier) @x (#match? @x "("))',
        "((identifier) @x (#eq? @x))",
    ],
)
def test_what_is_not_understood_is_left_out_alone(pattern: str) -> None:
    assert found(f"{pattern}\n(comment) @x") == [b"/* f */"]


def test_only_the_matches_in_a_span() -> None:
    document = parsed("javascript", TEXT)
    assert document.language is not None
    identifiers = Patterns("(identifier) @x", document.language)
    matches = identifiers.matches(document.root, TEXT, (10, 16))
    names = [captures["x"][0].text for _, _, captures in matches]
    assert names == [b"f", b"two"]


def test_a_long_text_is_not_searched_once_for_each_of_many_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each search passes all siblings before its piece, so the time grew with the square."""
    text = b"f(1);" * 250_000
    searches = []
    make = patterns.QueryCursor
    monkeypatch.setattr(
        patterns, "QueryCursor", lambda query: searches.append(query) or make(query)
    )
    document = parsed("javascript", text)
    assert document.language is not None
    calls = Patterns("(call_expression) @x", document.language)
    assert sum(1 for _ in calls.matches(document.root, text)) == 250_000
    assert 1 < len(searches) <= 16


def test_predicates_beside_settings_do_not_harm_the_process() -> None:
    """The binding itself writes beyond its memory for such a query; here it never sees one."""
    code = (
        "import gc\n"
        "from pollard.syntax.grammars.languages import find\n"
        "from pollard.syntax.grammars.patterns import Patterns\n"
        "language = find('xml').language\n"
        'pattern = \'((Name) @x @y (#eq? @y "style") (#set! lang "css"))\'\n'
        "for _ in range(2000):\n"
        "    Patterns(pattern * 2, language)\n"
        "gc.collect()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
