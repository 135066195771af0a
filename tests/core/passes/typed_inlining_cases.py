"""What `inline` makes of types, objects and results, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
TYPED_CASES = {
    "C: a type": ("c", b"typedef long T;\nT x;\n", b"long x;"),
    "C: a parameter of a type with a name": (
        "c",
        b"int f(T a) { return a; }\nint main() { g(f(1)); }\n",
        b"int main() { g(1); }",
    ),
    "Lua: a function of a table that uses no object": (
        "lua",
        b"function A:f() return self end\nfunction A.g() return 1 end\nprint(A:f(A.g()))\n",
        b"function A:f() return self end\nfunction g() return 1 end\nprint(A:f(g()))\n",
    ),
    "Rust: a type": ("rust", b"type T = u8;\nfn f(x: T) {}\n", b"fn f(x: u8) {}"),
    "PHP: a method": (
        "php",
        b"<?php class A { static function m($x) { return g($x); } } h(A::m(7));",
        b"<?php class A { } h(g(7));",
    ),
    "Python: a class that is used once": (
        "python",
        b"class A:\n    def m(self, x):\n        return g(x)\nh(A().m(7))\n",
        b"h(g(7))\n",
    ),
    "Python: a class that only groups functions": (
        "python",
        b"class TestA:\n    @mark.slow\n    def test(self, x):\n        assert x == 7\n",
        b"@mark.slow\ndef test(x):\n    assert x == 7\n",
    ),
    "Python: the list of a decorator for a parameter": (
        "python",
        b"@mark.one('n', [1, 2])\ndef test(a, n):\n    assert n == a\n",
        b"def test(a):\n    assert 2 == a\n",
    ),
    "Python: the list of a decorator for several parameters": (
        "python",
        b"@mark.slow\n@mark.one('n, m', [(1, x + y)])\ndef test(m, n):\n    assert n == m.z\n",
        b"@mark.slow\ndef test():\n    assert 1 == (x + y).z\n",
    ),
    "Python: a value of JSON in a string": (
        "python",
        b"import json\nf(json.loads(''' {\"a\": [true, null]}'''))\n",
        b'import json\nf( {"a": [True, None]})\n',
    ),
    "JavaScript: a value of JSON in a string": (
        "javascript",
        b"f(JSON.parse('{\"a\": [7]}'));\n",
        b'f({"a": [7]});\n',
    ),
    "C: a pointer type": (
        "c",
        b"typedef int **P;\nint f() { P p = 0; **p = 1; }\n",
        b"int f() { int ** p = 0; **p = 1; }",
    ),
    "C: a structure of one field": (
        "c",
        b"struct S { int *p; } q;\nint f(struct S *x, struct T *y) { return x->p + (*x).p + y->r; }\n",
        b"int * q; int f(int * *x, struct T *y) { return x[0] + (*x) + y->r; }",
    ),
    "C: a structure with a name of its own": (
        "c",
        b"typedef struct { unsigned n; } S;\nS s = { .n = 1 };\n",
        b"typedef unsigned S; S s = { 1 };",
    ),
    "C: a structure of one array": (
        "c",
        b"struct S { char n[3]; } s;\nint f(struct S *p) { return p->n[0] + s.n[1]; }\n",
        b"char s[3]; int f(char p[3]) { return p[0] + s[1]; }",
    ),
    "C++: a structure": (
        "cpp",
        b"struct S { int n; };\nint f(S s) { return s.n; }\n",
        b"int f(int s) { return s; }",
    ),
    "Rust: a structure, its values and patterns": (
        "rust",
        (
            b"struct S { n: B<A> }\nfn f(s: &mut S) -> S { s.n.g(); S { n: B::h() } }\n"
            b"fn g(n: B<A>) { let s = S { n }; let S { n } = s; }\n"
        ),
        b"fn f(s: &mut B<A>) -> B<A> { s.g(); B::h() } fn g(n: B<A>) { let s = n; let n = s; }",
    ),
    "Go: a structure": (
        "go",
        b"package p\ntype S struct { L []int }\nvar s = S{L: []int{1}}\nvar n = s.L[0]\n",
        b"package p type S []int var s = []int{1} var n = s[0]",
    ),
    "Python: a method of an object": (
        "python",
        b"class A:\n    def m(self, x):\n        return self.y + x\nh(a.m(7), A)\n",
        b"class A:\nh(a.y + 7, A)\n",
    ),
    "Rust: a method of an object": (
        "rust",
        b"impl A { fn m(&mut self, x: u8) { self.y.f(x); } }\nfn h() { a.m(7); }\n",
        b"impl A { }\nfn h() { a.y.f(7); }",
    ),
    "Java: a method of an object": (
        "java",
        b"class A { int y; int m(int x) { return this.y + x; } void h() { g(b().m(7)); } }\n",
        b"class A { int y; void h() { g(b().y + 7); } }",
    ),
    "Rust: a result that is left out": (
        "rust",
        b"fn f(x: u8) -> R<u8> { match x { 1 => { g(); Ok(1) } _ => Err(2) } }\n",
        b"fn f(x: u8) { match x { 1 => { g(); } _ => {} } }",
    ),
    "Rust: a result that becomes a statement": (
        "rust",
        b"fn f() -> T<u8> { g(1) }\n",
        b"fn f() { g(1); }",
    ),
    "Rust: a result of an if": (
        "rust",
        b"fn f() -> u8 { if a { 1 } else if b { g(); 2 } else { 3 } }\n",
        b"fn f() { if a { } else if b { g(); } else { } }",
    ),
    "Go: a result": (
        "go",
        b"package p\nfunc f() (int, error) { g(); return 1, nil }\n",
        b"package p\nfunc f() { g(); return }\n",
    ),
    "Go: a result that no call keeps": (
        "go",
        (
            b"package p\nfunc f() (T, error) { return 1, nil }\n"
            b"func g() { x, _ := f(); y, _ := f(); h(x + y); f() }\n"
        ),
        b"package p\nfunc f() (T) { return 1 }\nfunc g() { x := f(); y := f(); h(x + y); f() }\n",
    ),
    "Python: a result that no call keeps": (
        "python",
        b"def f(a):\n    if a: return 1, g()\n    return h(a), 2\nx, y = f(3)\nprint(x)\n",
        b"def f(a):\n    if a: return 1\n    return h(a)\nx = f(3)\nprint(x)\n",
    ),
    "Java: a result": (
        "java",
        b"class A { int f() { g(); return h(1); } }\n",
        b"class A { void f() { g(); h(1); } }",
    ),
    "C#: a result": (
        "csharp",
        b"class A { string F() { return 1; } }",
        b"class A { void F() { return; } }",
    ),
    "C: a result": ("c", b"long f(int x) { return g(x); }\n", b"void f(int x) { g(x); }"),
    "C++: a template with one instance": (
        "cpp",
        b"template <class T, int N> struct S { T x[N]; };\nS<char, 4> s;\n",
        b"struct S { char x[4]; };\nS s;",
    ),
    "Rust: methods that get their object": (
        "rust",
        (
            b"struct S<'a>(&'a u8, u8);\n"
            b"impl<'a> S<'a> { fn f(&self) {} fn g(&mut self, x: u8) { self.f(); y.g(self); } }\n"
        ),
        b"struct S<'a>(&'a u8, u8); fn f(s: &S) {} fn g(s: &mut S, x: u8) { f(s); g(&mut y, s); }",
    ),
    "Rust: methods that consume their object, and where a usual name is taken": (
        "rust",
        (
            b"struct S<'s>(&'s u8);\n"
            b"impl<'s> S<'s> { fn f(&mut self) {} fn g(mut self) { self.f(); self.h() } fn h(self) {} }"
        ),
        (
            b"struct S<'s>(&'s u8); fn f(t: &mut S) {} fn g(mut t: S) { f(&mut t); h(t) } "
            b"fn h(t: S) {}"
        ),
    ),
    "Rust: a method of another trait that passes its object on": (
        "rust",
        (
            b"impl P { fn a(&self) { b(self) } }\n"
            b"impl T for P { fn x(&mut self) { self.a(); self.q.a(); } }\n"
        ),
        (b"fn a(s: &P) { b(s) } impl T for P { fn x(&mut self) { a(self); a(&self.q); } }"),
    ),
    "C++: fields and types that a method uses before them": (
        "cpp",
        b"class { struct A { int i; } a; void f() { b = a; } A b; int g() {} };\n",
        b"struct A { int i; } a; A b; void f() { b = a; } int g() {}",
    ),
    "Rust: results that wrap a value": (
        "rust",
        b"fn f() -> Result<u8, E> { if a { Ok(1) } else { Err(2) } }\nfn g() { f()?; f().unwrap(); }\n",
        b"fn f() -> u8 { if a { 1 } else { loop {} } }\nfn g() { f(); f(); }\n",
    ),
    "Rust: a structure without names": (
        "rust",
        b"pub struct T(pub Vec<u8>);\nfn f(x: &T) { let T(y) = x; x.0.len(); T(y); }\n",
        b"fn f(x: &Vec<u8>) { let y = x; x.len(); y; }",
    ),
    "Java: a value that may be missing": (
        "java",
        b"class A { Optional<T> f() { return Optional.of(g()); } void h() { f().get().x(); } }\n",
        b"class A { T f() { return g(); } void h() { f().x(); } }",
    ),
    "C++: a pointer that owns": (
        "cpp",
        b"std::unique_ptr<A> f() { return std::make_unique<A>(3); } A *g() { return f().get(); }\n",
        b"A f() { return 3; } A *g() { return f(); }",
    ),
    "C#: a task": (
        "csharp",
        b"class A { async Task<int> F() { return await Task.FromResult(G().Result); } }\n",
        b"class A { int F() { return G(); } }",
    ),
    "Rust: an enumeration of one value": (
        "rust",
        b"enum E { A(Vec<E>) }\nfn f(x: &E) { match x { E::A(y) => E::A(y), _ => x } }\n",
        b"fn f(x: &Vec<u8>) { match x { y => y, _ => x } }",
    ),
    "TypeScript: promises": (
        "typescript",
        b"async function f(): Promise<number> { return await Promise.resolve(g()) }\n",
        b"function f(): number { return g() }",
    ),
    "C++: a type at several places": (
        "cpp",
        b"std::map<char, A> f(const std::map<char, A> &x) { g(); }\n",
        b"int f(const int &x) { g(); }",
    ),
    "C++: the last argument of a type at several places": (
        "cpp",
        b"std::map<char, A> f(const std::map<char, A> &x) { g(); }\n",
        b"A f(const A &x) { g(); }",
    ),
    "Rust: a match of one arm": (
        "rust",
        b"fn f() { match g() { x => h(x) } }\n",
        b"fn f() { { let x = g(); h(x) } }",
    ),
    "Rust: a condition with a pattern": (
        "rust",
        b"fn f() { if let x = g() { h(x); } }\n",
        b"fn f() { { let x = g(); h(x); } }",
    ),
    "Rust: a generic structure": (
        "rust",
        b"struct S<T> { x: T }\nstatic s: S<u8>;\n",
        b"struct S { x: u8 }\nstatic s: S;",
    ),
    "Go: a generic type": (
        "go",
        b"package p\ntype L[T any] struct { x T }\nvar l L[int]\n",
        b"package p\ntype L struct { x int }\nvar l L\n",
    ),
    "C++: a class that is used for a method": (
        "cpp",
        b"struct S { int f(int x) { return x; } };\nint x = S().f(1) + g();\n",
        b"int f(int x) { return x; } int x = f(1) + g();",
    ),
    "C++: a class that is still named": (
        "cpp",
        b"struct S { T y; void f(int x) { this->y; } };\nvoid h() { S s; s.f(1); s.f(2); }\n",
        b"struct S {}; T y; void f(int x) { y; } void h() { S s; f(1); f(2); }",
    ),
    "Java: a nested class": (
        "java",
        b"class A { class B { int x; void f() { h(x); } } void m() { new B().f(); } }\n",
        b"class A { int x; void f() { h(x); } void m() { f(); } }",
    ),
    "Rust: a method and the fields that it uses": (
        "rust",
        b"struct S { i: u8, j: u8 }\nimpl S { fn f(&mut self) { self.i = self.i + 1; } }\n",
        b"fn f(i: &mut u8) { i = i + 1; }",
    ),
    "Rust: methods that call each other": (
        "rust",
        b"impl S { fn f(&self, x: u8) { self.g(); S::h(a::h); } fn g(&self) {} fn h() {} }\n",
        b"fn f(x: u8) { g(); h(a::h); } fn g() {} fn h() {}",
    ),
    "JavaScript: the first element in a function with a result": (
        "javascript",
        b"[1, 2].forEach(function (x) { return f(x); });\n",
        b"f(1);",
    ),
    "Rust: a type whose parameter comes from its methods": (
        "rust",
        b"struct C<S>;\nimpl<S: T> C<S> { fn n(x: S) -> C<S> { C } }\nfn f() { C::n(0); }\n",
        b"struct C;\nimpl C { fn n(x: u8) -> C { C } }\nfn f() { C::n(0); }",
    ),
    "Rust: a type and its methods with the arguments of one place": (
        "rust",
        b"struct C<S>(S);\nimpl<R: T> C<R> { fn n(x: R) {} }\nstatic C: C<i64> = C(0);\n",
        b"struct C(i64);\nimpl C { fn n(x: i64) {} }\nstatic C: C = C(0);",
    ),
    "Python: one of several methods": (
        "python",
        b"class A:\n    def f(self):\n        g(self)\n    def h(self):\n        1\na.f()\n",
        b"class A:\n    def h(self):\n        1\ng(a)\n",
    ),
    "Python: a class with one object": (
        "python",
        (
            b"class A:\n    k = []\n    def __init__(self, p, q):\n        self.p = p + self.k\n"
            b"        f(q)\n    def g(self, r):\n        self.p += r\n        return self.h(self.p)\n"
            b"    def h(self, s):\n        s\na = A(7, 8)\na.g(9)\na.g(a.p)\na.h(0)\n"
        ),
        (
            b"k = []\ndef g(r):\n    global p\n    p += r\n    return h(p)\ndef h(s):\n    s\n"
            b"p = 7 + k\nf(8)\ng(9)\ng(p)\nh(0)\n"
        ),
    ),
    "Python: the members of an object that has no name": (
        "python",
        b"class A:\n    def __init__(self):\n        self.x = 7\ndef f():\n    print(A().x)\nf(f)\n",
        b"def f():\n    global x\n    x = 7\n    print(x)\nf(f)\n",
    ),
    "Ruby: a class with one object": (
        "ruby",
        (
            b"class A\n  attr_reader :x\n  def initialize(y)\n    @x = y\n  end\n"
            b"  def f(z)\n    @x[z] = x\n    self.g 1\n  end\n  def g(z)\n    z\n  end\nend\n"
            b"a = A.new(2)\na.f 3\na.g a.x\n"
        ),
        b"def f(z)\n  @x[z] = @x\n  g 1\nend\ndef g(z)\n  z\nend\n@x = 2\nf 3\ng @x\n",
    ),
    "JavaScript: a class with one object": (
        "javascript",
        (
            b"class A {\n  x = 7;\n  constructor(y) { this.y = y; f(this.x); }\n"
            b"  g(z) { h(z); this.i(); }\n  i() { h(this.y, this.x); }\n}\n"
            b"const a = new A(8);\na.g(a.y); a.i();\n"
        ),
        b"x = 7 function g(z) { h(z); i(); } function i() { h(y, x); }\n y = 8; f(x); g(y); i();",
    ),
    "TypeScript: a class with one object": (
        "typescript",
        (
            b"class A {\n  private readonly x: N = 7;\n"
            b"  constructor(private y: N, public z = 9) { f(y); }\n"
            b"  g(): N { return this.x + this.y + this.z; }\n}\nconst a = new A(8);\na.g();\n"
        ),
        (
            b"let x: N = 7\nfunction g(): N { return x + y + z; }\n"
            b"let y = 8;\nlet z = 9;\nf(8);\ng();\n"
        ),
    ),
    "PHP: a class with one object": (
        "php",
        (
            b"<?php class A {\n  private ?array $x = [7];\n  private int $n;\n  protected $w;\n"
            b"  function __construct(private N $y, $w) { $this->w = $w; f($this->y); }\n"
            b"  static function g($y) { $this->x[] = $y; self::h($this->y); }\n"
            b"  function h($z) { $z; }\n"
            b"}\n$w = 0;\n$a = new A(8, $w);\n$a->g($a->x);\n"
        ),
        (
            b"<?php $x = [7];\nfunction g($y) { global $x, $y; $x[] = $y; h($y); }\n"
            b"function h($z) { $z; }\n$w = 0;\n$y = 8;\nf($y);\ng($x);\n"
        ),
    ),
    "PHP: the members of an object in brackets": (
        "php",
        b"<?php class A { function f() { return 1; } }\nx((new A)->f());\n",
        b"<?php function f() { return 1; }\nx(f());\n",
    ),
    "PHP: an object before a member": (
        "php",
        b"<?php $a = new A;\nf($a->b);\n",
        b"<?php f((new A)->b);\n",
    ),
    "PHP: an object as an argument": (
        "php",
        b"<?php $a = new A;\nf($a);\n",
        b"<?php f(new A);\n",
    ),
    "Java: a variable of a class": (
        "java",
        b"class A { static int x = 3; int f() { return g(A.x); } }\n",
        b"class A { int f() { return g(3); } }",
    ),
    "TypeScript: a variable of a class": (
        "typescript",
        b"class A { static x = 3; }\nlog(A.x, 1);\n",
        b"class A { }\nlog(3, 1);",
    ),
    "Go: a field of a structure that is written there": (
        "go",
        b"package p\nvar x = S{y: 3}.y\n",
        b"package p\nvar x = 3\n",
    ),
    "Go: an element of a list that is written there": (
        "go",
        b"package p\nvar x = []int{4, 5}[1]\n",
        b"package p\nvar x = 5\n",
    ),
    "Rust: a field of a structure that is written there": (
        "rust",
        b"fn f() { g(S { x: 3 }.x) }\n",
        b"fn f() { g(3) }",
    ),
    "TypeScript: a value that is named by its key": (
        "typescript",
        b"const m = read();\nlog({ m });\n",
        b"log({ m: read() });",
    ),
    "Rust: methods with the parameters and the conditions of what is around them": (
        "rust",
        (
            b"struct P<T>;\nimpl<T, U> P<T> where T: Send { fn n() -> Self { g() } "
            b"fn a(self, x: T); fn b(y: U, z: u8) {} }\n"
            b"fn h() { P::n().a(1); P::b(2, 3) }\n"
        ),
        (
            b"struct P<T>; fn n<T>() -> P<T> where T: Send { g() } fn a<T>(x: T) where T: Send ; "
            b"fn b<U>(y: U, z: u8) {} fn h() { a(1); b(2, 3) }"
        ),
    ),
    "Rust: an object of a type with parameters as a parameter": (
        "rust",
        (
            b"struct P<T>(T);\nimpl<T: Send> P<T> { fn a<U>(self, x: U) { g(self) } }\n"
            b"fn h(p: P<u8>) { p.a(1) }\n"
        ),
        (b"struct P<T>(T); fn a<T: Send, U>(s: P<T>, x: U) { g(s) } fn h(p: P<u8>) { a(p, 1) }"),
    ),
    "Rust: a part of a last value that nothing takes": (
        "rust",
        b"fn f(t: V<u8>) { for s in t.iter() { g(h(&mut t), 7) } }\n",
        b"fn f(t: V<u8>) { for s in t.iter() { h(&mut t); } }",
    ),
    "Rust: a part of a part of a last value": (
        "rust",
        b"fn f(t: V<u8>) { for s in t.iter() { g(h(&mut t), 7) } }\n",
        b"fn f(t: V<u8>) { for s in t.iter() { &mut t; } }",
    ),
    "Rust: a type that wraps one with a lifetime": (
        "rust",
        (
            b"enum T<'a> { A(&'a str) }\nfn f<'a>(x: T<'a>, y: &'a str) { g(x, y) }\n"
            b"fn h() -> T { g(T::A(x)) }\n"
        ),
        b"fn f<'a>(x: &'a str, y: &'a str) { g(x, y) } fn h() -> &'a str { g(x) }",
    ),
    "Rust: a value that is named by its field": (
        "rust",
        b"fn f() { let m = read(); log(S { m }) }\n",
        b"fn f() { log(S { m: read() }) }",
    ),
}
