"""What `inline` makes of loops over lists that are written in the text, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
LOOP_CASES = {
    "Python: all rounds of a loop": ("python", b"for x in [3, 4]:\n    f(x)\n", b"f(3)\nf(4)\n"),
    "Ruby: all rounds of a loop": ("ruby", b"[3, 4].each { |x| f(x) }\n", b"f(3)\nf(4)\n"),
    "shell: all rounds of a loop": (
        "shellscript",
        b"for x in 3 4; do f $x; done\n",
        b"f 3;\nf 4\n",
    ),
    "Lua: all rounds of a loop": (
        "lua",
        b"for _, x in ipairs({3, 4}) do f(x) end\n",
        b"f(3)\nf(4)\n",
    ),
    "Perl: all rounds of a loop": ("perl", b"for my $x (3, 4) { f($x); }\n", b"f(3);\nf(4)\n"),
    "Rust: all rounds of a loop": (
        "rust",
        b"fn g() { for x in [3, 4] { f(x); } }\n",
        b"fn g() { f(3);\nf(4); }\n",
    ),
    "C++: all rounds of a loop": (
        "cpp",
        b"void g() { for (int x : {3, 4}) f(x); }\n",
        b"void g() { f(3);\nf(4); }\n",
    ),
    "Java: all rounds of a loop": (
        "java",
        b"class A { void g() { for (int x : List.of(3, 4)) f(x); } }\n",
        b"class A { void g() { f(3);\nf(4); } }\n",
    ),
    "Java: what a method does with each element": (
        "java",
        b"class A { void g() { List.of(3, 4).forEach(x -> f(x)); } }\n",
        b"class A { void g() { f(3);\nf(4); } }\n",
    ),
    "JavaScript: what a method does with each element": (
        "javascript",
        b"[3, 4].forEach(x => f(x));\n",
        b"f(3);\nf(4);\n",
    ),
    "JavaScript: a list at the beginning of a line": (
        "javascript",
        b"a = new A\nlist = [3, 4]\nlist.forEach(x => a.f(x, a, 7))\n",
        b"a = new A\n;[3, 4].forEach(x => a.f(x, a, 7))\n",
    ),
    "JavaScript: a class at the beginning of a chain": (
        "javascript",
        b"(() => class {})().f(3);\n",
        b"(class {}).f(3);\n",
    ),
}
