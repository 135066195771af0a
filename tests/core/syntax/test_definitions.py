"""What a single node defines or assigns, in any language."""

from __future__ import annotations

import pytest

from pollard.syntax.names.definitions import assigned, defined, nodes
from tests.core.syntax.samples import parsed

DEFINITIONS = {
    "c": {
        b"int f(int a, char *b) { int c = a; return c; }": "f",
        b"int g(int h);": "g",
        b"static int x = 1, *y, z[3];": "x y z",
        b"int (*p)(int k);": "p",
        b"struct s { int m; };": "s",
        b"struct s { int m; } v;": "s v",
        b"typedef struct s t;": "t",
        b"enum e { A, B = 2 };": "e A B",
        b"#define M(q) q\n": "M",
        b"f(x);": "",
    },
    "cpp": {
        b"template <class T> int f(T a) { return a; }": "f",
        b"class K : public L { int m; void n(); };": "K",
        b"namespace ns { int v; }": "ns",
        b"using A = int;": "A",
        b"auto l = [](int p) { return p; };": "l",
        b"void K::n() {}": "n",
        b"int &r = x;": "r",
    },
    "rust": {
        b"fn f<T>(a: T) -> i32 { a }": "f",
        b"struct S { m: i32 }": "S",
        b"enum E { A, B(i32) }": "E A B",
        b"let (p, q) = r;": "p q",
        b"const C: i32 = D;": "C",
        b"mod m { fn g() {} }": "m",
        b"impl S { fn h() {} }": "",
        b"use a::b as c;": "c",
        b"macro_rules! n { () => {} }": "n",
    },
    "javascript": {
        b"function f(a) { let b; }": "f",
        b"const x = 1, {y, z: w} = q, [i, j] = k;": "x y w i j",
        b"class K extends L { m() {} }": "K",
        b"import d from 'm';": "d",
        b"import * as e from 'm';": "e",
        b"export function g() { h(); }": "g",
    },
    "typescript": {
        b"function f(a: T): U { return a; }": "f",
        b"interface I<T> { m: string }": "I",
        b"type A = B;": "A",
        b"enum E { X, Y = 2 }": "E X Y",
        b"const c: number = d;": "c",
        b"namespace N { }": "N",
    },
    "python": {
        b"def f(a, b=c):\n    d = a\n": "f",
        b"class K(L):\n    m = 1\n": "K",
        b"@dec\ndef g(): pass\n": "g",
        b"import os, sys as s\n": "os sys s",
        b"f(x)\n": "",
    },
    "java": {
        b"class K { int m; int f(int a) { return a; } }": "K",
        b"interface I {}": "I",
        b"enum E { A, B }": "E A B",
        b"import a.b.C;": "C",
    },
    "go": {
        b"func f(a int) int { return a }": "f",
        b"func (r *T) m() {}": "m",
        b"var x, y = 1, z": "x y",
        b"type S struct { n int }": "S",
        b'import q "r"': "q",
    },
    "lua": {
        b"local function f(a) end": "f",
        b"function g() end": "g",
        b"local x, y = 1, z": "x y",
    },
    "pascal": {
        b"procedure T.f(a: b);\nvar c: d;\nbegin end;": "f",
    },
    "ruby": {b"def f?(x) y end": "f?"},
    "vhdl": {
        b"architecture r of e is\nsignal s, t : bit;\nbegin\nend;": "r s t",
        b"entity e is\nport (p : in bit);\nend;": "e",
        b"package body p is\nfunction f(x : a) return b is\nvariable v : c;\nbegin\nend;\nend;": "f",
        b"package p is\nprocedure q(x : a);\nend;": "p q",
    },
    "ada": {
        b"package body P is\nfunction F (X : A) return B is\nV : C;\nbegin\nend F;\nend P;": "F",
        b"package P is\ntype A is (B, C);\ntype D is record\nE : F;\nend record;\nend P;": "P A B C D",
        b"package P is\ntype A is array (B range <>) of C;\ntype D is access E;\nend P;": "P A D",
        b"package P is\nsubtype A is B range 1 .. C;\nD : constant := E;\nend P;": "P A D",
        b"package P is\nA : exception;\ntask B is\nentry C;\nend B;\nend P;": "P A B",
    },
    # Grammars without fields for what is declared.
    "kotlin": {
        b"class A<X>(val p: Int) : B() { val f: Int = 1 }": "A",
        b"fun <T> T.h(t: T): Int { val y = t; return y }": "h",
        b"val x: Int = y": "x",
        b"val (u, v) = w": "u v",
        b"typealias T = List<A>": "T",
        b"import a.b.C": "C",
        b"f(x)": "",
    },
    "graphql": {
        b"type A implements B { f(x: C): D }": "A",
        b"query Q($v: Int) { a(x: $v) { ...F } }": "Q",
        b"fragment F on A { f }": "F",
        b"extend type A { g: B }": "",
    },
    "proto": {
        b"message M { N f = 1; enum E { X = 0; } }": "M",
        b"service S { rpc R (M) returns (N); }": "S",
    },
    "zig": {
        b"pub fn g(x: A) B { const y = x; return y; }": "g",
        b"const A = struct { f: u8 };": "A",
    },
    "d": {
        b"int g(int x) { auto y = x; return y; }": "g",
        b"struct S { int f; void m(T)(T t) { } }": "S",
        b"A h, i = j;": "h i",
        b"alias T = A;": "T",
    },
    "thrift": {b"struct S { 1: T f }": "S", b"typedef i32 T": "T"},
    "powershell": {b"function Get-Foo { $x }": "Get-Foo"},
    "wat": {b"(module (func $f (param $x i32) call $g) (global $h i32 (i32.const 0)))": "$f $h"},
    "verilog": {
        b"module m(input a); wire w; function f; input x; f = x; endfunction\nendmodule": ""
    },
    "css": {b"a { color: red }": ""},
    "elisp": {b"(defun f-g (x) y)": "f-g", b"(defvar a-b 1)": "a-b", b"(list default x)": ""},
    "scheme": {b"(define (f-g x) y)": "f-g", b"(define a-b 1)": "a-b", b"(f (define x))": ""},
    "clojure": {b"(defn f-g [x] y)": "f-g", b"(def a-b 1)": "a-b", b"(f x)": ""},
    "commonlisp": {b"(defun f-g (x) y)": "f-g", b"(defvar a-b 1)": "a-b"},
}
WITH_SLASHES = ("c", "cpp", "rust", "javascript", "typescript", "java", "go")
# In these languages who gives a name a value first defines it.
ASSIGNMENTS = {
    "python": {b"x = y\n": "x", b"y, z = f(w)\n": "y z", b"w: int = 1\n": "w", b"o.a = 2\n": ""},
    "javascript": {b"v = w;": "v", b"o.a = w;": ""},
    "scss": {b"$a-b: 1px;": "$a-b"},
    "css": {b"a { --b-c: 1 }": ""},
}


