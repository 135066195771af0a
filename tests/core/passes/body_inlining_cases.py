"""What `inline` makes of functions that do something before they return, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
BODY_CASES = {
    "JavaScript: statements before a value": (
        "javascript",
        b"function f() { let t = {}; t.o = 7; return h(t) }\ng(f())\n",
        b"let t = {}; t.o = 7; g(h(t))",
    ),
    "JavaScript: statements before the object of a member": (
        "javascript",
        b"function f() { t = g(); t.o(1); return t || 0 }\nf().map(h)\n",
        b"t = g(); t.o(1); (t || 0).map(h)",
    ),
    "JavaScript: statements before a value of a function where it stands": (
        "javascript",
        b"const z = [h((x => { let y = g(x); y.k(x); return y.m() })(3))];\n",
        b"let y = g(3); y.k(3); const z = [h(y.m())];",
    ),
    "Python: statements before a value, in a block": (
        "python",
        b"def f(x):\n    t = g(x)\n    t.o = 7\n    return k(t)\nif z:\n    h(f(3))\n",
        b"if z:\n    t = g(3)\n    t.o = 7\n    h(k(t))\n",
    ),
    "C: statements before a value": (
        "c",
        b"int f(int x) { int y = x + 1; y++; return y * 2; }\nint m() { p(f(3)); }\n",
        b"int m() { int y = 3 + 1; y++; p(y * 2); }",
    ),
    "Java: statements before a value": (
        "java",
        b"class A { int f(int x) { int t = g(x); t++; return k(t); } void m() { int z = h(f(3)); } }\n",
        b"class A { void m() { int t = g(3); t++; int z = h(k(t)); } }",
    ),
    "Rust: statements before the last expression": (
        "rust",
        b"fn f(x: u8) -> u8 { let y = x + 1; g(y); y * 2 }\nfn main() { p(f(3)); }\n",
        b"fn main() { let y = 3 + 1; g(y); p(y * 2); }",
    ),
    "Ruby: statements before the last expression": (
        "ruby",
        b"def f(x)\n  t = g(x)\n  t.o = 7\n  k(t)\nend\nputs(h(f(3)))\n",
        b"t = g(3)\nt.o = 7\nputs(h(k(t)))\n",
    ),
    "Go: statements before a value": (
        "go",
        b"func f(x int) int {\n\tt := g(x)\n\tt.o = 7\n\treturn k(t)\n}\nfunc m() {\n\tp(f(3))\n}\n",
        b"func m() {\n\tt := g(3)\n\tt.o = 7\n\tp(k(t))\n}\n",
    ),
    "Perl: statements before a value": (
        "perl",
        b"sub f { my $y = 1; g($y); return $y * 2; }\nprint(h(f(3)));\n",
        b"my $y = 1; g($y); print(h($y * 2));",
    ),
    "Lua: statements before a value": (
        "lua",
        b"function f(x)\n  local t = g(x)\n  t.o = 7\n  return k(t)\nend\nprint(h(f(3)))\n",
        b"local t = g(3)\nt.o = 7\nprint(h(k(t)))\n",
    ),
    "JavaScript: a value in a string": (
        "javascript",
        b"const x = g(7);\nf(`a${x}b`)\n",
        b"f(`a${g(7)}b`)",
    ),
    "JavaScript: a call with a function that changes nothing": (
        "javascript",
        b"f(...a.map(v => v), b);\n",
        b"f(...a, b);",
    ),
    "Go: arguments that are handed on": (
        "go",
        b'package a\nfunc w(f string, a ...any) { g(f, a...) }\nfunc r(x, y int) { w("%d", x, y) }\n',
        b'package a\nfunc r(x, y int) { { g("%d", x, y) } }',
    ),
    "JavaScript: arguments that are handed on": (
        "javascript",
        b"function w(f, ...a) { g(f, ...a); }\nw(k, 1, 2);\n",
        b"g(k, 1, 2);",
    ),
    "Lua: arguments that are handed on": (
        "lua",
        b"local function w(f, ...) return g(f, ...) end\nprint(w(k, 1, 2))\n",
        b"print(g(k, 1, 2))",
    ),
    "PHP: arguments that are handed on": (
        "php",
        b"<?php function w($f, ...$a) { return g($f, ...$a); }\nh(w($k, 1, 2));\n",
        b"<?php h(g($k, 1, 2));",
    ),
    "Python: arguments that are handed on": (
        "python",
        b"def w(f, *a): return g(f, *a)\nh(w(k, 1, 2))\n",
        b"h(g(k, 1, 2))",
    ),
    "JavaScript: the entries of an object with one key": (
        "javascript",
        b"f(Object.entries({a: g(1, 2)}), 3);\n",
        b'f([["a", g(1, 2)]], 3);',
    ),
    "JavaScript: the values of an object with one key": (
        "javascript",
        b"f(Object.values({a: g({b: 1})}), 3);\n",
        b"f([g({b: 1})], 3);",
    ),
    "JavaScript: the keys of an object with one key": (
        "javascript",
        b"f(Object.keys({a: g(1)}), 3);\n",
        b'f(["a"], 3);',
    ),
    "Python: the items of a dictionary with one key": (
        "python",
        b"f({'a': g(1, 2)}.items(), 3)\n",
        b"f([('a', g(1, 2))], 3)\n",
    ),
    "Elixir: a function of a module": (
        "elixir",
        b"defmodule S do\n  def f(x) do\n    g(x, 2)\n  end\nend\nS.f(1)\n",
        b"g(1, 2)",
    ),
}
