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
}
