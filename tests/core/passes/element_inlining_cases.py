"""What `inline` makes of members, elements of collections and loops, for `test_inlining.py`."""

from __future__ import annotations

#: By what is inlined: the language, a text, and what it becomes, but for white space.
ELEMENT_CASES = {
    "JavaScript: a member": (
        "javascript",
        b"class A { constructor() { this.x = 7; } m() { f(this.x); } }\n",
        b"class A { constructor() { 7; } m() { f(7); } }",
    ),
    "JavaScript: a member in a sum": (
        "javascript",
        b"class A { constructor() { this.x = 7; } m() { f(this.x + 1); } }\n",
        b"class A { constructor() { } m() { f(7 + 1); } }",
    ),
    "Jinja: a variable": (
        "html",
        b"<p>{% set x = a + b %}{{ x * 2 }}{% if c.x %}d{% endif %}</p>\n",
        b"<p>{{ (a + b) * 2 }}{% if c.x %}d{% endif %}</p>",
    ),
    "Jinja: a variable of a block": (
        "scheme",
        b"{% with x = a.b[0] %}{{ 1 - x }}{% endwith %}\n",
        b"{{ 1 - a.b[0] }}",
    ),
    "Go: a variable of a template": (
        "html",
        b"<p>{{ $x := .Y }}{{ f $x.Z }}</p>\n",
        b"<p>{{ f .Y.Z }}</p>",
    ),
    "EJS: a constant": (
        "embeddedtemplate",
        b'<p><% const x = "y"; %><%= x %></p>\n',
        b'<p><%= "y" %></p>',
    ),
    "Ruby: a member of an object": ("ruby", b'@t = ""\n@t.freeze << ""\n', b'"".freeze << ""'),
    "Ruby: a member with a long value": (
        "ruby",
        b'class A\ndef f\n@text = g("")\nend\ndef h\n@text << 0\nend\nend\n',
        b'class A\ndef f\nend\ndef h\ng("") << 0\nend\nend\n',
    ),
    "Ruby: a member of a class": ("ruby", b"@@t = 1\nf @@t\n", b"f 1"),
    "Ruby: a variable of the program": ("ruby", b"$t = 1\nf $t\n", b"f 1"),
    "JavaScript: a sum with a member": (
        "javascript",
        b"let s = a + b;\nlog(s.length, s < 1);\n",
        b"log((a + b).length, a + b < 1);",
    ),
    "JavaScript: a function that is an element of a list": (
        "javascript",
        b"for (let f of [x => g(x)]) { f(3); }\n",
        b"(x => g(x))(3);",
    ),
    "JavaScript: a member of an object that is written there": (
        "javascript",
        b"log({ x: 3, y: 4 }.x);\n",
        b"log(3);",
    ),
    "JavaScript: a function in an object that is written there": (
        "javascript",
        b"({ 'x': a => g(a) })?.['x'](3);\n",
        b"(a => g(a))(3);",
    ),
    "JavaScript: elements that are spread": ("javascript", b"f(...[3, 1]);\n", b"f(3, 1);"),
    "JavaScript: a new object without arguments before a member": (
        "javascript",
        b"[new A][0].set(7);\n",
        b"(new A).set(7);",
    ),
    "JavaScript: a new object with arguments before a member": (
        "javascript",
        b"const x = new A(1); x.set(7);\n",
        b"new A(1).set(7);",
    ),
    "C++: a variable with a new object before a member": (
        "cpp",
        b"int f() { A* x = new A; return x->set(7); }\n",
        b"int f() { return (new A)->set(7); }",
    ),
    "Python: a value of a dictionary that is written there": (
        "python",
        b'log({"x": 3}["x"])\n',
        b"log(3)",
    ),
    "Python: an element of a list that is written there": (
        "python",
        b"log([1, 3][1])\n",
        b"log(3)",
    ),
    "Python: elements that are spread": ("python", b"f(*[3, 1])\n", b"f(3, 1)"),
    "Ruby: a value of a hash that is written there": ("ruby", b"log({x: 3}[:x])\n", b"log(3)"),
    "PHP: a value of an array that is written there": (
        "php",
        b"<?php log(['x' => 3]['x']);\n",
        b"<?php log(3);",
    ),
    "Lua: a field of a table that is written there": ("lua", b"f(({ x = 3 }).x)\n", b"f(3)"),
    "Ruby: a variable beside nothing that is declared": ("ruby", b"@x = nil\n1 / @x\n", b"1 / nil"),
    "Python: a variable of a class": (
        "python",
        b"class A:\n    x = 3\n    y = 4\nlog(A.x, A.y)\n",
        b"class A:\n    y = 4\nlog(3, A.y)\n",
    ),
    "JavaScript: a variable of a class": (
        "javascript",
        b"class A { static x = 3; }\nlog(A.x, 1);\n",
        b"class A { }\nlog(3, 1);",
    ),
    "JavaScript: a field of an object": (
        "javascript",
        b"class A { x = 3; f() { log(this.x, 1); } }\n",
        b"class A { f() { log(3, 1); } }",
    ),
    "PHP: a variable of a class": (
        "php",
        b"<?php class A { static $x = 3; const Y = 4; } f(A::$x, A::Y);\n",
        b"<?php class A { const Y = 4; } f(3, A::Y);",
    ),
    "Ruby: a constant of a module": (
        "ruby",
        b"module A\nX = 3\nend\nf A::X\n",
        b"module A\nend\nf 3",
    ),
    "Python: a member": (
        "python",
        b"class A:\n    def __init__(self):\n        self.x = 7\n        f(self.x)\n",
        b"class A:\n    def __init__(self):\n        7\n        f(7)\n",
    ),
    "C++: a loop": (
        "cpp",
        b"int f() { for (const auto &x : y) { g(x); } }\n",
        b"int f() { auto &x = y; g(x); }",
    ),
    "Java: a loop": (
        "java",
        b"class A { void f() { for (B x : y) g(x); } }\n",
        b"class A { void f() { B x = y; g(x); } }",
    ),
    "Go: a loop": (
        "go",
        b"package p\nfunc f() { for _, x := range y { g(x) } }\n",
        b"package p\nfunc f() { x := y\n g(x) }\n",
    ),
    "JavaScript: an element and its place": (
        "javascript",
        b'["a", "b"].map((s, i) => s.repeat(1 - i));\n',
        b'"b".repeat(1 - 1);',
    ),
    "Python: a loop that counts": (
        "python",
        b"for i, x in enumerate([7]):\n    f(x, i)\n",
        b"f(7, 0)\n",
    ),
    "Go: a loop over a written list": (
        "go",
        b"package p\nfunc f() { for i, x := range []int{7} { g(x, i) } }\n",
        b"package p\nfunc f() { g(7, 0) }\n",
    ),
    "Rust: a loop that counts": (
        "rust",
        b"fn f() { for (i, x) in [7].iter().enumerate() { g(x, i); } }\n",
        b"fn f() { g(7, 0); }\n",
    ),
    "JavaScript: a loop whose variable is a key": (
        "javascript",
        b"for (const {d} of [{d: 3}]) { f(d); g(); }\n",
        b"f(3); g();",
    ),
    "JavaScript: a function of a list with a parameter by key": (
        "javascript",
        b"log([{x: 3, y: 4}].map(({x}) => f(x)).y);\n",
        b"log([f(3)].y);",
    ),
    "JavaScript: a declaration by key": (
        "javascript",
        b"const {v, w: [k], z = 7} = {v: 3, w: [2]};\nlog(k, v, z);\n",
        b"log(2, 3, 7);",
    ),
    "JavaScript: a parameter by key": (
        "javascript",
        b"function f({v, w = 1}, [a, , b]) { return v * w - a + b; }\nlog(f({v: 3}, [4, 5, 6]));\n",
        b"log(3 * 1 - 4 + 6);",
    ),
    "JavaScript: a parameter by key of what is not written there": (
        "javascript",
        b"function f({v}) { return v + 1; }\nlog(f(g(3)));\n",
        b"log(g(3).v + 1);",
    ),
    "TypeScript: a parameter with a default": (
        "typescript",
        b"function f(a: number, b = 4) { return a * b; }\nlog(f(3));\n",
        b"log(3 * 4);",
    ),
    "Python: several variables": (
        "python",
        b"def f():\n    a, (b, c) = 1, (2, 3)\n    g(a, c)\n    h(b)\n",
        b"def f():\n    g(1, 3)\n    h(2)\n",
    ),
    "Ruby: several variables": ("ruby", b"a, b = 1, 2\nf(b, a)\n", b"f(2, 1)"),
    "Go: several variables": (
        "go",
        b"package p\nfunc f() {\n\ta, b := 1, 2\n\tg(b, a)\n}\n",
        b"package p\nfunc f() {\n\tg(2, 1)\n}\n",
    ),
    "PHP: several variables": ("php", b"<?php [$a, $b] = [1, 2]; f($b, $a);", b"<?php f(2, 1);"),
    "Python: the only result of a comprehension": (
        "python",
        b"log(sum(f(x) for x in [3]))\n",
        b"log(sum([f(3)]))\n",
    ),
    "Rust: fields": (
        "rust",
        b"fn f() { let P { x, y: z } = P { x: 1, y: 2 }; g(z, x); }\n",
        b"fn f() { g(2, 1); }",
    ),
    "Rust: the first part of a tuple": (
        "rust",
        b"fn f() { let (a, _) = (3, 4); g(a); }\n",
        b"fn f() { g(3); }",
    ),
    "C++: parts of a value": (
        "cpp",
        b"int f() { auto [a, b] = P{1, 2}; g(b, a); }\n",
        b"int f() { g(2, 1); }",
    ),
    "Lua: several variables": ("lua", b"local a, b = 1, 2\nf(b, a)\n", b"f(2, 1)"),
    "Perl: several variables": ("perl", b"my ($a, $b) = (1, 2);\nf($b, $a);\n", b"f(2, 1);"),
    "JavaScript: a generator": (
        "javascript",
        b"function* f(n) { yield n * 2; }\nlog([...f(3)]);\n",
        b"log([...[3 * 2]]);",
    ),
    "JavaScript: a generator that hands a list on": (
        "javascript",
        b"function* f(n) { yield* n; }\nlog([...f(x)]);\n",
        b"log([...x]);",
    ),
    "Python: a generator": (
        "python",
        b"def f(n):\n    yield n * 2\nlog(sum(f(3)))\n",
        b"log(sum([3 * 2]))\n",
    ),
    "JavaScript: a method that another one hides": (
        "javascript",
        b"class A { f(n) { return this.x + n; } }\nclass B extends A { f(n) { g(super.f(n)); } }\n",
        b"class A { }\nclass B extends A { f(n) { g(this.x + n); } }",
    ),
    "JavaScript: a constructor that another one hides": (
        "javascript",
        b"class A { constructor(n) { this.x = n } }\nclass B extends A { constructor() { super(3) } }",
        b"class A { }\nclass B extends A { constructor() { this.x = 3 } }",
    ),
    "Python: a method that another one hides": (
        "python",
        (
            b"class A:\n    y = 1\n    def f(self, n):\n        self.x = n\n"
            b"class B(A):\n    def f(self):\n        super().f(3)\n"
        ),
        b"class A:\n    y = 1\nclass B(A):\n    def f(self):\n        self.x = 3\n",
    ),
    "PHP: a method that another one hides": (
        "php",
        (
            b"<?php class A { function f($n) { return 1 / $n; } }\n"
            b"class B extends A { function f($n) { return parent::f(3); } }"
        ),
        b"<?php class A { }\nclass B extends A { function f($n) { return 1 / 3; } }",
    ),
    "Ruby: a method that another one hides": (
        "ruby",
        b"class A\ndef f(n)\n1 / n\nend\nend\nclass B < A\ndef f(n)\nsuper(3)\nend\nend\n",
        b"class A\nend\nclass B < A\ndef f(n)\n1 / 3\nend\nend\n",
    ),
    "Java: a method that another one hides": (
        "java",
        b"class A { int f(int n) { g(n); } }\nclass B extends A { int f(int n) { super.f(3); } }",
        b"class A { }\nclass B extends A { int f(int n) { g(3); } }",
    ),
    "C#: a method that another one hides": (
        "csharp",
        b"class A { int f(int n) { g(n); } }\nclass B : A { int f(int n) { base.f(3); } }",
        b"class A { }\nclass B : A { int f(int n) { g(3); } }",
    ),
    "JavaScript: a call with an object": ("javascript", b"f.call(this, 3, g);\n", b"f(3, g);"),
    "JavaScript: a call with a list of arguments": (
        "javascript",
        b"f.apply(null, g(3));\n",
        b"f(...g(3));",
    ),
    "JavaScript: a reflected call": (
        "javascript",
        b"log(Reflect.apply(f, null, [3]));\n",
        b"log(f(...[3]));",
    ),
    "JavaScript: a function with its object": (
        "javascript",
        b"log(f.bind(this), 3);\n",
        b"log(f, 3);",
    ),
    "JavaScript: a method of a prototype": (
        "javascript",
        b"Array.prototype.map.call(x, g);\n",
        b"x.map(g);",
    ),
    "Python: what a generator goes over": ("python", b"log(max(x.y for x in z))\n", b"log(max(z))"),
    "Python: a member by its name": ("python", b"log(getattr(x, 'y')(3))\n", b"log(x.y(3))"),
    "Python: a member that is set by its name": (
        "python",
        b"setattr(x, 'y', f(3))\n",
        b"x.y = f(3)",
    ),
    "Python: a function with some of its arguments": (
        "python",
        b"log(functools.partial(f, 1)(2))\n",
        b"log(f(1, 2))",
    ),
    "Ruby: a message by its name": ("ruby", b"x.public_send(:f, 3)\n", b"x.f(3)"),
    "Ruby: a method as a value": ("ruby", b"log method(:f).call(3)\n", b"log f(3)"),
    "PHP: a function by its name": ("php", b"<?php call_user_func('f', 3);\n", b"<?php f(3);"),
    "PHP: a list of arguments": (
        "php",
        b"<?php call_user_func_array($f, [3]);\n",
        b"<?php $f(...[3]);",
    ),
    "Lua: a protected call": ("lua", b"print(pcall(f, 3))\n", b"print(f(3))"),
    "Kotlin: an invocation": ("kotlin", b"fun g() { h(f.invoke(3)) }\n", b"fun g() { h(f(3)) }"),
    "C++: an invocation": ("cpp", b"int x = std::invoke(f, 3);\n", b"int x = f(3);"),
    "JavaScript: a parameter for the rest": (
        "javascript",
        b"function f(a, ...b) { return b.length - a; }\nlog(f(3, 4, 5));\n",
        b"log([4, 5].length - 3);",
    ),
    "Python: a parameter for the rest": (
        "python",
        b"def f(a, *b):\n    return g(b, a)\nlog(f(3))\n",
        b"log(g([], 3))\n",
    ),
    "PHP: a parameter for the rest": (
        "php",
        b"<?php function f($a, ...$b) { return g($b, $a); } h(f(3, 4));",
        b"<?php h(g([4], 3));",
    ),
    "JavaScript: a key of several objects": (
        "javascript",
        b"function f({a}) { g(a); }\nh = x => x.a.b + x?.['a'];\nf(h({a: {b: 3}}, {'a': 4}));\n",
        b"function f(a) { g(a); }\nh = x => x.b + x;\nf(h({b: 3}, 4));",
    ),
    "TypeScript: a key of an object and of its type": (
        "typescript",
        b"interface A { b: { c?: number } }\nconst x: A = { b: { c: 1 } };\nf(x.b.c, x.b);\n",
        b"interface A { c?: number }\nconst x: A = { c: 1 };\nf(x.c, x);",
    ),
    "TypeScript: a key of a type and of a pattern": (
        "typescript",
        b"function f(): { v: { a?: string } } {}\nconst { v: { a } } = f();\ng(a);\n",
        b"function f(): { a?: string } {}\nconst { a } = f();\ng(a);",
    ),
    "Python: a key of several dictionaries": (
        "python",
        b"def f(x):\n    g(x['a'])\n    h(x)\nf({'a': 3}, f({'a': 4}))\n",
        b"def f(x):\n    g(x)\n    h(x)\nf(3, f(4))\n",
    ),
    "Ruby: a key of several hashes": (
        "ruby",
        b"def f(x)\ng(x[:a])\nh(x)\nend\nf({a: 3}, f({:a => 4}))\n",
        b"def f(x)\ng(x)\nh(x)\nend\nf(3, f(4))\n",
    ),
    "JavaScript: a loop": ("javascript", b"for (const x of [3]) { f(x); g(); }\n", b"f(3); g();"),
    "Python: a loop with the parts of an element": (
        "python",
        b"if 1:\n    for a, b in [(1, 2)]:\n        f(b)\n        g(a)\n",
        b"if 1:\n    f(2)\n    g(1)\n",
    ),
    "Python: a comprehension": ("python", b"y = [f(x) for x in (7, 8)]\n", b"y = f(8)\n"),
    "Ruby: a block": ("ruby", b"[A].each { |i| i.name.b }\n", b"A.name.b"),
    "PHP: a loop": (
        "php",
        b"<?php\nfunction f($y) {}\nforeach ([1] as $x) { f($x); }\n",
        b"<?php function f($y) {} f(1);",
    ),
    "Python: an element that is appended": (
        "python",
        b"def f():\n    x = []\n    x.append(g(7))\n    h(x[0], x)\n",
        b"def f():\n    x = [g(7)]\n    h(x[0], x)",
    ),
    "Ruby: an element that is appended": (
        "ruby",
        b"@x = []\n@x << 7\nh @x[0], @x\n",
        b"@x = [7]\nh @x[0], @x",
    ),
    "Lua: an element that is appended": (
        "lua",
        b"local x = {}\nx[#x + 1] = 7\nx[#x + 1] = 8\nh(x[1], x)\n",
        b"local x = {7}\nx[#x + 1] = 8\nh(x[1], x)",
    ),
    "Lua: an element that is inserted": (
        "lua",
        b"local x = {}\ntable.insert(x, 7)\nh(x[1], x)\n",
        b"local x = {7}\nh(x[1], x)",
    ),
    "PHP: an element that is appended": (
        "php",
        b"<?php\n$x = [];\n$x[] = 7;\nh($x[0], $x);\n",
        b"<?php\n$x = [7];\nh($x[0], $x);",
    ),
    "PHP: an element that a function appends": (
        "php",
        b"<?php\n$x = [];\narray_push($x, 7);\nh($x[0], $x);\n",
        b"<?php\n$x = [7];\nh($x[0], $x);",
    ),
    "Perl: an element that is pushed": (
        "perl",
        b"my @x = ();\npush @x, 7;\nh($x[0], @x);\n",
        b"my @x = (7);\nh($x[0], @x);",
    ),
    "TypeScript: an element that is appended": (
        "typescript",
        b"const x: T[] = [];\nx.push({ a: 1 });\nh(x[0], x);\n",
        b"const x: T[] = [{ a: 1 }];\nh(x[0], x);",
    ),
    "Rust: an element that is pushed": (
        "rust",
        b"fn f() { let mut x: Vec<T> = Vec::new(); x.push(7); h(x[0], x); }\n",
        b"fn f() { let mut x: Vec<T> = vec![7]; h(x[0], x); }",
    ),
    "Java: an element that is added": (
        "java",
        b"class A { void f() { List<T> x = new ArrayList<>(); x.add(7); h(x.get(0), x); } }\n",
        b"class A { void f() { List<T> x = List.of(7); h(x.get(0), x); } }",
    ),
    "Go: an element that is appended": (
        "go",
        b"package a\nfunc f() {\n\tx := []T{}\n\tx = append(x, 7)\n\th(x[0], x)\n}\n",
        b"package a\nfunc f() {\n\tx := []T{7}\n\th(x[0], x)\n}",
    ),
    "Dart: an element that is added": (
        "dart",
        b"f() { var x = <T>[]; x.add(7); h(x[0], x); }\n",
        b"f() { var x = <T>[7]; h(x[0], x); }",
    ),
    "Rust: a loop": ("rust", b"fn f() { for x in [1, 2] { g(x); } }\n", b"fn f() { g(2); }"),
    "Rust: a loop with variables in brackets": (
        "rust",
        b"fn f() { for (x, y) in [(&a, 2)] { x.g(y); } }\n",
        b"fn f() { (&a).g(2); }",
    ),
}
