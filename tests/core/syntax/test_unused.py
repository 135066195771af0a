"""What an edit leaves without a use goes too, in languages that refuse it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.syntax.layout.layout import Layout
from pollard.syntax.names.unused import left_unused
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit, apply, join
from tests.core.syntax.samples import nodes, parsed


def _go(body: str, imports: str = "") -> Document:
    return parsed("go", f"package p\n{imports}func f() {{ {body} }}\n".encode())


def _without(document: Document, part: bytes, new: bytes = b"") -> bytes:
    assert document.text.count(part) == 1
    start = document.text.index(part)
    edits = [Edit(start, start + len(part), new)]
    return apply(document.text, join([*edits, *left_unused(document, edits)]))


@pytest.mark.parametrize(
    ("body", "part", "left"),
    [
        # A definition keeps no value; if it keeps none at all, it becomes an assignment.
        ("x := g(); h(x)", "; h(x)", "_ = g()"),
        ("x, y := g(); h(x); k(y)", "; h(x)", "_, y := g(); k(y)"),
        ("x, y := g(); h(x, y)", "; h(x, y)", "_, _ = g()"),
        ("x, _ := g(); h(x)", "; h(x)", "_, _ = g()"),
        ("var x int = 1; h(x)", "; h(x)", "var _ int = 1"),
        ("for i, k := range g() { h(i); k() }", "h(i); ", "for _, k := range g() { k() }"),
        ("for i := range g() { h(i) }", " h(i) ", "for _ = range g() {}"),
        ("select { case m := <-c: h(m) }", " h(m)", "select { case _ = <-c: }"),
        ("switch t := x.(type) { case int: h(t) }", " h(t)", "switch x.(type) { case int: }"),
        # To assign is no use.
        ("var x int; x = 2; h(x)", "; h(x)", "var _ int; _ = 2"),
        ("x := 1; x += 2; h(x)", "; h(x)", "x := 1; x += 2"),
        # The innermost definition before a use counts, but not in its own value.
        ("x := 1; if x := g(x); x { h() }; k(x)", "; k(x)", "x := 1; if x := g(x); x { h() }"),
        ("x := 1; if x := 2; x { h() }; k(x)", "; k(x)", "_ = 1; if x := 2; x { h() }"),
        ("x := 1; if x := g(x); x { h() }", "if x := g(x); x { h() }", "_ = 1; "),
        ("x := 1; k(x); { x := 2; h(x) }", " h(x)", "x := 1; k(x); { _ = 2; }"),
        # What had no use before, or still has one, stays.
        ("x := 1; h()", "; h()", "x := 1"),
        ("x := 1; h(x); k(x)", "; k(x)", "x := 1; h(x)"),
        ("x := 1; h(x)", "x := 1; h(x)", ""),
    ],
)
def test_a_local_variable_goes_with_its_last_use(body: str, part: str, left: str) -> None:
    document = _go(body)
    found = _without(document, part.encode())
    expected = _go(left).text
    assert found.split() == expected.split()


def test_a_parameter_and_what_is_defined_outside_stay() -> None:
    text = b"package p\nvar x = 1\nfunc f(y int) { g(x, y) }\n"
    assert _without(parsed("go", text), b"g(x, y)") == text.replace(b"g(x, y)", b"")


@pytest.mark.parametrize(
    ("imports", "left"),
    [
        ('import "fmt"\n', ""),
        ('import ("fmt"; "os")\n', 'import (; "os")\n'),
        ('import fmt "log"\n', ""),
        ('import "mine/fmt"\n', ""),
        ('import os "fmt"\n', 'import os "fmt"\n'),
    ],
)
def test_an_import_goes_with_its_last_use(imports: str, left: str) -> None:
    document = _go("fmt.Print(os.Args)", imports)
    assert _without(document, b"fmt.Print(os.Args)", b"os.Exit(1)").split() == (
        _go("os.Exit(1)", left).text.split()
    )


def test_a_name_that_an_edit_writes_is_still_used() -> None:
    document = _go("x := 1; h(x)")
    assert _without(document, b"h(x)", b"k(x)") == document.text.replace(b"h(x)", b"k(x)")


def _zig(body: str) -> Document:
    return parsed("zig", f"fn f(a: u8, b: *u8) void {{ {body} }}\n".encode())


@pytest.mark.parametrize(
    ("body", "part", "left"),
    [
        # A variable's value stays, and with it its type.
        ("const x = g(); h(x, a, b);", "h(x, a, b);", "fn f(_: u8, _: *u8) void { _ = g();  }"),
        ("const x: u8 = g(); h(x);", "h(x);", "_ = @as( u8 , g());"),
        ("const x = g(); h(x); k(x);", "h(x);", "const x = g();  k(x);"),
        ("const x = g(); { h(x); }", "h(x);", "_ = g(); {  }"),
        # A field, or its name in a value, is no use.
        ("const x = g(); h(a.x, .{ .x = x });", ".{ .x = x }", "_ = g(); h(a.x, );"),
        # What a loop, a condition or an error gives a name.
        ("for (a) |x| h(x);", "h(x)", "for (a) |_| ;"),
        ("for (a) |*x| { h(x); }", "h(x);", "for (a) |_| {  }"),
        ("for (a, 0..) |x, i| { h(x); k(i); }", "h(x);", "for (a, 0..) |_, i| {  k(i); }"),
        ("for (a, 0..) |x, i| { h(x); k(i); }", "k(i);", "for (a) |x| { h(x);  }"),
        ("for (a, b) |x, y| { h(x); k(y); }", "k(y);", "for (a, b) |x, _| { h(x);  }"),
        ("while (a) |x| { h(x); }", "h(x);", "while (a) |_| {  }"),
        ("if (a) |x| h(x) else |y| k(y);", "k(y)", "if (a) |x| h(x) else |_| ;"),
        ("switch (a) { .b => |x| h(x), }", "h(x)", "switch (a) { .b => |_| , }"),
        ("g() catch |e| h(e);", "h(e)", "g() catch  ;"),
        # What nothing changes any more is declared so, unless the new text changes it.
        ("var x = g(); x += 1; h(x);", "x += 1;", "const x = g();  h(x);"),
        ("var x = g(); x.y[0] = 1; h(x);", "x.y[0] = 1;", "const x = g();  h(x);"),
        ("var x = g(); h(&x); k(x == 1);", "h(&x);", "const x = g();  k(x == 1);"),
        ("var x = g(); x.y(); h(x.z);", "x.y();", "const x = g();  h(x.z);"),
        ("var x = g(); x = 1; x += 2; h(x);", "x = 1;", "var x = g();  x += 2; h(x);"),
    ],
)
def test_a_name_in_zig_goes_with_its_last_use(body: str, part: str, left: str) -> None:
    found = _without(_zig(body), part.encode())
    expected = left.encode() if left.startswith("fn") else _zig(left).text.rstrip()
    assert found.rstrip(b"}\n ").split() == expected.rstrip(b"}\n ").split()


def test_an_edit_that_changes_a_variable_leaves_it_variable() -> None:
    document = _zig("var x = g(); x.y(1); h(x);")
    assert b"var x" in _without(document, b"x.y(1)", b"x.z()")
    assert b"const x" in _without(document, b"x.y(1)", b"x.z")


def test_what_a_type_in_zig_declares_needs_no_use() -> None:
    text = b"const S = struct { const T = u8; fn f() void { g(T); } };\n"
    assert b"const T = u8" in _without(parsed("zig", text), b"g(T);")


def test_other_languages_keep_what_nothing_uses() -> None:
    document = parsed("c", b"void f() { int x = 1; h(x); }\n")
    assert _without(document, b"h(x);") == b"void f() { int x = 1;  }\n"


def test_nothing_outside_the_region_goes() -> None:
    document = _go("x := 1; h(x)")
    start = document.text.index(b"h(x)")
    layout = Layout(
        document, (start, len(document.text)), lambda edits: left_unused(document, edits)
    )
    assert b"x := 1" in apply(document.text, layout.tidy([Edit(start, start + 4)]))


@given(st.data())
def test_what_goes_too_overlaps_no_edit_and_breaks_no_syntax(data: st.DataObject) -> None:
    document = parsed("go")
    statements = [node for node in nodes(document) if node.type.endswith("_statement")]
    chosen = data.draw(st.lists(st.sampled_from(statements), min_size=1, max_size=4))
    edits = join(Edit(*node.byte_range) for node in chosen)
    more = left_unused(document, edits)
    spans = sorted((edit.start, edit.end) for edit in (*edits, *more))
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))
    with_more = document.edited(join([*edits, *more]))
    assert not with_more.has_more_errors_than(document.edited(edits).errors)
