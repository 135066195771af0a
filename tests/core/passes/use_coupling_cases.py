"""What `coupled` makes of definitions and their uses in one step, as in `coupling_cases.py`."""

from __future__ import annotations

BY_NAME = {
    "a member of a parameter's type with the key of an object": (
        "typescript",
        b"function f(x: { a; b }) { }\nf({ a, b: 7 })\n",
        b"function f(x: { b }) { }\nf({ b: 7 })\n",
    ),
    "a field with its value, which has the name of a parameter": (
        "rust",
        b"struct S { a: A, b: B }\nfn new(a: &A, b: B) -> S { S { a: a.c(), b: b } }\n",
        b"struct S { b: B } fn new(a: &A, b: B) -> S { S { b: b } }",
    ),
    "a field that has the name of the variable of a loop": (
        "rust",
        b"struct S { a: A, b: B }\nfn f(s: S, x: X) { for a in x { s.a = a; g(s.b, a) } }\n",
        b"struct S { b: B } fn f(s: S, x: X) { for a in x { g(s.b, a) } }",
    ),
    "a member of a class": (
        "cpp",
        b"struct S { int a; int b; };\nint f(S s, int a) { s.a = a; return s.b; }\n",
        b"struct S { int b; }; int f(S s, int a) { return s.b; }",
    ),
    "a member with a type of its own with an attribute": (
        "typescriptreact",
        b"function F(x: { a: number; b }) { }\n<F a b />\n",
        b"function F(x: { b }) { }\n<F b />\n",
    ),
    "a statement that changes what is replaced elsewhere": (
        "c",
        b"void f(struct s *p) { int a; p->n++; a = 1; g(p, a); }\n",
        b"void f(struct s *p) { p->n++; g(p, 0); }",
    ),
    "a statement that changes what becomes null": (
        "javascript",
        b"let x = f()\nx.y = 1\ng(x, x)\n",
        b"g(null, null)\n",
    ),
    "what changes a parameter": (
        "c",
        b"void f(struct s *p, int a) { p->n++; g(p, a); }\nvoid h() { f(x, 2); }\n",
        b"void f(int a) { g(0, a); }\nvoid h() { f(2); }",
    ),
    "an augmented assignment": (
        "python",
        b"def f(n):\n    n.x += 1\n    g(n.x)\nf(a)\n",
        b"def f():\n    g(0)\nf()\n",
    ),
    "an increment in Go": (
        "go",
        b"package p\nfunc f(n int, m int) { n++; g(n, m) }\nfunc h() { f(a, b) }\n",
        b"package p\nfunc f(m int) { g(0, m) }\nfunc h() { f(b) }\n",
    ),
    "a type's name where another one serves": (
        "c",
        b"typedef int T;\nT f() { T x; g(x); }\n",
        b"int f() { int x; g(x); }",
    ),
    "a table before a method": (
        "lua",
        b"t = {}\nfunction t.f(s) s:g() end\nt.f(1)\n",
        b"function f(s) s:g() end f(1)",
    ),
    "a parameter and an argument without brackets": (
        "ruby",
        b"def f p, q\n  g q\nend\nf 1, 2\nx.f 3, 4\n",
        b"def f q\n g q\nend\nf 2\nx.f 4",
    ),
    "an argument": ("c", b"int x = 1;\nint main() { f(x); g(2, x); }\n", b"int main(){f();g(2);}"),
    "a call, replaced by a number": (
        "c",
        b"int f(int a) { return a; }\nint main() { return f(1) + f(2); }\n",
        b"int main() { return 0 + 0; }",
    ),
    "a function with its prototype": (
        "c",
        b"int f(void);\nint main() { g(f); }\nint f(void) { }\n",
        b"int main() { g(); }",
    ),
    "a field with what it is given": (
        "rust",
        b"struct S { a: u8, b: u8 }\nfn f() -> S { S { a: 1, b: 2 } }\n",
        b"struct S { b: u8 } fn f() -> S { S { b: 2 } }",
    ),
    "a variant with its arm and its values": (
        "rust",
        b"""enum E { A(u8), B { i: u8 } }
fn f(e: E) { match e { E::A(i) => g(i), E::B { i } => h(i) } }
fn k() { f([E::A(1), E::B { i: 2 }]) }
""",
        b"enum E { A(u8) } fn f(e: E) { match e { E::A(i) => g(i), } } fn k() { f([E::A(1)]) }",
    ),
    "an import with what it served": (
        "python",
        b"import os\nf(1, os.path)\nkeep(os)\n",
        b"f(1, path)\nkeep()\n",
    ),
    "an import of JavaScript": (
        "javascript",
        b'import {a, b} from "x";\nf(1, a); g(b, a);\n',
        b'import {b} from "x"; f(1); g(b);',
    ),
    "the value for nothing, in the place of what has none": (
        "python",
        b"def f():\n    g(1)\n\nx = f()\nx.y\n",
        b"def f():\n    g(1)\n\nNone.y\n",
    ),
    "the shortest type for a type": (
        "cpp",
        b"struct A {};\nstd::map<B, A> x;\n",
        b"std::map<B, int> x;",
    ),
    "a literal for the call of a method": (
        "javascript",
        b"class A { f() { g(); } }\nconst y = x.a.f(1);\n",
        b"class A { } const y = 0;",
    ),
    "no use in a comment": (
        "c",
        b"int x;\nint main() { f(x); /* x */ }\n",
        b"int main() { f(); /* x */ }",
    ),
}

ORPHANS = {
    "the argument takes the variable along": (
        "rust",
        b"fn f(a: A, b: B) { g(b); }\nfn h() { let c = d(); f(c, 1); }\n",
        b"fn f(b: B) { g(b); } fn h() { f(1); }",
    ),
    "the last use takes the import along": (
        "go",
        b'package main\nimport "fmt"\nfunc main() {\n\tfmt.Println(1)\n\tpanic(1)\n}\n',
        b"package main func main() { panic(1) }",
    ),
    "of several imports only that one": (
        "go",
        b'package main\nimport (\n\t"a/json"\n\t"fmt"\n)\nfunc main() { fmt.Println(1); j(json.X) }\n',
        b'package main import ("a/json") func main() { j(json.X) }',
    ),
    "and the local variable": (
        "go",
        b"package main\nfunc main() {\n\tx := 1\n\tf(x)\n\tpanic(1)\n}\n",
        b"package main func main() { panic(1) }",
    ),
    "and so on": (
        "python",
        b"import os\ndef f():\n    x = os.y\n    g(x)\n    raise\n",
        b"def f():\n    raise\n",
    ),
    "a function goes with its import": (
        "javascript",
        b'import {a} from "x";\nfunction f() { a(); }\nh();\n',
        b"h();",
    ),
}
