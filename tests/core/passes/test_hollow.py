"""Hollowing: what functions do goes before the functions do, all at once where that is possible."""

from __future__ import annotations

from functools import partial

import pytest

from pollard.engine.subject import Subject
from pollard.passes.heaviest.hollowing import bodies, hollow
from tests.core.passes.support import (
    Case,
    Loop,
    Reduced,
    document,
    in_order,
    reduced,
    reduced_ahead,
)

AGAIN = 4.0
C = b"".join(b"int f%d() { return %s; }\n" % (n, b" + ".join([b"1"] * 40)) for n in range(8))


def hollowed(case: Case, threshold: int = 24, **options: object) -> Reduced:
    return reduced(case, partial(hollow, threshold=threshold, retry_factor=AGAIN), **options)


def after_one_run(text: bytes, language: str) -> bytes:
    result = hollowed(Case(text, language, lambda _: True))
    assert len(result.judge.asked) == 1
    assert not result.subject.document.errors
    return result.text


LONG = "g(1) + g(2) + g(3) + g(4) + g(5)"
WRITTEN = {
    "ada": (
        (
            "procedure P is\n"
            "   function F (X : Integer) return Integer is\n"
            "      Y : Integer := X;\n"
            f"   begin\n      return Y + {LONG};\n   end F;\n"
            f"   procedure Q is\n   begin\n      R := {LONG};\n   end Q;\n"
            "begin\n   null;\nend P;\n"
        ),
        (
            "procedure P is\n"
            "   function F (X : Integer) return Integer is\n"
            "   begin\n      return raise Program_Error;\n   end F;\n"
            "   procedure Q is\n   begin\n      null;\n   end Q;\n"
            "begin\n   null;\nend P;\n"
        ),
    ),
    "c": (f"int f() {{ return {LONG}; }}\n", "int f() {}\n"),
    "cpp": (
        f"struct A {{ int f() {{ return {LONG}; }} }};\n",
        "struct A { int f() {} };\n",
    ),
    "csharp": (
        f"class A {{ int F() {{ return {LONG}; }} }}\n",
        "class A { int F() { throw null; } }\n",
    ),
    "d": (f"int f() {{ return {LONG}; }}\n", "int f() { assert(0); }\n"),
    "dart": (f"int f() {{ return {LONG}; }}\n", "int f() { throw 0; }\n"),
    "erlang": (f"f(X) -> {LONG}.\n", "f(X) -> 0.\n"),
    "go": (
        f"package p\nfunc (a A) f() int {{ return {LONG} }}\n",
        "package p\nfunc (a A) f() int { panic(0) }\n",
    ),
    "haskell": (
        f"f x = {LONG}\nf x | x > {LONG} = y\n    | True = z\n  where\n    y = 1\n",
        "f x = undefined\nf x = undefined\n",
    ),
    "haxe": (
        f"class A {{ function f():Int {{ return {LONG}; }} }}\n",
        "class A { function f():Int { throw 0; } }\n",
    ),
    "java": (
        f"class A {{ A() {{ x = {LONG}; }} int f() {{ return {LONG}; }} }}\n",
        "class A { A() { throw null; } int f() { throw null; } }\n",
    ),
    "javascript": (f"const f = () => {{ return {LONG} }}\n", "const f = () => {}\n"),
    "kotlin": (f"fun f(): Int {{ return {LONG} }}\n", "fun f(): Int { TODO() }\n"),
    "llvm": (
        "define i32 @f(i32 %x) {\n  %y = add i32 %x, 1\n  %z = mul i32 %y, %x\n  ret i32 %z\n}\n",
        "define i32 @f(i32 %x) { unreachable }\n",
    ),
    "ocaml": (f"let f x = {LONG}\n", "let f x = assert false\n"),
    "pascal": (
        (
            "unit a;\nimplementation\nfunction f: Integer;\nvar x: Integer;\n"
            f"begin\n  f := {LONG};\nend;\nend.\n"
        ),
        "unit a;\nimplementation\nfunction f: Integer;\nbegin end;\nend.\n",
    ),
    "php": (f"<?php function f() {{ return {LONG}; }}\n", "<?php function f() {}\n"),
    "python": (
        f"class A:\n    def f(self):\n        x = 1\n        return {LONG}\n",
        "class A:\n    def f(self):\n        0\n",
    ),
    "rust": (f"fn f() -> i32 {{ {LONG} }}\n", "fn f() -> i32 { loop {} }\n"),
    "scala": (
        f"object A {{ def f(): Int = {{ {LONG} }} }}\n",
        "object A { def f(): Int = { ??? } }\n",
    ),
    "shellscript": (f"f() {{ {'echo a b c d; ' * 4} }}\n", "f() { :; }\n"),
    "swift": (f"func f() -> Int {{ return {LONG} }}\n", "func f() -> Int { fatalError() }\n"),
    "typescript": (
        f"class A {{ f(): number {{ return {LONG} }} }}\n",
        "class A { f(): number { throw 0 } }\n",
    ),
}


