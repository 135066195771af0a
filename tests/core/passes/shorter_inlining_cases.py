"""What `inline` makes of functions, private members and loops that count, for `test_inlining.py`."""

from __future__ import annotations

#: By what is said more plainly: the language, a text, and what it becomes, but for white space.
SHORTER_CASES = {
    "JavaScript: a function with an arrow": (
        "javascript",
        b"function f(x) { return g(x) }\nh(f, f)\n",
        b"f = x => g(x)\nh(f, f)",
    ),
    "JavaScript: a function with an arrow where variables are declared": (
        "javascript",
        b"'use strict'\nfunction f(x) { return g(x) }\nh(f, f)\n",
        b"'use strict'\nvar f = x => g(x)\nh(f, f)",
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
    "JavaScript: a property that is defined": (
        "javascript",
        b"Object.defineProperty(a, b, { enumerable: false, value: c(7) })\n",
        b"a[b] = c(7)",
    ),
    "JavaScript: a property with a reader": (
        "javascript",
        b"Object.defineProperty(a, b, { get: function () { return c.d; } })\n",
        b"a[b] = c.d",
    ),
    "JavaScript: a member with a key in quotes": ("javascript", b"f(a['b'])\n", b"f(a.b)"),
    "C: a loop that counts": (
        "c",
        b"void f() { for (int i = 0; i < 3; i++) g(i, i, i, i, i); }\n",
        b"void f() { int i = 0; g(i, i, i, i, i); }",
    ),
    "JavaScript: the second round of a loop": (
        "javascript",
        b"for (i = 0; i < 8; i += 4) f(i, i, i, i, i)\n",
        b"i = 0; i += 4; f(i, i, i, i, i)",
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
    "C: a switch of one case": (
        "c",
        b"void f(int a) { switch (a) { case 1: g(); h(); break; } }\n",
        b"void f(int a) { if (a) { g(); h(); } }",
    ),
    "JavaScript: a switch of one case": (
        "javascript",
        b"switch (a) { case 1: f() }\n",
        b"if (a) { f() }",
    ),
    "PHP: a loop with a condition": (
        "php",
        b"<?php while ($x) f($x);\n",
        b"<?php if ($x) f($x);",
    ),
    "Python: a loop with a condition": ("python", b"while x:\n  f(x)\n", b"if x:\n  f(x)\n"),
    "C: a function without a type": (
        "c",
        b"int g;\nstatic unsigned f(void) { h(&g); h(&g); }\n",
        b"int g;\nf(f) { h(&g); h(&g); }",
    ),
    "JavaScript: an object after calls that give it back": (
        "javascript",
        b"class A { f() { g(); return this; } h() { k(8) } }\na = new A().f()\nk(a.h(), a.h())\n",
        b"function f() { g(); return ; } function h() { k(8) }\nf()\nk(h(), h())",
    ),
    "JavaScript: an object of a prototype": (
        "javascript",
        b"function A(x) { this.x = x }\nA.prototype.f = g\nh(new A(7), new A(8))\n",
        b"A = {x: 7}\nA.f = g\nh(A, A)",
    ),
    "JavaScript: another name for the object of a method": (
        "javascript",
        b"class A extends B { m(x, y) { const o = this; o.f(x, y) } }\n",
        b"class A extends B { m(x, y) { this.f(x, y) } }",
    ),
    "Python: another name for the object of a method": (
        "python",
        b"class A(B):\n  def m(self, x):\n    o = self\n    o.f(x)\n",
        b"class A(B):\n  def m(self, x):\n    self.f(x)",
    ),
    "C: a macro in another one": (
        "c",
        b'#define F(x) g(x, #x)\n#define G(a, b) F(b); F(a)\nint f() { G(1, "("); }\n',
        b'#define G(a, b) g(b, "b"); g(a, "a")\nint f() { G(1, "("); }',
    ),
    "C++: a macro of two statements": (
        "cpp",
        b"#define F(x, y) int x##1 = 7; \\\n  g(y)\nint f() { F(a, h(1, 2)); }\n",
        b"int f() { int a1 = 7;\ng(h(1, 2)); }",
    ),
}
