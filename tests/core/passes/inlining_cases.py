"""What `inline` makes of small texts in many languages, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
CASES = {
    "Scheme: a function": (
        "scheme",
        b"(define (f a b) (g (list b) a))\n(c (f 1 '()) 2)\n",
        b"(c (g (list '()) 1) 2)",
    ),
    "Common Lisp: a function": (
        "commonlisp",
        b"(defun f (a b) (g b a))\n(c (f 1 nil) 2)\n",
        b"(c (g nil 1) 2)",
    ),
    "Scheme: what let binds": (
        "scheme",
        b"(let ((x (list 1)) (y 2)) (f x y))\n",
        b"(let ((y 2)) (f (list 1) y))",
    ),
    "Common Lisp: what let* binds": (
        "commonlisp",
        b"(let* ((x 1) (y x)) (f y))\n",
        b"(let* ((y 1)) (f y))",
    ),
    "OCaml: a function": (
        "ocaml",
        b"let f a b = g b a\nlet x = h (f 1 (k 2)) 3\n",
        b"let x = h (g (k 2) 1) 3",
    ),
    "OCaml: a variable as an argument": (
        "ocaml",
        b"let y = g 1\nlet x = h y 3\n",
        b"let x = h (g 1) 3",
    ),
    "Haskell: a function": (
        "haskell",
        b"f a b = g b a\nx = h (f 1 (k 2)) 3\n",
        b"x = h (g (k 2) 1) 3",
    ),
    "C: a variable": ("c", b"int x = 7;\nint y = x + 1;\n", b"int y = 7 + 1;"),
    "C: a function": (
        "c",
        b"int f(int a, int b) { return a * b; }\nint x = f(1, 2);\n",
        b"int x = 1 * 2;",
    ),
    "C: a parameter after one without a name": (
        "c",
        b"int f(int, int b) { return b; }\nint x = f(1, 2);\n",
        b"int x = 2;",
    ),
    "C: a statement": (
        "c",
        b"void f(int a) { g(a); }\nint main() { f(1); }\n",
        b"int main() { g(1); }",
    ),
    "C: a function of many values": (
        "c",
        b"void f(int p) { int a = 1, b = 2, c = 3, d = 4, e = 5, i = 6; h(p); } int g() { f(7); }\n",
        b"int g() { int a = 1, b = 2, c = 3, d = 4, e = 5, i = 6; h(7); }",
    ),
    "C: every use": ("c", b"int x = 7;\nint y = x + x;\n", b"int y = 7 + 7;"),
    "JavaScript: a variable": ("javascript", b"let a = [1];\nf(a);\n", b"f([1]);"),
    "JavaScript: one of several variables": (
        "javascript",
        b"let a = 1, b = a + 2;\nf(b, a);\n",
        b"let a = 1;\nf(a + 2, a);",
    ),
    "JavaScript: one of several assignments": (
        "javascript",
        b"a = 1, b = 2;\nf(b, a);\n",
        b"b = 2;\nf(b, 1);",
    ),
    "Java: one of several fields": (
        "java",
        b"class A { int a = 1, b = 2; void f() { g(a, b, b); } }\n",
        b"class A { int b = 2; void f() { g(1, b, b); } }",
    ),
    "JavaScript: a function": (
        "javascript",
        b"function f(p, q) { return q - p; }\ng(f(1, 2));\n",
        b"g(2 - 1);",
    ),
    "Python: a variable": ("python", b"a = (1, 2)\nprint(a)\n", b"print((1, 2))\n"),
    "Python: a function": (
        "python",
        b"def f(x, y=1):\n    return y + x\nprint(f(2, 3))\n",
        b"print(3 + 2)\n",
    ),
    "Fortran: a subroutine, whose declarations go": (
        "fortran",
        b"module m\ncontains\nsubroutine f(a)\nreal a\nb = a\nk = 1\nend\nend\nuse m\ncall f(1)\nend",
        b"module m\ncontains\nend\nuse m\nb = 1\nk = 1\nend\n",
    ),
    "C#: what is in a namespace": (
        "csharp",
        b"namespace N { class A { } class B { A a; } }\n",
        b"class A { } class B { A a; }",
    ),
    "C++: what is in a namespace, with its path": (
        "cpp",
        b"namespace n { struct A { }; int b; }\nn::A a;\n",
        b"struct A { }; int b; A a;",
    ),
    "C#: what is in two namespaces, with its path": (
        "csharp",
        b"using N;\nnamespace N { class A { } }\nnamespace M { class B { N.A a; } }\n",
        b"class A { } class B { A a; }",
    ),
    "C++: what is imported from a namespace": (
        "cpp",
        b"namespace n { struct A { }; int b; }\nusing n::A;\nusing namespace n;\nA a;\n",
        b"struct A { }; int b; A a;",
    ),
    "C++: a namespace in another": (
        "cpp",
        b"namespace n { namespace m { int a; } }\nint b = n::m::a;\n",
        b"int a; int b = a;",
    ),
    "C++: a part of a namespace": (
        "cpp",
        b"namespace n { int a; }\nnamespace n { int b; }\nusing namespace n;\nint c = n::a + n::b;\n",
        b"int a; namespace n { int b; } using namespace n; int c = a + n::b;",
    ),
    "Rust: what is in a module called as a variable, without its imports": (
        "rust",
        (
            b"mod a { pub struct A; pub struct B; pub fn f() {} }\nuse a::{A, B};\n"
            b"fn main() { let a = A; a::f(); g!(a::B, a); }\n"
        ),
        (b"pub struct A; pub struct B; pub fn f() {}\nfn main() { let a = A; f(); g!(B, a); }\n"),
    ),
    "Rust: modules that import from each other": (
        "rust",
        (
            b"use std::fmt;\nmod a { use std::fmt; use super::b::*; pub fn f() { super::h(g()) } }\n"
            b"mod b { use crate::a; pub fn g() { a::f() } }\nfn h() { crate::b::g() }\n"
        ),
        b"use std::fmt; pub fn f() { h(g()) } pub fn g() { f() } fn h() { crate::g() }",
    ),
    "Lua: a variable": ("lua", b"local a = 12\nprint(a)\n", b"print(12)\n"),
    "Lua: a function": (
        "lua",
        b"function f(s) return s:rep(2) end\nprint(f(x))\n",
        b"print(x:rep(2))\n",
    ),
    "Lua: functions of a table": (
        "lua",
        (
            b"local A = {}\nfunction A:f(n) return self.x - n end\n"
            b"function A.g(a) return a:f(1) + a.f end\nprint(A.new():f(2) * A.g(A))\n"
        ),
        (
            b"local A = {}\nfunction f(n) return x - n end\n"
            b"function g(a) return f(1) + f end\nprint(f(2) * g(A))\n"
        ),
    ),
    "Rust: a variable": (
        "rust",
        b"fn main() { let a = 12; g(a); }\n",
        b"fn main() { g(12); }",
    ),
    "Rust: a function": (
        "rust",
        b"fn f(x: u8) -> u8 { x + 1 }\nfn main() { g(f(2)); }\n",
        b"fn main() { g(2 + 1); }",
    ),
    "Go: a value in the place of a statement": (
        "go",
        b"package p\nfunc f(a T) int { return a.b[0] }\nfunc g() { f(x) }\n",
        b"package p func g() { _ = x.b[0] }",
    ),
    "Go: a method": (
        "go",
        b"package p\nfunc (a *A) f(b int) int { return a.c[b] }\nfunc g() { h(x.f(1).d) }\n",
        b"package p func g() { h(x.c[1].d) }",
    ),
    "Go: a call in the place of a statement": (
        "go",
        b"package p\nfunc f(a T) int { return h(a) }\nfunc g() { f(x) }\n",
        b"package p func g() { h(x) }",
    ),
    "Lua: a value in the place of a statement": (
        "lua",
        b"local function f(a) return a.b.c end\ndo f(x) end\n",
        b"do return x.b.c end",
    ),
    "Go: a variable": (
        "go",
        b"package p\nfunc f() {\n\tv := g(7)\n\th(v)\n}\n",
        b"package p\nfunc f() {\n\th(g(7))\n}\n",
    ),
    "PHP: a variable": ("php", b"<?php $v = g(7); h($v);", b"<?php h(g(7));"),
    "Perl: a variable": ("perl", b"my $v = g(7);\nh($v);\n", b"h(g(7));\n"),
    "shell: a variable": ("bash", b"v=7\necho $v\n", b"echo 7\n"),
    "shell: a function": ("bash", b"f() { g 7; }\nf\n", b"g 7\n"),
    "Make: a variable": ("make", b"v = 7\nall:\n\techo $(v)\n", b"all:\n\techo 7\n"),
    "R: a variable": ("r", b"v <- g(7)\nh(v)\n", b"h(g(7))\n"),
    "Kotlin: a function": (
        "kotlin",
        b"fun f(x: Int) = g(x)\nfun h() { i(f(7)) }\n",
        b"fun h() { i(g(7)) }\n",
    ),
    "Kotlin: the statements of a function": (
        "kotlin",
        b"fun f(x: Int) { g(x) }\nfun h() { f(7) }\n",
        b"fun h() { g(7) }\n",
    ),
    "SCSS: a function, and the default of a parameter": (
        "scss",
        b"@function f($x, $y: 2) { @return $x / $y; }\na { b: f(7) }\n",
        b"a { b: 7 / 2 }\n",
    ),
    "SCSS: a mixin": (
        "scss",
        b"@mixin m($x) { b: g($x); }\na { @include m(7); }\n",
        b"a { b: g(7); }\n",
    ),
    "Swift: a variable": ("swift", b"let v = g(7)\nh(v)\n", b"h(g(7))\n"),
    "Scheme: a variable": ("scheme", b"(define v (g 7))\n(h v)\n", b"(h (g 7))\n"),
    "Erlang: a variable": ("erlang", b"f() -> V = g(7), h(V).\n", b"f() -> h(g(7)).\n"),
    "Dart: a value in two parts": (
        "dart",
        b"void f() { var v = g(7); h(v); }\n",
        b"void f() { h(g(7)); }\n",
    ),
    "Clojure: a variable": ("clojure", b"(def v (g 7))\n(h v)\n", b"(h (g 7))\n"),
    "Python: code in a string": ("python", b'code = "f(7)"\nexec(code)\n', b"f(7)\n"),
    "JavaScript: a function in its call": (
        "javascript",
        b"f(((t, n) => t.repeat(n))('a', 7));\n",
        b"f('a'.repeat(7));",
    ),
    "JavaScript: a missing argument": (
        "javascript",
        b"function f(x) { new Date(x) }\nf();\n",
        b"new Date(undefined);",
    ),
    "JavaScript: an argument that needs brackets": (
        "javascript",
        b"function f(x) { x.y; }\nf({ get y() { } });\n",
        b"({ get y() { } }).y;",
    ),
    "JavaScript: a number of which a member is used": (
        "javascript",
        b"v = 0\nv.f(v)\n",
        b"0..f(0)",
    ),
    "Python: a number of which a member is used": (
        "python",
        b"v = 12\nf(v.real)\n",
        b"f((12).real)",
    ),
    "JavaScript: several statements": (
        "javascript",
        b"function f(x) { a(x); b(x); }\nf(7);\n",
        b"a(7); b(7);",
    ),
    "Ruby: what is in a module, with its path": (
        "ruby",
        b"module M\nclass A\nend\nend\nf M::A, M\n",
        b"class A\nend\nf A, M",
    ),
    "PHP: what is in a namespace": (
        "php",
        b"<?php namespace N { class A { } f(new A); }\n",
        b"<?php class A { } f(new A);",
    ),
    "shell: a function whose output is read": (
        "shellscript",
        b'greet() { echo hi; }\necho "[$(greet)]"\n',
        b'echo "[$(echo hi)]"',
    ),
    "PowerShell: a function whose output is read": (
        "powershell",
        b'function g { h }\necho "$(g)"\n',
        b'echo "$(h)"',
    ),
    "JavaScript: an arrow function that is called": (
        "javascript",
        b"function f(g) { g(3); }\nf(x => log(x, 1));\n",
        b"(x => log(x, 1))(3);",
    ),
    "Python: a lambda that is called": (
        "python",
        b"f = lambda x: log(x, 1)\nf(3)\n",
        b"(lambda x: log(x, 1))(3)",
    ),
    "SCSS: a variable": (
        "scss",
        b"$s: 1rem;\na { b: $s + 1px; c: $s }\n",
        b"a { b: 1rem + 1px; c: 1rem }",
    ),
    "other alphabets": (
        "c",
        "int é = 7; /* ü */\r\nint y = é;\r\n".encode(),
        "/* ü */ int y = 7;".encode(),
    ),
    "Rust: an import": (
        "rust",
        b"use std::rc::Rc;\nfn f(x: Rc<u8>) {}\n",
        b"fn f(x: std::rc::Rc<u8>) {}",
    ),
    "Java: an import": (
        "java",
        b"import java.util.List;\nclass A { List x; }\n",
        b"class A { java.util.List x; }",
    ),
    "C++: a using declaration": (
        "cpp",
        b"using std::vector;\nvector<int> x;\n",
        b"std::vector<int> x;",
    ),
    "Kotlin: an import": ("kotlin", b"import a.B\nval x = B()\n", b"val x = a.B()"),
    "Java: what a function does, without its result": (
        "java",
        b"class A { static int f(int a) { g(a); return 0; } void h() { x = f(1) + 2; } }\n",
        b"class A { void h() { g(1); } }",
    ),
    "JavaScript: a parameter without brackets": (
        "javascript",
        b"f = a => g(a, 2)\nh(f(1))\n",
        b"h(g(1, 2))",
    ),
    "Rust: a parameter with the name of a field": (
        "rust",
        b"fn f(x: T, y: T) -> S { S { x: x.g(), y } }\nfn h() { let z = f(1, 2); }\n",
        b"fn h() { let z = S { x: 1.g(), y: 2 }; }",
    ),
    "JavaScript: a parameter with the name of a property": (
        "javascript",
        b"function f(x, y) { return g(a.x, {y, x: 0}, x); }\nh(f(1, 2));\n",
        b"h(g(a.x, {y: 2, x: 0}, 1));",
    ),
    "Python: a parameter with the name of an attribute": (
        "python",
        b"def f(x):\n    return g(x, a.x, x=x)\nh(f(1))\n",
        b"h(g(1, a.x, x=1))\n",
    ),
    "XML: a prefix": (
        "xml",
        b'<a:b xmlns:a="u"><c t="a:d">a:x</c></a:b>\n',
        b'<b><c t="d">x</c></b>',
    ),
    "XML: a prefix and the default namespace": (
        "xml",
        b'<a:b xmlns:a="u" xmlns:c="v"><a:d c:e="0"/></a:b>\n',
        b'<b xmlns="u" xmlns:c="v"><d c:e="0"/></b>',
    ),
    "XML: an element around another one": (
        "xml",
        b'<a x="1" y="2"><b/><c y="3">t</c></a>\n',
        b'<c x="1" y="3">t</c>',
    ),
    "HTML: an element around another one": (
        "html",
        b'<div class="a"><p id=b>t</p></div>\n',
        b'<p class="a" id=b>t</p>',
    ),
    "XSLT: a template": (
        "xml",
        b'<s><t m="/"><call-template name="f"/></t><template name="f"><v/>x</template></s>\n',
        b'<s><t m="/"><v/>x</t></s>',
    ),
    "XSLT: a template with a parameter": (
        "xml",
        (
            b'<s><t m="/"><call-template name="f"><with-param name="x" select="@a + 1"/>'
            b'</call-template></t><template name="f"><param name="x"/>'
            b'<v select="$x * $xy"/><v select="$x"/></template></s>\n'
        ),
        b'<s><t m="/"><v select="(@a + 1) * $xy"/><v select="@a + 1"/></t></s>',
    ),
    "XSLT: the content of a part of a template that calls itself": (
        "xml",
        (
            b'<s><t m="/"><call-template name="f"/></t><template name="f"><if test="b">end</if>'
            b'<call-template name="f"/></template></s>\n'
        ),
        b'<s><t m="/">end</t></s>',
    ),
    "SVG: a group": (
        "xml",
        b'<svg><g id="a"><p d="0"/></g><use href="#a"/><use href="#a"/></svg>\n',
        b'<svg><g id="a"><p d="0"/></g><g id="a"><p d="0"/></g></svg>',
    ),
    "JSON: a value that is referred to": (
        "json",
        b'{"a": {"$ref": "#/d/n"}, "d": {"n": {"minimum": 3}}}\n',
        b'{"a": {"minimum": 3}}',
    ),
    "JSON: several references, and a path with escapes": (
        "json",
        b'{"d": {"~0/n": [7, 8], "b": 1}, "a": [{"$ref": "#/d/~00~1n"}, {"$ref": "#/d/~00~1n"}]}\n',
        b'{"d": {"b": 1}, "a": [[7, 8], [7, 8]]}',
    ),
    "YAML: a value that is referred to": (
        "yaml",
        b"a:\n  $ref: '#/d/n'\nd:\n  n:\n    b: 3\n    c: 4\n",
        b"a:\n  b: 3\n  c: 4\n",
    ),
    "YAML: a value with a name": (
        "yaml",
        b"d: &x\n  b: 3\n  c: 4\na:\n  e: *x\n  f: *y\ng: [1, 2]\n",
        b"a:\n  e:\n    b: 3\n    c: 4\n  f: *y\ng: [1, 2]\n",
    ),
    "YAML: an item between two others": (
        "yaml",
        b"a:\n  needs: [b]\nb:\n  needs: [c]\nc:\n  needs: x\n",
        b"a:\n  needs: [c]\nc:\n  needs: x\n",
    ),
    "JSON: an item of a circle, by its name": (
        "json",
        b'[{"id": "a", "next": "b"}, {"id": "b", "next": "a"}]\n',
        b'[{"id": "b", "next": "b"}]',
    ),
    "Make: a rule between two others": ("make", b"a: b\nb: c\n\td\nc:\n", b"a: c\nc:\n"),
    "DOT: an edge between two others": (
        "dot",
        b"digraph { a -> b; b -> c; c -> d }\n",
        b"digraph { a -> c; c -> d }",
    ),
    "SQL: a query that fills a table": (
        "sql",
        b"INSERT INTO t SELECT a.b, 7 FROM a JOIN c ON c.d = a.e WHERE f > 2;\n",
        b"INSERT INTO t SELECT 1, 7;",
    ),
    "SQL: a view with a text": (
        "sql",
        b"CREATE VIEW v AS SELECT upper(a) FROM t;\n",
        b"CREATE VIEW v AS SELECT upper('');",
    ),
}
