"""What `coupled` makes of small texts in one step, for `test_coupled.py`.

Each case has a language, a text, and what it becomes, but for white space.
"""

from __future__ import annotations

from tests.core.passes.use_coupling_cases import BY_NAME, ORPHANS

HERE_DOCUMENTS = {
    "Perl": (
        "perl",
        b'f(<<"END", 2);\na b\nc\nEND\ng();\n',
        b'f("", 2); g();',
    ),
    "Perl, with its text": (
        "perl",
        b"f(<<END);\na b\nc\nEND\n",
        b'f("a b\nc");',
    ),
    "Ruby, two in one call": (
        "ruby",
        b"f(<<~A, <<~B)\n  x\nA\n  y\nB\ng\n",
        b'f(<<~A, "y") x A g',
    ),
}

BY_PLACE = {
    "C": (
        "c",
        b"int f(int a, int b) { return b; }\nint main() { f(1, 2); f(f(3, 4), 5); }\n",
        b"int f(int b) { return b; } int main() { f(2); f(5); }",
    ),
    "C, with its prototype": (
        "c",
        b"int f(int, int);\nint f(int a, int b) { return a; }\nint main() { f(1, 2); }\n",
        b"int f(int); int f(int a) { return a; } int main() { f(1); }",
    ),
    "Fortran, declared inside": (
        "fortran",
        b"subroutine f(a, b)\nreal a, c\ninteger b\nc = a\nend\ncall f(1., 2)\nend\n",
        b"subroutine f(a)\nreal a, c\nc = a\nend\ncall f(1.)\nend\n",
    ),
    "Fortran, declared inside and used": (
        "fortran",
        b"subroutine f(a, b)\nreal a\ninteger b\na = b\nend\ncall f(c, 2)\nend\n",
        b"subroutine f(a)\nreal a\na = 0\nend\ncall f(c)\nend\n",
    ),
    "Pascal, where the brackets are beside the arguments": (
        "pascal",
        b"function f(a: T; const b: T): T; begin end;\nbegin f(1, 2); f(3, 4) end.\n",
        b"function f(const b: T): T; begin end; begin f(2); f(4) end.",
    ),
    "Ada": (
        "ada",
        b"procedure M is procedure F (A : T; B : U) is begin G (B); end; begin F (1, 2); end;\n",
        b"procedure M is procedure F (B : U) is begin G (B); end; begin F (2); end;",
    ),
    "C, used": (
        "c",
        b"int f(int a, int b) { return a + b; }\nint main() { f(1, 2); }\n",
        b"int f(int b) { return 0 + b; } int main() { f(2); }",
    ),
    "JavaScript": (
        "javascript",
        b"function f(p, q) { return p; }\nf(1, 2);\n",
        b"function f(p) { return p; } f(1);",
    ),
    "Python": (
        "python",
        b"def f(x, y=1):\n    return y\nf(1, 2)\nprint(f(3, 4))\n",
        b"def f(y=1):\n    return y\nf(2)\nprint(f(4))\n",
    ),
    "Python, a method": (
        "python",
        b"class A:\n    def f(self, x, y):\n        return y\nA().f(1, 2)\n",
        b"class A:\n    def f(self, y):\n        return y\nA().f(2)\n",
    ),
    "Python, a method's last": (
        "python",
        b"class A:\n    def f(self, x, y):\n        return x\nA().f(1, 2)\n",
        b"class A:\n    def f(self, x):\n        return x\nA().f(1)\n",
    ),
    "Rust": (
        "rust",
        b"fn f(x: u8, y: u8) {}\nfn main() { f(1, 2); }\n",
        b"fn f(y: u8) {} fn main() { f(2); }",
    ),
    "Rust, the only one": (
        "rust",
        b"fn f(x: u8) {}\nfn main() { f(1); }\n",
        b"fn f() {} fn main() { f(); }",
    ),
    "Rust, of types": (
        "rust",
        b"struct S<T, U> { b: U }\nfn f(s: S<u8, u16>) {}\n",
        b"struct S<U> { b: U } fn f(s: S<u16>) {}",
    ),
    "SQL, of rows": (
        "sql",
        b"create table t (a int, b int);\ninsert into t values (1, 2), (3, 4);\n",
        b"create table t (b int); insert into t values (2), (4);",
    ),
    "SQL, of selected values": (
        "sql",
        b"create table t (a int, b int);\ninsert into t values (1, 2);\ninsert into t select 3, 4;\n",
        b"create table t (b int); insert into t values (2); insert into t select 4;",
    ),
}

