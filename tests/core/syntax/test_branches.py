"""Squeezed and flattened, the tree still holds every token once; branches are found by their spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.syntax.branches.branches import Branch, below, branch_at, locate, squeezed
from pollard.syntax.tree.edits import Edit, Shift
from tests.core.syntax.samples import SAMPLES, branch_of, branches, leaves, parsed, root

MANY = 20_000
ON_OFF = [True, False]


def texts(branch: Branch) -> list[bytes]:
    return [bytes(child.node.text or b"") for child in branch.children]


def test_squeezing_skips_chains_of_only_children() -> None:
    document = parsed("json", b"[[1]]")
    (array,) = root(document, squeeze=False).children
    assert array.node.type == "array"
    assert texts(root(document).children[0]) == [b"[", b"[1]", b"]"]
    assert squeezed(document.root).type == "array"


def test_the_root_is_never_squeezed() -> None:
    """Whether the text ends with a newline must not decide whether its only statement can go."""
    assert texts(root(parsed("c", b"int a;"))) == texts(root(parsed("c", b"int a;\n")))


def test_an_only_child_with_less_text_is_not_squeezed() -> None:
    document = parsed("python", b"f(a)  # b\n")
    assert squeezed(document.root) == document.root


@pytest.mark.parametrize(
    ("name", "text", "chain", "flat"),
    [
        ("c", b"int x = a + b + c + d;", b"a + b + c + d", b"a + b + c + d"),
        ("c", b"int x = a - (b - c) - d;", b"a - (b - c) - d", b"a - (b-c) - d"),
        ("c", b"int x = (a, b, c);", b"a, b, c", b"a , b , c"),
        ("c", b"int x = a + b /* c */ + d;", b"a + b /* c */ + d", b"a + b /*c*/ + d"),
        ("c", b"int ***x;", b"***x", b"* * * x"),
        ("javascript", b"(a + b - c && d)", b"a + b - c && d", b"a + b - c && d"),
        ("javascript", b"f = a => b => c", b"a => b => c", b"a => b => c"),
        ("python", b"x = a + b - c\n", b"a + b - c", b"a + b - c"),
        ("python", b"x = a and b or c\n", b"a and b or c", b"a and b or c"),
        ("c", b"int x = a == b && c == d;", b"a == b && c == d", b"a == b && c == d"),
        ("sql", b"select a and b or c;", b"a and b or c", b"a and b or c"),
        ("rust", b"use a::b::c;", b"a::b::c", b"a :: b :: c"),
        ("rust", b"fn f() { a + b - c }", b"a + b - c", b"a + b - c"),
        ("javascript", b"(x = y = z)", b"x = y = z", b"x = y = z"),
        ("typescript", b"type T = A | B | C", b"A | B | C", b"A | B | C"),
    ],
)
def test_a_recursion_is_one_level(name: str, text: bytes, chain: bytes, flat: bytes) -> None:
    """`flat` has a blank between the children."""
    document = parsed(name, text)
    branch = branch_of(document, chain)
    assert [t.replace(b" ", b"") for t in texts(branch)] == flat.split(b" ")


def test_a_recursion_through_nodes_with_the_same_text_is_one_level() -> None:
    """Solidity's operands are each wrapped in an `expression`, and so are the inner operations."""
    document = parsed("solidity", b"contract C { function f() { x = a + b - c; } }")
    outer = next(b for b in branches(document) if b.node.text == b"a + b - c")
    assert outer.node.type == "expression"
    assert texts(outer) == [b"a", b"+", b"b", b"-", b"c"]


@pytest.mark.parametrize(
    ("name", "text", "inner"),
    [
        ("javascript", b"(a ? b : c ? d : e)", b"c ? d : e"),
        ("python", b"x = a if b else c if d else e\n", b"c if d else e"),
        ("c", b"void f(void) { for (;;i++) for (;;j++) g(); }", b"for (;;j++) g();"),
        ("c", b"void f(void) { if (a) b(); else if (c) d(); else e(); }", b"else e();"),
        ("javascript", b"if (a) b(); else if (c) d(); else e();", b"else e();"),
        ("rust", b"fn f() { if a {} else if b {} else {c} }", b"if b {} else {c}"),
        ("json", b"[1, [2, [3]]]", b"[2, [3]]"),
        ("json", b"[[[1], 2], 3]", b"[[1], 2]"),
    ],
)
def test_a_recursion_whose_links_are_no_units_stays_nested(
    name: str, text: bytes, inner: bytes
) -> None:
    """Of `a ? b :` neither part could go alone; as a branch, what follows it can be hoisted."""
    assert branch_of(parsed(name, text), inner)


def test_without_flattening_a_recursion_is_many_levels() -> None:
    document = parsed("c", b"int x = a + b + c;")
    branch = next(
        b for b in branches(document, flatten=False) if b.node.type == "binary_expression"
    )
    assert texts(branch) == [b"a + b", b"+", b"c"]


def test_other_kinds_are_not_flattened() -> None:
    branch = branch_of(parsed("c", b"int x = f(a)(b) + c;"), b"f(a)(b) + c")
    assert texts(branch) == [b"f(a)(b)", b"+", b"c"]