@pytest.mark.parametrize("language", WRITTEN)
def test_a_body_becomes_one_that_never_returns(language: str) -> None:
    before, after = WRITTEN[language]
    assert after_one_run(before.encode(), language) == after.encode()


def test_all_bodies_go_in_one_run() -> None:
    assert after_one_run(C, "c") == b"".join(b"int f%d() {}\n" % number for number in range(8))


def test_what_is_needed_of_one_body_stays_with_it() -> None:
    """Those before and after it are found in a logarithmic number of runs or so."""
    kept = b"return 1"
    text = C.replace(b"f5() { return", b"f5() { abort(); return")
    result = hollowed(Case(text, "c", partial(in_order, (b"abort", kept))))
    assert result.text.count(b"{}") == 7
    assert b"f5() { abort(); return 1" in result.text
    assert len(result.judge.asked) <= 8


def test_what_is_no_body_of_a_function_stays() -> None:
    c = b"struct s { int aaaaaaaa; int bbbbbbbbbbbb; };\nint x[] = { 11111, 22222, 3333333333 };\n"
    typescript = b"type f = () => { aaaaaaaaaa: number; bbbbbbbbbb: number };\n"
    ocaml = b"let a = 1111111 + 2222222 + 3333333\n"
    haskell = b"a = 1111111 + 2222222 + 3333333\n"
    python = (
        b"f = lambda x: 1111111 + 2222222 + 3333333\nif x:\n    y = 1111111 + 2222222 + 333333\n"
    )
    texts = {"c": c, "typescript": typescript, "ocaml": ocaml, "haskell": haskell, "python": python}
    for language, text in texts.items():
        assert list(bodies(Subject(document(text, language), Loop(lambda _: True)))) == []


def test_of_bodies_in_each_other_the_outer_one_goes() -> None:
    inner = f"function g() {{ return {LONG} }}"
    text = f"function f() {{ {inner} return {LONG} }}\n".encode()
    assert after_one_run(text, "javascript") == b"function f() {}\n"


def test_short_bodies_and_low_thresholds_are_left_to_others() -> None:
    assert hollowed(Case(b"int f() { return 1; }\n", "c", lambda _: True)).judge.asked == []
    assert hollowed(Case(C, "c", lambda _: True), threshold=23).judge.asked == []
    assert hollowed(Case(C, "c", lambda _: True), threshold=10_000).judge.asked == []


def test_imports_that_only_the_bodies_used_go_with_them() -> None:
    """One that is used elsewhere stays, as do parameters that nothing uses any more."""
    text = b"""package p

import (
\t"io"
\t"path"
\t"strings"
)

func f(path string) string { return strings.ToUpper(path) + strings.ToUpper(path) }

func g(r io.Reader) string { return path.Join("a", "b") + path.Join("a", "b") }
"""
    result = after_one_run(text, "go").decode()
    assert '"io"' in result
    assert '"path"' not in result
    assert '"strings"' not in result
    assert "func f(path string) string { panic(0) }" in result
    assert "func g(r io.Reader) string { panic(0) }" in result


def test_what_has_failed_is_not_tried_again_while_the_text_is_about_the_same() -> None:
    text = b"int f() { return %s; }\n" % (b"1 + " * 20 + b"1")

    def twice(subject: Subject) -> None:
        hollow(subject, 24, AGAIN)
        hollow(subject, 24, AGAIN)

    assert len(reduced(Case(text, "c", lambda _: False), twice).judge.asked) == 1


def test_nothing_outside_of_the_region_is_hollowed() -> None:
    start = C.index(b"int f3")
    end = C.index(b"int f5")
    result = hollowed(Case(C, "c", lambda _: True), region=(start, end))
    assert result.text.startswith(C[:start])
    assert result.text.endswith(C[end:])
    assert result.text.count(b"{}") == 2


@pytest.mark.parametrize("needed", [b"f0", b"f3", b"f7"])
def test_reading_ahead_ends_alike(needed: bytes) -> None:
    text = C.replace(needed + b"() { return", needed + b"() { abort(); return")
    case = Case(text, "c", partial(in_order, (b"abort", b"return 1")))
    run = partial(hollow, threshold=24, retry_factor=AGAIN)
    assert reduced_ahead(case, run, 3)[0] == reduced(case, run).accepted