MOVED = {
    "to where the parameter is not changed": (
        "python",
        b"def f(x):\n    x += 1\n    g(x)\nf(7)\n",
        b"def f():\n    g(7)\nf()\n",
    ),
    "all arguments that are left, as a list": (
        "javascript",
        b"function f(...x) { g(); for (y of x) h(y) }\nk(f(7));\n",
        b"function f() { g(); for (y of [7]) h(y) }\nk(f());\n",
    ),
    "an argument into a function": (
        "javascript",
        b"function f(x) { g(x); }\nf(7);\n",
        b"function f() { g(7); } f();",
    ),
    "a function that is called, as an argument": (
        "javascript",
        b"function f(call) { call(3); h(); }\nf(x => log(x, 1));\n",
        b"function f() { (x => log(x, 1))(3); h(); }\nf();",
    ),
    "an argument into a member with the same name": (
        "javascript",
        b"function f(mode) { log({ mode }); h(); }\nf(3);\n",
        b"function f() { log({ mode: 3 }); h(); }\nf();",
    ),
    "an argument with a sign before the parameter": (
        "php",
        b"<?php function f($x) { g($x); } f(7);",
        b"<?php function f() { g(7); } f();",
    ),
    "an argument of a constructor": (
        "javascript",
        b"class A { constructor(x) { this.x = x; } }\nnew A(7);\n",
        b"class A { constructor() { this.x = 7; } } new A();",
    ),
    "an argument of a constructor, whose member has the same name": (
        "python",
        b"class A:\n    def __init__(self, x):\n        self.x = x\nA(7)\n",
        b"class A:\n    def __init__(self):\n        self.x = 7\nA()\n",
    ),
    "the value of the only column": (
        "sql",
        b"create table t (name);\ninsert into t values ('seven');\nselect name from t;\n",
        b"create table t (name); insert into t values (0); select 'seven' from t;",
    ),
}

PLACEHOLDERS = {
    "Rust": (
        "rust",
        b'fn main() { println!("a {} of {:?}", f(1), b); }\n',
        b'fn main() { println!("a  of "); }\n',
    ),
    "one of two, in C": (
        "c",
        b'int main() { fprintf(stderr, "%5d%% of %s", a, needle); }\n',
        b'int main() { fprintf(stderr, "%% of %s", needle); }\n',
    ),
    "after an operator": ("python", b'f("a %s of %d" % (b, c))\n', b'f("a  of ")\n'),
    "of a single value": ("python", b'f("a %s" % b)\n', b'f("a ")\n'),
    "a literal moves into the string": (
        "rust",
        b'fn main() { println!("{} of {}", a, "needle"); }\n',
        b'fn main() { println!("{} of needle", a); }\n',
    ),
    "and the variable that has no other use": (
        "rust",
        b'fn main() { let a = f(); println!("b {}", a); }\n',
        b'fn main() { println!("b "); }\n',
    ),
}

PARTNERS = {
    "attributes with one value": (
        "html",
        b'<p class="r"><label for="q">x</label><input id="q" class="r"></p>',
        b'<p class="r"><label>x</label><input class="r"></p>',
    ),
    "attributes of one name and one value": (
        "xml",
        b'<a><b mode="q">x</b><c mode="q" d="r"/></a>',
        b'<a><b>x</b><c d="r"/></a>',
    ),
    "tags": ("html", b"<div><p>a</p><b>c</b></div>\n", b"<p>a</p><b>c</b>"),
    "the end tag of an element without contents": (
        "xml",
        b'<a><b c="d"></b>e</a>\n',
        b'<a><b c="d"/>e</a>\n',
    ),
    "an end tag after white space": ("html", b"<p>a<b>\n</b></p>\n", b"<p>a<b/></p>\n"),
    "an end tag in JavaScript": ("javascript", b"f(<a b={c}></a>, 1);\n", b"f(<a b={c}/>, 1);\n"),
    "braces": ("c", b"void f() { { a(); b(); } }\n", b"void f() { a(); b(); }"),
    "a directive with its condition": (
        "c",
        b"#ifndef A\n#define A\nint a;\n#endif\n",
        b"#define A\nint a;\n",
    ),
    "what follows #else": (
        "c",
        b"#if A\nint a;\n#else\nint b;\nint c;\n#endif\n",
        b"int b;\nint c;\n",
    ),
    "a module and what imports it": (
        "fortran",
        b"module a\ninteger b\ninteger c\nend\nuse a\nb = 1\nend\n",
        b"integer b\ninteger c\nb = 1\nend\n",
    ),
    "an if and its condition": ("bash", b"if a; then b; c; fi\n", b"b; c;\n"),
    "a transaction": ("sql", b"BEGIN; select 1; select 2; COMMIT;\n", b"select 1; select 2;\n"),
}