def test_20_000_operands_are_one_level() -> None:
    document = parsed("c", b"int x = " + b" + ".join([b"a"] * MANY) + b";")
    branch = next(b for b in branches(document) if b.node.type == "binary_expression")
    assert len(branch.children) == 2 * MANY - 1


def test_20_000_operands_to_the_right_are_one_level() -> None:
    document = parsed("javascript", b"x = " * MANY + b"1")
    assert max(len(b.children) for b in branches(document)) == 2 * MANY + 1


def test_20_000_nested_brackets_are_20_000_levels() -> None:
    document = parsed("json", b"[" * MANY + b"]" * MANY)
    level, depth = [root(document)], 0
    while level := below(level, (0, 2 * MANY)):
        depth += 1
    assert depth == MANY + 1  # the root, which is never squeezed, is one more


@pytest.mark.parametrize("flatten", ON_OFF)
@pytest.mark.parametrize("squeeze", ON_OFF)
@pytest.mark.parametrize("name", list(SAMPLES))
def test_levels_hold_all_tokens_once(name: str, squeeze: bool, flatten: bool) -> None:
    document = parsed(name)
    found = branches(document, squeeze=squeeze, flatten=flatten)
    ends = [(b.start, b.end) for b in found if not b.children]
    assert sorted(set(ends) & set(leaves(document))) == leaves(document)
    assert len(ends) == len(set(ends))


@pytest.mark.parametrize("name", list(SAMPLES))
def test_children_are_ordered_apart_and_inside(name: str) -> None:
    for branch in branches(parsed(name)):
        edges = [branch.start, *(e for c in branch.children for e in (c.start, c.end)), branch.end]
        assert edges == sorted(edges)
        assert all(child.start < child.end for child in branch.children)
        for place, child in enumerate(branch.children):
            assert child.parent is branch
            assert child.sibling(0) is child
            assert child.index == place
            assert child.sibling(-place - 1) is None
            assert child.sibling(len(branch.children) - place) is None


def test_below_keeps_what_overlaps_the_region() -> None:
    document = parsed("json", b"[10, 20, 30]")
    level = root(document).children
    assert [b.node.text for b in below(level, (4, 8))] == [b"20", b","]
    assert [b.node.text for b in below(level, (6, 7))] == [b"20"]
    assert below(level, (4, 4)) == []


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_level_is_located_by_its_spans(name: str) -> None:
    document = parsed(name)
    level = [root(document)]
    while level:
        spans = [(branch.start, branch.end) for branch in level]
        found = locate(root(document), spans)
        assert [(b.start, b.end) for b in found if b] == spans
        level = below(level, (0, len(document.text)))


@pytest.mark.parametrize("name", SAMPLES)
def test_one_span_is_found_as_many_are(name: str) -> None:
    """By bisection instead of a walk, and None for what no branch has."""
    document = parsed(name)
    spans = {(branch.start, branch.end) for branch in branches(document)}
    for start, end in spans | {(start + 1, end) for start, end in spans}:
        [expected] = locate(root(document), [(start, end)])
        found = branch_at(root(document), (start, end))
        assert (found and found.node) == (expected and expected.node)


def test_a_branch_is_as_deep_as_it_has_branches_above() -> None:
    document = parsed("json", b"[10, [20]]")
    found = branch_at(root(document), (6, 8))
    assert found is not None
    assert (root(document).depth, found.depth) == (0, 3)


def test_the_outermost_branch_is_located() -> None:
    document = parsed("json", b'{"a": [1]}')
    (found,) = locate(root(document, squeeze=False), [(0, 10)])
    assert found is not None
    assert found.parent is None


def test_what_is_no_branch_is_not_located() -> None:
    document = parsed("json", b"[10, 20, 30]")
    found = locate(root(document), [(0, 4), (5, 7), (7, 10), (9, 10)])
    assert [b and b.node.text for b in found] == [None, b"20", None, None]


def test_nested_branches_are_located_together() -> None:
    document = parsed("json", b"[[1], [[2, 3]]]")
    wanted = [branch for branch in branches(document) if not branch.is_token]
    found = locate(root(document), [(branch.start, branch.end) for branch in wanted])
    spans = sorted((branch.start, branch.end) for branch in wanted)
    assert [(b.start, b.end) for b in found if b] == spans


@given(st.sets(st.integers(0, 9), max_size=9))
def test_what_stays_is_located_after_an_edit(gone: set[int]) -> None:
    document = parsed("c", b"\n".join(b"int a%d;" % i for i in range(10)) + b"\n")
    level = list(root(document).children)
    edits = tuple(Edit(level[i].start, level[i].end + 1) for i in sorted(gone))
    shift = Shift(edits)
    left = [branch for i, branch in enumerate(level) if i not in gone]
    spans = [(shift.at(branch.start), shift.end_at(branch.end)) for branch in left]
    found = locate(root(document.edited(edits)), spans)
    assert [b and b.node.text for b in found] == [b.node.text for b in left]


def test_like_branches_have_one_shape_and_others_another() -> None:
    document = parsed("json", b'[1, 2, 3, 4, 5, "a"]')
    one, two, three, four, five, string = [
        child.shape for child in root(document).children[0].children if not child.is_token
    ]
    assert two == three == four
    assert len({one, two, five, string}) == 4
