"""Definitions: which units define names in many languages, their scopes, and their uses."""

from __future__ import annotations

import pytest

from pollard.engine.subject import Subject
from pollard.passes.coupling.joint_deletions import Analysis
from pollard.syntax.names.definitions import queried_definitions
from pollard.syntax.names.names import Names
from tests.core.passes.support import Case, Loop, document


def names_of(text: bytes, name: str) -> Names:
    case = Case(text, name, lambda _: False)
    return Analysis(Subject(document(text, name), Loop(case))).names


def definitions_in(text: bytes, name: str) -> dict[str, list[str]]:
    """The names of each definition by its text."""
    return {
        text[slice(*definition.span)].decode(): sorted(map(bytes.decode, definition.names))
        for definition in names_of(text, name).definitions
    }


FOUND = {
    "a typedef goes with all of it": ("c", b"typedef int T;\n", {"typedef int T;": ["T"]}),
    "a variable goes with its type": ("c", b"int f = 1;\n", {"int f = 1;": ["f"]}),
    "one of two variables goes alone": ("c", b"int a, b;\n", {"a,": ["a"], ", b": ["b"]}),
    "a function and its parameters": (
        "c",
        b"int f(int x, int y) { return x; }\n",
        {"int f(int x, int y) { return x; }": ["f"], "int x,": ["x"], ", int y": ["y"]},
    ),
    "a function of C without a type, which reads as one of its name": (
        "c",
        b"f(x) { return x; }\n",
        {"f(x) { return x; }": ["f"]},
    ),
    "variables of a list in Perl": (
        "perl",
        b"my ($a, @b) = @_;\n",
        {"my ($a, @b) =": ["a", "b"]},
    ),
    "imports, renamed or not": (
        "python",
        b"import os\nfrom sys import path as p, argv\n",
        {
            "import os": ["os"],
            "path as p,": ["p", "path"],
            ", argv": ["argv"],
        },
    ),
    "the first value that a name is given": ("ruby", b"x = 1\nx = 2\n", {"x = 1": ["x"]}),
    "all values where a query says so": (
        "python",
        b"x = 1\nx = 2\n",
        {"x = 1": ["x"], "x = 2": ["x"]},
    ),
    "a parameter that only a query calls one": (
        "javascript",
        b"function f(p, q) {}\n",
        {"function f(p, q) {}": ["f"], "p,": ["p"], ", q": ["q"]},
    ),
    "an import's last word": (
        "go",
        b'package a\nimport "net/http"\n',
        {'import "net/http"': ["http"]},
    ),
    "no more of a path than its end": ("rust", b"use std::fmt;\n", {"use std::fmt;": ["fmt"]}),
    "no package of Java, and no method that is called": (
        "java",
        b"import java.util.List;\nclass A { int f = g(List.x); }\n",
        {
            "import java.util.List;": ["List"],
            "class A { int f = g(List.x); }": ["A"],
            "int f = g(List.x);": ["f"],
        },
    ),
    "parameters of TypeScript without their types": (
        "typescript",
        b"function f(x: A, y: B) {}\n",
        {"function f(x: A, y: B) {}": ["f"], "x: A,": ["x"], ", y: B": ["y"]},
    ),
    "parts of a list of imports": (
        "rust",
        b"use std::{fmt, io};\n",
        {"fmt,": ["fmt"], ", io": ["io"]},
    ),
    "no type that is mentioned": (
        "rust",
        b"fn f() -> fmt::Result {}\n",
        {"fn f() -> fmt::Result {}": ["f"]},
    ),
    "no table that is filled": ("sql", b"insert into rep values (0);\nselect 1;\n", {}),
    "names as the language spells them": (
        "ruby",
        b"def ok?\n  x\nend\n",
        {"def ok?\n  x\nend": ["ok?"]},
    ),
    "what instructions of LLVM IR give a value": (
        "llvm",
        b"@g = global i32 0\ndefine i32 @f() {\n  %x = load i32, ptr @g\n  ret i32 %x\n}\n",
        {
            "@g = global i32 0": ["@g"],
            "define i32 @f() {\n  %x = load i32, ptr @g\n  ret i32 %x\n}": ["@f"],
            "%x = load i32, ptr @g": ["%x"],
        },
    ),
    "nothing in comments and strings": ("c", b'/* int a; */ char *b = "int c";\n', None),
}