PHRASES = {
    "two keywords": ("sql", b"create table t (a int not null);\n", b"create table t (a int);"),
    "keywords and what is in brackets": (
        "sql",
        b"create table t (a int check (a > 0) primary key);\n",
        b"create table t (a int primary key);",
    ),
    "several keywords at the end": (
        "sql",
        b"create table t (a int references u(b) on delete cascade);\n",
        b"create table t (a int references u(b));",
    ),
}

JOINED = {
    "functions": ("c", b"void f() { a(); }\nvoid g() { b(); }\n", b"void f() { a(); b(); }"),
    "lists": ("json", b"[[1], [2]]\n", b"[[1, 2]]"),
    "elements": ("html", b"<p>a <b>b</b></p>\n<p>c <i>d</i></p>\n", b"<p>a <b>b</b>c <i>d</i></p>"),
    "of three": ("css", b"a { b: c }\nd { e: f }\ng { h: i }\n", b"a { b: c }\nd { e: f h: i }"),
}

TEMPLATES = {
    "a loop": (
        "html",
        b"<p>{% for x in y %}<b>{{ x }}</b>{% endfor %}</p>\n",
        b"<p><b>{{ x }}</b></p>",
    ),
    "a block with what is in it": ("html", b"<p>a{{#if x}}b{{/if}}c</p>\n", b"<p>ac</p>"),
    "all but what follows else": (
        "html",
        b"<p>{{ if .x }}<i>a</i>{{ else }}<b>c</b>{{ end }}</p>\n",
        b"<p><b>c</b></p>",
    ),
    "what follows else": (
        "html",
        b"<p>{% if x %}a{% elif y %}b{% else %}c{% endif %}</p>\n",
        b"<p>{% if x %}a{% else %}c{% endif %}</p>",
    ),
    "Ruby's": (
        "embeddedtemplate",
        b"<p><% f.each do |x| %><b><%= g %></b><% end %></p>\n",
        b"<p><b><%= g %></b></p>",
    ),
    "in a text that another grammar reads": (
        "scheme",
        b"a {{#with x}} b {{y}} {{/with}} c\n",
        b"a b {{y}} c",
    ),
}
COLUMNS = {
    "of a table": ("csv", b"a,b,c\n1,2,3\n", b"a,c\n1,3\n"),
    "of a table with tabs": ("tsv", b"aa\tbb\tcc\n1\t2\t3\n", b"aa\tcc\n1\t3\n"),
    "of a table with bars": ("psv", b"aa|bb|cc\n1|2|3\n", b"aa|cc\n1|3\n"),
    "of a table with semicolons": ("psv", b"a;b;c\n1,5;2;3 x\n", b"a;c\n1,5;3 x\n"),
    "beside a semicolon between quotes": (
        "psv",
        b'a;b;c\n"1;2";;3\n4;5;x\n',
        b"b;c\n;3\n5;x\n",
    ),
    "beside an empty field": ("csv", b"id,name\n,Bob\n", b"name\nBob\n"),
    "beside a field that the grammar cuts in two": ("csv", b"id,day\n1,2-3\n", b"day\n2-3\n"),
    "between bars": ("markdown", b"|a|b|\n|-|-|\n|c|d|\n", b"|a|\n|-|\n|c|\n"),
    "of arrays": ("json", b"[[1, 2], [3, 4]]\n", b"[[1], [3]]\n"),
    "of objects": ("json", b'[{"a": 1, "b": 2}, {"a": 3, "b": 4}]\n', b'[{"b": 2}, {"b": 4}]\n'),
    "of rows and their names": (
        "sql",
        b"insert into t (a, b) values (1, 2), (3, 4);\n",
        b"insert into t (b) values (2), (4);\n",
    ),
}

ALL = {
    f"{kind}: {what}": case
    for kind, some in (
        ("name", BY_NAME),
        ("here-document", HERE_DOCUMENTS),
        ("orphans", ORPHANS),
        ("place", BY_PLACE),
        ("placeholder", PLACEHOLDERS),
        ("moved", MOVED),
        ("partner", PARTNERS),
        ("phrases", PHRASES),
        ("joined", JOINED),
        ("template", TEMPLATES),
        ("column", COLUMNS),
    )
    for what, case in some.items()
}
