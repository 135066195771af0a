"""What `inline` makes of hidden variables and filled collections, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
STORED_CASES = {
    "Python: a variable with the name of a parameter": (
        "python",
        b"def f(x):\n    x.g()\nx = []\nf(x)\n",
        b"def f(x):\n    x.g()\nf([])",
    ),
    "Python: an element that is stored": (
        "python",
        b"t = {}\nfor x in y:\n    t[x] = f()\nt[0].g()\n",
        b"t = {}\nfor x in y:\n    t = f()\nt.g()",
    ),
    "Python: an element of a member": (
        "python",
        b"class A:\n    def f(s, v):\n        s.a.append(v)\n    def g(s):\n        h(s.a[0])\n",
        b"class A:\n    def f(s, v):\n        s.a = v\n    def g(s):\n        h(s.a)",
    ),
    "JavaScript: an element that is appended": (
        "javascript",
        b"const a = []; function h(v) { a.push(v); } h(7); for (const x of a) g(x);\n",
        b"let a = []; function h(v) { a = v; } h(7); for (const x of [a]) g(x);",
    ),
    "PHP: an element of a table": (
        "php",
        b"<?php function f($a, $v) { $a['k'] = $v; return g($a['k']); }",
        b"<?php function f($a, $v) { $a = $v; return g($a); }",
    ),
    "C: a variable that gets its value later": (
        "c",
        b"int f() { int x; int *y; y = h(); return y; }\n",
        b"int f() { int x; int *y = h(); return y; }",
    ),
    "JavaScript: a variable that gets another value later": (
        "javascript",
        b"let x = 7\ng()\nx = f()\nh(x)\n",
        b"g()\nlet x = f()\nh(x)",
    ),
    "Go: a variable that gets its value later": (
        "go",
        b"package a\nfunc f() {\n\tvar x int\n\tx = g()\n\th(x)\n}\n",
        b"package a\nfunc f() {\n\tvar x int = g()\n\th(x)\n}",
    ),
}