@pytest.mark.parametrize("what", FOUND)
def test_a_unit_defines_names(what: str):
    name, text, expected = FOUND[what]
    if expected is None:
        assert [*definitions_in(text, name).values()] == [["b"]]
    else:
        assert definitions_in(text, name) == expected


def _uses(text: bytes, name: str, called: bytes) -> list[int]:
    names = names_of(text, name)
    (definition,) = names.definitions_of([called])
    return [leaf.start for leaf in names.uses(definition)]


def test_comments_and_strings_use_nothing():
    text = b'int x;\n/* x */ char *s = "x";\nint y() { return x; }\n'
    assert _uses(text, "c", b"x") == [text.index(b"x; }")]


def test_the_name_of_a_package_is_no_use_of_a_function():
    text = b"package main\nfunc main() {}\nvar x = main\n"
    assert _uses(text, "go", b"main") == [text.rindex(b"main")]


def test_the_uses_of_a_local_name_are_in_its_function_only():
    text = b"int f() { int x = 1; return x; }\nint g() { return x; }\n"
    assert _uses(text, "c", b"x") == [text.index(b"x; }\nint g")]


def test_values_of_llvm_ir_are_local_to_their_function():
    function = b"define i32 @f%d() {\n  %%x = add i32 1, 1\n  ret i32 %%x\n}\n"
    text = function % 0 + function % 1
    names = names_of(text, "llvm")
    uses = [names.uses(definition) for definition in names.definitions_of([b"%x"])]
    assert [[leaf.start for leaf in each] for each in uses] == [
        [text.index(b"%x\n}")],
        [text.rindex(b"%x\n}")],
    ]


def test_a_parameter_is_local_to_its_function():
    text = b"function f(p) { return p; }\np = 1;\n"
    first, *_ = names_of(text, "javascript").definitions_of([b"p"])
    assert first.scope == (0, text.index(b"\np"))


def test_a_local_name_shadows_a_global_one():
    text = b"int x;\nint f(int x) { return x; }\nint g() { return x; }\n"
    names = names_of(text, "c")
    outer, inner = names.definitions_of([b"x"])
    assert [leaf.start for leaf in names.uses(outer)] == [text.index(b"x; }\n", 40)]
    assert [leaf.start for leaf in names.uses(inner)] == [text.index(b"x; }")]


def test_a_definition_with_another_name_is_not_shadowed():
    text = b"int x, y;\nint f(int x) { return x + y; }\n"
    assert _uses(text, "c", b"y") == [text.index(b"y; }")]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("python", b"import os\nos.x\n", True),
        ("go", b'package a\nimport (\n\t"os"\n\t"fmt"\n)\nvar x = os.y\n', True),
        ("python", b"os = 1\nos.x\n", False),
        ("python", b"def f():\n    os = 1\n    os.x\n", True),
    ],
)
def test_imports_and_local_definitions_are_marked_as_such(name: str, text: bytes, expected: bool):
    (definition,) = names_of(text, name).definitions_of([b"os"])
    assert definition.is_local_or_import == expected


def test_the_innermost_unit_around_a_key_has_its_value_too():
    """Without its key a field of Rust is given what the value is called."""
    text = b"fn f() { S { a: v, b: w } }\n"
    names = names_of(text, "rust")
    (leaf,) = names.leaves_named([b"a"], (0, len(text)))
    unit = next(names.units_around(leaf))
    assert text[unit.start : unit.end] == b"a: v"


def test_queries_of_the_grammars_package_find_definitions():
    text = b"function f(p) { let q = p; }\n"
    marks = queried_definitions(document(text, "javascript"))
    assert {start: text[slice(*span)] for start, span in marks.items()} == {11: b"p", 20: b"q"}
    assert queried_definitions(document(b"[1]\n", "json")) == {}
    assert queried_definitions(document(b"x", None)) == {}


def test_a_query_of_tags_finds_whole_definitions_and_no_references():
    text = b"def f():\n    g()\n"
    assert queried_definitions(document(text, "python")) == {text.index(b"f()"): (0, len(text) - 1)}
