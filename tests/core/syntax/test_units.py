"""Units: what goes with a branch so that the rest still parses, alone and many at once."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pollard.syntax.branches.branches import Branch
from pollard.syntax.branches.units import Reach, UnitFinder, reaches, removal, removals
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit, apply
from tests.core.syntax.samples import SAMPLES, branch_of, branches, parsed
from tests.examples import examples


def finder(document: Document, budget: int = 1 << 40) -> UnitFinder:
    layout = Layout(document, (0, len(document.text)))

    def accepts(edit: Edit) -> bool:
        edited = document.edited(layout.tidy((edit,)))
        return not edited.has_more_errors_than(document.errors)

    return UnitFinder(accepts, 1, budget)


def without(document: Document, units: list[tuple[Branch, Reach]]) -> bytes:
    layout = Layout(document, (0, len(document.text)))
    return apply(document.text, layout.tidy(removals(units, document.text)))


@pytest.mark.parametrize(
    ("name", "text", "branch", "left"),
    [
        # Elements of lists: the first, a middle one, the last, the only one.
        ("c", b"int x[] = {1, 2, 3};", b"1", b"int x[] = {2, 3};"),
        ("c", b"int x[] = {1, 2, 3};", b"2", b"int x[] = {1, 3};"),
        ("c", b"int x[] = {1, 2, 3};", b"3", b"int x[] = {1, 2};"),
        ("c", b"int x[] = {1};", b"1", b"int x[] = {};"),
        ("c", b"int f(int a, int b);", b"int a", b"int f(int b);"),
        ("c", b"int f(int a, int b);", b"int b", b"int f(int a);"),
        ("c", b"int f(int a);", b"int a", b"int f();"),
        ("javascript", b"f(a, b);", b"a", b"f(b);"),
        ("javascript", b"f(a, b);", b"b", b"f(a);"),
        ("javascript", b"x = {a: 1, b, c};", b"b", b"x = {a: 1, c};"),
        ("json", b"[1, 2]", b"1", b"[2]"),
        ("json", b"[1, 2]", b"2", b"[1]"),
        ("json", b"[1]", b"1", b"[]"),
        ("json", b'{"a": 1, "b": 2}', b'"b": 2', b'{"a": 1}'),
        ("python", b"f(a, b, *c)\n", b"b", b"f(a, *c)\n"),
        ("python", b"x = [a, b]\n", b"a", b"x = [b]\n"),
        ("python", b"import a, b\n", b"a", b"import b\n"),
        ("rust", b"fn f(a: u8, b: u8) {}\n", b"b: u8", b"fn f(a: u8) {}\n"),
        ("rust", b"struct S<A, B>(A, B);\n", b"A", b"struct S<B>(A, B);\n"),
        ("html", b'<p a="1" b c=2></p>\n', b'a="1"', b"<p b c=2></p>\n"),
        ("html", b'<p a="1" b></p>\n', b"b", b'<p a="1"></p>\n'),
        ("sql", b"SELECT a, b FROM t;\n", b"a", b"SELECT b FROM t;\n"),
        ("sql", b"SELECT a, b FROM t;\n", b"b", b"SELECT a FROM t;\n"),
        # Operators that the grammar names go with an operand, as others do; a literal is no operator.
        ("sql", b"SELECT a AND b < 1 AND c;\n", b"a", b"SELECT b < 1 AND c;\n"),
        ("sql", b"SELECT a AND b < 1 AND c;\n", b"b < 1", b"SELECT a AND c;\n"),
        ("sql", b"SELECT a AND b < 1 AND c;\n", b"c", b"SELECT a AND b < 1;\n"),
        ("sql", b"SELECT a, NULL, b;\n", b"NULL", b"SELECT a, b;\n"),
        ("pascal", b"begin x := a and b; end.\n", b"a", b"begin x := b; end.\n"),
        # Optional parts.
        ("c", b"void f() { if (a) b(); else c(); }", b"else c();", b"void f() { if (a) b(); }"),
        ("c", b"int x = 1;", b"1", b"int x;"),
        ("typescript", b"let x: number = 1;", b": number", b"let x = 1;"),
        ("typescript", b"let x: number = 1;", b"1", b"let x: number;"),
        ("rust", b"fn f() -> u8 { g() }\n", b"u8", b"fn f() { g() }\n"),
        ("python", b"def f(a=1): pass\n", b"1", b"def f(a): pass\n"),
        ("python", b"def f() -> int: pass\n", b"int", b"def f(): pass\n"),
        ("javascript", b"function f(a = 1) {}", b"1", b"function f(a) {}"),
        ("java", b"class A extends B {}", b"extends B", b"class A {}"),
        # Brackets with nothing between them, which are no branch of their own in some grammars.
        ("perl", b"$x->f();", b"(", b"$x->f;"),
        ("perl", b"$x->f(1);", b"(", None),
        # What cannot go.
        ("c", b"int x = a + b;", b"x", None),
        ("json", b'{"a": 1}', b'"a"', None),
    ],
)
def test_the_unit_of_a_branch(name: str, text: bytes, branch: bytes, left: bytes | None) -> None:
    document = parsed(name, text)
    found = branch_of(document, branch)
    reach = finder(document).reach(found)
    assert left == (None if reach is None else without(document, [(found, reach)]))


def test_a_separator_is_taken_along_where_it_need_not_be() -> None:
    """JavaScript takes `[a, ]`; a person would write `[a]`."""
    document = parsed("javascript", b"[a, b]")
    assert reaches(branch_of(document, b"b"))[0] is Reach.BEFORE
    assert reaches(branch_of(document, b"a"))[0] is Reach.AFTER


def test_tokens_go_alone() -> None:
    document = parsed("c", b"static int x;")
    (token, *_) = [b for b in branches(document) if b.is_token]
    assert reaches(token) == [Reach.ALONE]


@pytest.mark.parametrize("name", list(SAMPLES))
def test_nothing_beyond_the_neighbouring_tokens_is_taken(name: str) -> None:
    for branch in branches(parsed(name)):
        assert Reach.ALONE in reaches(branch)
        assert len(set(reaches(branch))) == len(reaches(branch))
        for reach in reaches(branch):
            edit = removal(branch, reach)
            taken = [s for s in branch.siblings if edit.start <= s.start and s.end <= edit.end]
            assert edit == Edit(taken[0].start, taken[-1].end)
            assert branch in taken
            assert all(
                s.is_token and abs(s.index - branch.index) == 1 for s in taken if s != branch
            )


LISTS = {
    "c": (b"int x[] = {", b", ", b"%d", b"};\n"),
    "c-parameters": (b"int f(", b", ", b"int a%d", b");\n"),
    "c-statements": (b"void f() {\n", b"\n", b"  a%d();", b"\n}\n"),
    "javascript": (b"f(", b", ", b"a%d", b");\n"),
    "json": (b"[", b", ", b"%d", b"]\n"),
    "json-pairs": (b"{\n", b",\n", b'  "%d": 1', b"\n}\n"),
    "python": (b"f(", b", ", b"a%d", b")\n"),
    "python-block": (b"if x:\n", b"\n", b"    a%d()", b"\n    pass\n"),
    "rust": (b"fn f(", b", ", b"a%d: u8", b") {}\n"),
    "html": (b"<p ", b" ", b'a%d="1"', b"></p>\n"),
    "sql": (b"SELECT z, ", b", ", b"a%d", b" FROM t;\n"),
}


@pytest.mark.parametrize("key", list(LISTS))
def test_any_elements_can_go_at_once(key: str) -> None:
    """And those that stay are still separated once."""
    head, separator, item, tail = LISTS[key]
    items = [item % number for number in range(7)]
    document = parsed(key.split("-", maxsplit=1)[0], head + separator.join(items) + tail)
    assert document.errors == 0
    by_text = {document.text[b.start : b.end]: b for b in reversed(branches(document))}
    elements = [by_text[text.strip()] for text in items]
    units = finder(document)
    found = [(element, units.reach(element)) for element in elements]
    assert all(reach is not None for _, reach in found)

    @examples(20)
    @example({0, 1})
    @example({5, 6})
    @given(st.sets(st.integers(0, 6)))
    def remove(gone: set[int]) -> None:
        chosen = [(b, r) for i, (b, r) in enumerate(found) if i in gone and r is not None]
        text = without(document, chosen)
        assert Document(text, document.language).errors == 0
        left = [t for i, t in enumerate(items) if i not in gone]
        if left:
            kept = [s for s in (separator.strip(),) if s]
            assert text.count(kept[0] if kept else b"\0") == (
                len(left) - 1 + (key == "sql") if kept else 0
            )
        assert all((t.strip() in text) == (t in left) for t in items)

    remove()


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_unit_found_leaves_a_text_that_parses(name: str) -> None:
    document = parsed(name)
    units = finder(document)
    for branch in branches(document):
        reach = units.reach(branch)
        if reach is not None:
            text = without(document, [(branch, reach)])
            assert Document(text, document.language).errors == 0


def test_without_a_budget_like_branches_are_taken_to_behave_alike() -> None:
    """One question to the parser for each shape, whatever the number of branches."""
    document = parsed("json", b"[" + b", ".join([b"1"] * 100) + b"]")
    asked: list[Edit] = []

    def accepts(edit: Edit) -> bool:
        asked.append(edit)
        return True

    units = UnitFinder(accepts, 1, 0)
    elements = [b for b in branches(document) if b.node.type == "number"]
    assert {units.reach(b) for b in elements[2:-2]} == {Reach.BEFORE}
    assert len(asked) == 1