def names(text: str) -> set[bytes]:
    return set(text.encode().split())


@pytest.mark.parametrize("language", DEFINITIONS)
def test_a_node_defines_names_for_the_text_around_it(language: str) -> None:
    for text, expected in DEFINITIONS[language].items():
        before = b"// \xc3\xa9\n" if language in WITH_SLASHES else b"\n\n"
        document = parsed(language, before + text)
        found = (
            defined(node, document.text, document.language) for node in document.root.named_children
        )
        assert frozenset().union(*found) == names(expected), text


# What is called is defined elsewhere, though the grammar has it in a field called `name`.
CALLS = {
    "shellscript": b"f x | g y",
    "fish": b"f x",
    "lua": b"f(x)",
    "php": b"<?php $x->f(1); X::g();",
    "java": b"class A { { f(); this.g(x); } }",
    "csharp": b"class A { void A() { f(x.g); } }",
    "cpp": b"void A() { B::f(std::move(x)); }",
    "rust": b"fn A() { S { x: B::f() }; }",
    "ada": b"procedure A is begin f (1); end A;",
    "tcl": b"f x",
    "matlab": b"f(1)",
    "javascript": b"<F g='1'>x</F>;",
}


@pytest.mark.parametrize("language", CALLS)
def test_a_call_defines_nothing(language: str) -> None:
    document = parsed(language, CALLS[language])
    found = (
        defined(node, document.text, document.language)
        for node in nodes(document.root)
        if "identifier" not in node.type
    )
    assert frozenset().union(*found) <= {b"A"}


@pytest.mark.parametrize("language", ASSIGNMENTS)
def test_a_node_assigns_names(language: str) -> None:
    for text, expected in ASSIGNMENTS[language].items():
        document = parsed(language, text)
        assert assigned(document.root.named_children[0], text, document.language) == names(
            expected
        ), text
        assert not defined(document.root.named_children[0], text, document.language), text
