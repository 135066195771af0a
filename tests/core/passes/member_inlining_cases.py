"""What `inline` makes of members that change their class or get values, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
MEMBER_CASES = {
    "Java: a nested class that a method without an object uses": (
        "java",
        (
            b"class A { static class B { private final T x; B(T t) { x = t; } @Deprecated int f() "
            b"{ return x.g(this.x); } } static void m() { h(new B(null).f()); } }\n"
        ),
        b"class A { static T x; static int f() { return x.g(x); } static void m() { h(f()); } }",
    ),
    "Java: a class beside the one that uses it": (
        "java",
        (
            b"class B { final int x; B(int t) { x = t; } public int f() { return h(x); } }\n"
            b"class A { static void m() { B b = new B(3); i(b.f()); i(b.f()); } }\n"
        ),
        (
            b"class B {} class A { static int x; static int f() { return h(x); } "
            b"static void m() { B b = new B(); i(f()); i(f()); } }"
        ),
    ),
    "C++: a class with a template": (
        "cpp",
        (
            b"class W { template <class T> int w(const T v) { return f(v, 7); } "
            b"template <class T> struct I { T t; }; };\nint m(W a) { return a.w(a.w(8)); }\n"
        ),
        (
            b"class W {}; template <class T> struct I { T t; }; template <class T> "
            b"int w(const T v) { return f(v, 7); } int m(W a) { return w(w(8)); }"
        ),
    ),
    "C#: a nested class that a method without an object uses": (
        "csharp",
        (
            b"class A { public class B { private readonly T x; int f() { return x.g(this.x); } } "
            b"static void m() { h(new B().f()); } }\n"
        ),
        b"class A { static T x; static int f() { return x.g(x); } static void m() { h(f()); } }",
    ),
    "Java: a constructor that only assigns fields": (
        "java",
        (
            b"class A { final int x; T y; A(B b, int i) { x = i; this.y = h(0, b).i; } "
            b"int m(int x) { x; } B f() { g(new A(k, 7)); } }\n"
        ),
        b"class A { final int x = 7; T y = h(0, k).i; int m(int x) { x; } B f() { g(new A()); } }",
    ),
    "Java: a method that assigns a field and returns its object": (
        "java",
        b"class A { int x, y; A x(int i) { this.x = i; return this; } void f() { g(this.x(7).y); } }",
        b"class A { int x = 7, y; void f() { g(this.y); } }",
    ),
    "C#: a constructor that only assigns a field": (
        "csharp",
        b"class A { T x; A(T t) { this.x = t; } void F() { G(new A(k)); } }\n",
        b"class A { T x = k; void F() { G(new A()); } }",
    ),
    "C++: a constructor that only assigns a field": (
        "cpp",
        b"class A { T x; A(T t) { x = t; } };\nB f() { return g(A(k)); }\n",
        b"class A { T x = k; };\nB f() { return g(A()); }",
    ),
    "TypeScript: a constructor that only assigns a field": (
        "typescript",
        b"class A { x: T; constructor(t: T) { this.x = t; } }\nf(new A(k), A);\n",
        b"class A { x: T = k; }\nf(new A(), A);",
    ),
    "PHP: a constructor that only assigns a field": (
        "php",
        b"<?php class A { public $x; function __construct($t) { $this->x = $t; } }\nf(new A(7));\n",
        b"<?php class A { public $x = 7; }\nf(new A());",
    ),
}
