"""What `inline` makes of objects that are written in the text, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
OBJECT_CASES = {
    "JavaScript: a class whose methods give its object back": (
        "javascript",
        (
            b"class S { a(x) { this.v = x; return this } b() { g(); "
            b"return this } s() { return this.v } }\n"
            b"h(new S().a(7).b().s());\n"
        ),
        (
            b"function a(x) { v = x; return }\nfunction b() { g(); return }\n"
            b"function s() { return v }\n"
            b"a(7)\nb()\nh(s());\n"
        ),
    ),
    "PHP: a class whose methods give its object back": (
        "php",
        (
            b"<?php class S { function a() { $this->v = 7; return $this; "
            b"} function s() { g($this->v); } }"
            b"\n(new S)->a()->s();\n"
        ),
        (
            b"<?php function a() { global $v;\n$v = 7; return ; }\nfunction s() { global $v;\n"
            b"g($v); }\n"
            b"a();\ns();\n"
        ),
    ),
    "Ruby: a class whose methods give its object back": (
        "ruby",
        b"class S\n  def a\n    @t = 7\n    self\n  end\n  def s\n    g @t\n  end\nend\nS.new.a.s\n",
        b"def a\n  @t = 7\n\nend\ndef s\n  g @t\nend\na\ns\n",
    ),
    "Ruby: what is added to a variable": (
        "ruby",
        b"@t = 0\n@t += f(7)\ng @t\n",
        b"@t = f(7)\ng @t\n",
    ),
    "C: what is added to a variable": (
        "c",
        b"int main() { int t = 0; f(); t += g(7); h(t); }\n",
        b"int main() { f(); int t = g(7); h(t); }\n",
    ),
    "Go: what is added to a variable": (
        "go",
        b"package p\nfunc f() { t := 0; t += g(7); h(t) }\n",
        b"package p\nfunc f() { t := g(7); h(t) }\n",
    ),
    "JavaScript: a member that only a method takes": (
        "javascript",
        b"h({d: new A, f() { return this.d.x }});\n",
        b"h({f() { return (new A).x }});\n",
    ),
    "JavaScript: a constructor that assigns a member with a computed key": (
        "javascript",
        b"class A { constructor() { this[S()] = 1 } }\nh(new A, new A);\n",
        b"h({[S()]: 1}, {[S()]: 1});\n",
    ),
    "JavaScript: a member that is assigned later": (
        "javascript",
        b"const t = {};\nt.o = () => 7;\nh(t, t.o);\n",
        b"const t = {o: () => 7};\nh(t, t.o);",
    ),
    "JavaScript: a further member that is assigned later": (
        "javascript",
        b"const t = {o: 7};\nt.pq = 8;\nh(t, t.o);\n",
        b"const t = {o: 7, pq: 8};\nh(t, t.o);",
    ),
    "JavaScript: an element with a key in brackets": (
        "javascript",
        b"let t2 = {};\nt2[k + 1] = 7;\nh(t2, t2);\n",
        b"let t2 = {[k + 1]: 7};\nh(t2, t2);",
    ),
    "Python: elements that are assigned later": (
        "python",
        b"t = {}\nt['o'] = 7\nh(t, t)\n",
        b"t = {'o': 7}\nh(t, t)\n",
    ),
    "Ruby: elements that are assigned later": (
        "ruby",
        b"table = {}\ntable[:o] = 7\nh(table, table)\n",
        b"table = {:o => 7}\nh(table, table)\n",
    ),
    "Lua: members that are assigned later": (
        "lua",
        b"local t = {}\nt.o = 7\nh(t, t)\n",
        b"local t = {o = 7}\nh(t, t)\n",
    ),
    "PHP: elements that are assigned later": (
        "php",
        b"<?php $table = [];\n$table['o'] = 7;\nh($table, $table);\n",
        b"<?php $table = ['o' => 7];\nh($table, $table);",
    ),
    "Go: elements that are assigned later": (
        "go",
        b'package p\nfunc f() {\n\tt := map[string]int{}\n\tt["a"] = 7\n\th(t, t)\n}\n',
        b'package p\nfunc f() {\n\tt := map[string]int{"a": 7}\n\th(t, t)\n}\n',
    ),
    "JavaScript: variables for members": (
        "javascript",
        b"const p = {d: g(1), e: g(2), u: 3};\nf(p.d, h(p.e, p.d), p['e'], {d: 4}.d);\n",
        b"const d = g(1);\nconst e = g(2);\nf(d, h(e, d), e, {d: 4}.d);",
    ),
    "JavaScript: functions for methods": (
        "javascript",
        b"o = {b: g(1), d(x) { k(); return this.b(x) }};\na.sort(() => o.d(2), o.d, o.b);\n",
        b"b = g(1);\nfunction d(x) { k(); return b(x) }\na.sort(() => d(2), d, b);",
    ),
    "Python: variables for elements": (
        "python",
        b"p = {'d': g(1), 'e': g(2)}\nf(p['d'], h(p['e'], p['d']), p['e'])\n",
        b"d = g(1)\ne = g(2)\nf(d, h(e, d), e)\n",
    ),
    "PHP: variables for elements": (
        "php",
        b"<?php $p = ['d' => g(1), 'e' => g(2)];\nf($p['d'], h($p['e'], $p['d']), $p['e']);\n",
        b"<?php $d = g(1);\n$e = g(2);\nf($d, h($e, $d), $e);",
    ),
    "JavaScript: an object in the place of what makes it": (
        "javascript",
        b"class A { constructor(n) { this.d = n } f() { k(); this.d } }\n[0].map(x => new A(x), z);\n",
        b"[0].map(x => ({d: x, f() { k(); this.d }}), z);",
    ),
    "JavaScript: an object without a constructor": (
        "javascript",
        b"class A { a = 1; u; *[Symbol.iterator]() { yield 2; yield this.a } }\nf(o = s = new A());\n",
        b"f(o = s = {a: 1, *[Symbol.iterator]() { yield 2; yield this.a }});",
    ),
    "TypeScript: an object in the place of what makes it": (
        "typescript",
        b"class A { a: T; constructor(x: T) { this.a = x } b(): T { k(); this.a } }\nf(new A(3), 4);\n",
        b"f({a: 3, b(): T { k(); this.a }}, 4);",
    ),
    "JavaScript: a base into its class": (
        "javascript",
        (
            b"class A { constructor(x) { this.x = x; g() } f() { k(7) } u() { return 1 } }\n"
            b"class B extends A { constructor() { super(7); this.y = 2 } u() { super.f(3); h() } }\n"
            b"m(new B, B);\n"
        ),
        (
            b"class B { f() { k(7) } constructor() { this.x = 7; g(); this.y = 2 } "
            b"u() { k(7); h() } } m(new B, B);"
        ),
    ),
    "Python: a base with a base of its own into its class": (
        "python",
        (
            b"class A(C):\n    def __init__(self, x):\n        self.x = x\n    def f(self): pass\n"
            b"class B(A):\n    def __init__(self):\n        super().__init__(7)\n        self.f()\n"
            b"m(B(), B)\n"
        ),
        (
            b"class B(C):\n    def f(self): pass\n    def __init__(self):\n        self.x = 7\n"
            b"        self.f()\nm(B(), B)\n"
        ),
    ),
    "JavaScript: a base without a constructor": (
        "javascript",
        (
            b"class A { e = 7; }\nclass B extends A { constructor(x) { super(); h(x) } }\n"
            b"m(new B(7), B);\n"
        ),
        b"class B { e = 7\nconstructor(x) { h(x) } }\nm(new B(7), B);",
    ),
    "Python: a base without a constructor": (
        "python",
        (
            b"class A:\n    e = 7\nclass B(A):\n    def __init__(self):\n"
            b"        super().__init__()\nm(B(), B)\n"
        ),
        b"class B:\n    e = 7\n    def __init__(self):\n        0\nm(B(), B)\n",
    ),
    "Ruby: a base into its class": (
        "ruby",
        (
            b"class A\n  def initialize(x)\n    @x = x\n  end\n  def f; h; end\nend\n"
            b"class B < A\n  def initialize\n    super(7)\n    f\n  end\nend\nm(B.new, B)\n"
        ),
        b"class B\n  def f; h; end\n  def initialize\n    @x = 7\n    f\n  end\nend\nm(B.new, B)\n",
    ),
    "Ruby: a base into its class, which hides a method": (
        "ruby",
        (
            b"class A\n  def p c, d\n    @g[c] << d\n  end\nend\n"
            b"class B < A\n  def p c, d\n    k\n    super c, d * 2\n  end\nend\nm(B.new, B)\n"
        ),
        b"class B\n  def p c, d\n    k\n    @g[c] << d * 2\n  end\nend\nm(B.new, B)\n",
    ),
    "PHP: a base into its class": (
        "php",
        b"<?php class A { function f() { g(); } }\nclass B extends A { function h() {} }\nm(new B, B);",
        b"<?php class B { function f() { g(); } function h() {} }\nm(new B, B);",
    ),
    "C++: a base into its class": (
        "cpp",
        b"struct A { int x; void f() {} };\nstruct B : public A { int g() { f(); } };\nB b, c;\n",
        b"struct B { int x; void f() {} int g() { f(); } };\nB b, c;",
    ),
    "JavaScript: a class that only hands a message on": (
        "javascript",
        b"class A extends Error { constructor(x, y) { super(`no ${x}`, y.m) } }\nthrow new A(7, u);\n",
        b"throw new Error(`no ${7}`, u.m);",
    ),
    "TypeScript: a class that only hands a message on": (
        "typescript",
        (
            b'class A extends Error { constructor(x: string) { super("no " + x); } }\n'
            b'try { throw new A("7") } catch (e) { e instanceof A }\n'
        ),
        b'try { throw new Error("no " + "7") } catch (e) { e instanceof Error }',
    ),
    "Python: a class that only hands a message on": (
        "python",
        (
            b'class A(B):\n    def __init__(self, x):\n        super().__init__(f"no {x}")\n'
            b"try:\n    raise A(7)\nexcept A:\n    h()\n"
        ),
        b'try:\n    raise B(f"no {7}")\nexcept B:\n    h()\n',
    ),
    "Python: an empty class": (
        "python",
        b"class A(B):\n    pass\nraise A(7, u)\n",
        b"raise B(7, u)",
    ),
    "Java: a class that only hands a message on": (
        "java",
        (
            b'class A extends B { A(String x) { super("no " + x); } }\n'
            b'class P { void f() { throw new A("7"); } }\n'
        ),
        b'class P { void f() { throw new B("no " + "7"); } }',
    ),
    "PHP: a class that only hands a message on": (
        "php",
        (
            b"<?php class A extends B { function __construct($x) "
            b'{ parent::__construct("no $x"); } }\nthrow new A(7);'
        ),
        b'<?php throw new B("no 7");',
    ),
    "Ruby: a class that only hands a message on": (
        "ruby",
        b'class A < B\n  def initialize(x)\n    super("no #{x}")\n  end\nend\nraise A.new(7)\n',
        b'raise B.new("no #{7}")',
    ),
    "C++: a class that only hands a message on": (
        "cpp",
        (
            b"class A : public n::B {\npublic:\n  A(int x) : n::B(h(x)) {}\n};\n"
            b"int f() { try { throw A(7); } catch (A &x) {} }\n"
        ),
        b"int f() { try { throw n::B(h(7)); } catch (n::B &x) {} }",
    ),
    "C#: a class that only hands a message on": (
        "csharp",
        (
            b'class A : B { public A(string x) : base("no " + x) { } }\n'
            b'class P { void f() { throw new A("7"); } }\n'
        ),
        b'class P { void f() { throw new B("no " + "7"); } }',
    ),
    "JavaScript: a member of a new object": (
        "javascript",
        b"class A { constructor(x) { this.n = h(x) } }\nf((new A(7)).n, A);\n",
        b"class A { constructor(x) { this.n = h(x) } }\nf(h(7), A);",
    ),
    "Python: a member of a new object": (
        "python",
        b"class A:\n    def __init__(self, x):\n        self.n = x\nf(A(7).n, A, A)\n",
        b"class A:\n    def __init__(self, x):\n        self.n = x\nf(7, A, A)\n",
    ),
    "PHP: a member of a new object": (
        "php",
        b"<?php class A { function __construct($x) { $this->n = $x; } }\nf((new A(7))->n, new A(8));",
        b"<?php class A { function __construct($x) { $this->n = $x; } }\nf(7, new A(8));",
    ),
}
