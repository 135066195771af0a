"""What `inline` makes of functions, private members and loops that count, for `test_inlining.py`."""

from __future__ import annotations

#: By what is said more plainly: the language, a text, and what it becomes, but for white space.
SHORTER_CASES = {
    "JavaScript: a function with an arrow": (
        "javascript",
        b"function f(x) { return g(x) }\nh(f, f)\n",
        b"f = x => g(x)\nh(f, f)",
    ),
    "JavaScript: a function of several statements with an arrow": (
        "javascript",
        b"a(async function (x, y) { b(x); c(y); })\n",
        b"a(async (x, y)=>{ b(x); c(y); })",
    ),
    "JavaScript: a method with an arrow": (
        "javascript",
        b"f({ m() { return [] }, get n() { return 7 } })\n",
        b"f({ m: _=>[], get n() { return 7 } })",
    ),
    "JavaScript: a method of a class with an arrow": (
        "javascript",
        b"class A extends B { static m(x) { return {x} } }\nf(A, A)\n",
        b"class A extends B { static m = x=>({x}) }\nf(A, A)",
    ),
    "JavaScript: all functions with an arrow": (
        "javascript",
        b"f(function () { g(1) }, x => { return x.y })\n",
        b"f(_=>g(1), x => x.y)",
    ),
    "TypeScript: a function with an arrow": (
        "typescript",
        b"function f(x: B) { return g(x) }\nh(f, f)\n",
        b"let f = (x: B)=>g(x)\nh(f, f)",
    ),
    "JavaScript: a private member": (
        "javascript",
        b"class A extends B { #x = 7; m(a) { f(this.#x, a.#x) } }\n",
        b"class A extends B { x = 7; m(a) { f(this.x, a.x) } }",
    ),
    "JavaScript: an object made by reflection": (
        "javascript",
        b"f(Reflect.construct(A, [7, 8], B))\n",
        b"f(new A(7, 8))",
    ),
    "JavaScript: a member by reflection": (
        "javascript",
        b"f(Reflect.get(a.b, c, 7))\n",
        b"f(a.b[c])",
    ),
    "JavaScript: a member set by reflection": (
        "javascript",
        b"Reflect.set(a, b, 7, c)\n",
        b"a[b] = 7",
    ),
    "JavaScript: a member of a prototype": (
        "javascript",
        b"f(A.prototype, A)\n",
        b"f(new A(), A)",
    ),
    "C: a loop that counts": (
        "c",
        b"void f() { for (int i = 0; i < 3; i++) g(i, i, i, i, i); }\n",
        b"void f() { int i = 0; g(i, i, i, i, i); }",
    ),
    "JavaScript: a loop with a second value": (
        "javascript",
        b"for (i = 0; ; i = 4) f(i, i, i, i, i)\n",
        b"i = 4; f(i, i, i, i, i)",
    ),
    "PHP: a loop that counts": (
        "php",
        b"<?php for ($i = 0; $i < 9; $i++) { f($i, $i, $i, $i, $i); }\n",
        b"<?php $i = 0; { f($i, $i, $i, $i, $i); }",
    ),
    "JavaScript: a function in a function that has no parameters": (
        "javascript",
        b"function f() { a = b(x => x); return c }\nd = f()\n",
        b"a = b(x => x); d = c",
    ),
}
