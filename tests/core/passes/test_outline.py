"""Where the grammar misreads all over, blocks go as the lines are indented."""

from __future__ import annotations

from pollard.passes.heaviest.heaviest import heavy
from pollard.passes.text.outline import (
    Piece,
    outline,
    pieces,
    reduce_brackets,
    reduce_outline,
)
from tests.core.passes.support import Case, document, in_order, reduced, squeezed

# Less, with an error in nearly every line for the grammar of SCSS.
LESS = b"""\
@screens: {
  small: 480px;
  large: 1120px;
};
.guard() when (default()) {
  @r: { color: red; };
  .rounded(@size; 2px);
}
.outer(@rules) when (ispixel(@size)) {
  @media (min-width: @screens[small]) {
    @rules();
    .needle(@primary; 3px);
  };
}
"""


def _blocks(text: str, closing: str = "}") -> list[tuple[int, list[int], int]]:
    lines = [
        Piece(0, 0, len(line) - len(line.lstrip()), closes=line.lstrip().startswith(closing))
        for line in text.splitlines()
    ]
    return [(block.depth, block.own, block.end) for block in outline(lines)]


def test_a_block_ends_with_the_line_that_closes_it() -> None:
    assert _blocks("a {\n  b\n  c\n}\nd") == [(0, [0, 3], 4), (1, [1], 2), (1, [2], 3), (0, [4], 5)]


def test_a_line_in_the_middle_closes_a_block_and_opens_no_other() -> None:
    assert _blocks("if a {\n  b\n} else {\n  c\n}\n") == [
        (0, [0, 2, 4], 5),
        (1, [1], 2),
        (1, [3], 4),
    ]


def test_without_closing_lines_a_block_ends_before_a_line_that_is_no_deeper() -> None:
    assert _blocks("a\n    b\n  c\nd") == [(0, [0], 3), (1, [1], 2), (1, [2], 3), (0, [3], 4)]


def test_lines_may_be_indented_ten_thousand_times() -> None:
    text = "\n".join(" " * depth + "x" for depth in range(10_000))
    assert [block[0] for block in _blocks(text)] == list(range(10_000))


def test_blocks_go_as_a_whole_and_give_way_to_what_is_in_them() -> None:
    assert document(LESS, "scss").errors * 4 > LESS.count(b"\n")
    case = Case(
        LESS, "scss", lambda text: b".needle(" in text and text.count(b"{") == text.count(b"}")
    )
    result = reduced(case, reduce_outline)
    assert result.text == b".needle(@primary; 3px);\n"
    assert len(result.judge.asked) < 12


def test_what_a_block_gave_way_to_is_reduced_in_its_place() -> None:
    text = LESS.replace(b"    @rules();\n", b"    .a {\n      @b;\n    };\n")
    case = Case(text, "scss", lambda text: in_order((b"@b;", b".needle("), text))
    assert reduced(case, reduce_outline).text == b"@b;\n.needle(@primary; 3px);\n"


def test_a_text_with_few_errors_costs_no_run() -> None:
    text = b"int needle;\nint other;\n" * 10 + b"}\n"
    assert document(text, "cpp").errors
    assert reduced(Case(text, "cpp", lambda _: True), reduce_outline).judge.asked == []


def test_a_short_text_with_one_error_costs_no_run() -> None:
    text = b'[\n  "tea",\n  {"id": 3},]\n'
    assert document(text, "json").errors * 4 > text.count(b"\n")
    assert reduced(Case(text, "json", lambda _: True), reduce_outline).judge.asked == []


def _page(lines: int) -> bytes:
    """A manual page, of which Scheme's grammar makes a list of words and errors."""
    option = b".TP\n\\fB\\-\\-width\\fR=\\fIcolumns\\fR\nSets the width; it's \"narrow\n"
    return option * (lines // 3)


def test_the_lines_of_a_flat_text_go_first_without_the_guard() -> None:
    text = _page(450) + b".Larch 1 2\n" + _page(450)
    case = Case(text, "scheme", lambda text: b".Larch" in text)
    result = reduced(case, reduce_outline, foreign_grammar=True)
    assert result.text == b".Larch 1 2\n"
    asked = reduced(case, heavy, foreign_grammar=True).judge.asked
    assert asked[: len(result.judge.asked)] == result.judge.asked
    assert len(result.judge.asked) < 30


def _split(text: bytes) -> list[bytes]:
    """The pieces of a text, each with as many dots as brackets of its line are around it."""
    return [b"." * p.nested + text[p.start : p.end].strip() for p in pieces(text)]


def test_a_line_is_split_at_its_brackets_and_separators() -> None:
    assert _split(b"a { b(c, d); }\n") == [b"a {", b".b(", b"..c,", b"..d", b".);", b"}"]
    assert _split(b"f {\n  a; b\n}\n") == [b"f {", b"a;", b"b", b"}"]


def test_a_bracket_in_a_string_or_without_its_other_half_splits_nothing() -> None:
    assert _split(b"say \"(a)\" '[1;' }\n") == [b"say \"(a)\" '[1;' }"]
    assert _split(b"each(@a {\n  b\n})\n") == [b"each(@a {", b"b", b"})"]


def test_what_follows_a_block_on_its_line_is_a_block_of_its_own() -> None:
    blocks = outline(pieces(b".a { b } .c { d }\n"))
    assert [block.own for block in blocks if block.depth == 0] == [[0, 2], [3, 5]]


def test_the_pieces_of_a_line_are_in_order_and_leave_nothing_but_blanks_out() -> None:
    for text in (LESS, b"if (a) { b[1] } else {}\n\n)(", b"\n { ; } \r\n x,\n"):
        spans = [(piece.start, piece.end) for piece in pieces(text)]
        assert spans == sorted(spans)
        ends, starts = [0, *(end for _, end in spans)], [*(start for start, _ in spans), len(text)]
        assert not b"".join(text[a:b] for a, b in zip(ends, starts, strict=True)).strip()


def _without_brackets(text: bytes, *needed: bytes) -> bytes:
    def interesting(text: bytes) -> bool:
        even = all(text.count(sign[:1]) == text.count(sign[1:]) for sign in (b"{}", b"()"))
        return even and in_order(needed, text)

    case = Case(text, "scss", interesting)
    return squeezed(reduced(case, reduce_brackets, foreign_grammar=True).text)


def test_what_is_between_brackets_takes_their_place_and_that_of_their_head() -> None:
    text = b"a { each(@s, { @{key} { b: @value; } }) }\n"
    assert _without_brackets(text, b"b:") == b"b:@value;"
    assert _without_brackets(text, b"@s", b"b:") == b"@s,b:@value;"


def test_a_part_of_a_block_takes_its_place() -> None:
    assert _without_brackets(b"if (x) { a } else { needle }\n", b"needle") == b"needle"
    assert _without_brackets(b"while (needle) { a }\n", b"needle") == b"needle"


def test_a_line_keeps_its_end_when_its_last_piece_goes() -> None:
    case = Case(b"f { a }\nneedle\n", "scss", lambda text: b"a" in text and b"\nneedle" in text)
    result = reduced(case, reduce_brackets, foreign_grammar=True)
    assert result.text.split() == [b"a", b"needle"]
