"""Values: short literals in the place of words for values, of chains and of functions."""

from __future__ import annotations

import re

import pytest
from hypothesis import given

from pollard.engine.memory import branch_key
from pollard.engine.needed import REMOVE_STEP
from pollard.passes.shortening.values import values
from pollard.syntax.branches.branches import all_below
from tests.core.passes.support import Case, cases, reduced, reduced_ahead
from tests.examples import examples


def _case(name: str, text: bytes, pattern: bytes) -> Case:
    return Case(text, name, lambda text: re.search(pattern, text, re.MULTILINE) is not None)


@pytest.mark.parametrize(
    ("name", "text", "pattern", "expected"),
    [
        ("javascript", b"new Date(undefined).f()\n", rb'Date\((""|u)', b'new Date("").f()\n'),
        ("javascript", b"f(null)\n", rb"f\(.+\)", b"f(0)\n"),
        ("javascript", b"Math.PI.f(9)\n", rb"(PI|0.)\.f\(9\)", b"0..f(9)\n"),
        ("javascript", b"a.b.c.f(9)\n", rb"[\]c]\.f\(9\)", b"[].f(9)\n"),
        ("javascript", b"f(function () {})\n", rb"f\(.+[}0]\)", b"f(_=>0)\n"),
        ("ruby", b"f nil + nil\n", rb"nil \+ ", b"f nil + 0\n"),
        ("dot", b"digraph { compound=true }\n", rb"compound=(true|1)", b"digraph { compound=1 }\n"),
        ("python", b"f(None)\n", rb"f\((None|\[\])\)", b"f([])\n"),
        ("python", b"f(lambda a, b: a)\n", rb"f\(lambda", b"f(lambda:0)\n"),
        ("python", b"f(a.b + 7)\n", rb"(a.b|1) . 7", b"f(1 + 7)\n"),
        ("python", b"f(a.read())\n", rb"f\((a.read|b)", b'f(b"")\n'),
        ("python", b"f(a.b + 7)\n", rb"(a.b|\.0) . 7", b"f(.0 + 7)\n"),
        (
            "python",
            b"class Two:\n    pass\ndef one(x):\n    pass\nd['Two'](7)\n",
            rb"(d\['Two'\]|^Two)\(7",
            b"class Two:\n    pass\ndef one(x):\n    pass\nTwo(7)\n",
        ),
        (
            "javascript",
            b"function f() {}\nthis.all[f.name](7)\n",
            rb"(all.*|^f)\(7",
            b"function f() {}\nf(7)\n",
        ),
        ("rust", b"fn f() { g(|a| a.b()); }\n", rb"g\(\|", b"fn f() { g(||0); }\n"),
        ("ruby", b"f(->(a) { a + 1 })\n", rb"f\(->", b"f(->{})\n"),
        ("php", b"<?php f(function () { g(); });\n", rb"f\(f", b"<?php f(fn()=>0);\n"),
        ("php", b"<?php f($a->b / 4);\n", rb"f\(.+ / 4", b"<?php f(0 / 4);\n"),
        ("scheme", b"(b (find x (list)))\n", rb"\(b (\(f|#)", b"(b #f)\n"),
        ("commonlisp", b"(/ (length (list 1)))\n", rb"\(/ .", b"(/ 0)\n"),
        ("ocaml", b'let x = f (Obj.magic "") 1\n', rb"f \([0O]", b"let x = f (0) 1\n"),
        ("haskell", b"x = f undefined\n", rb"f (\[\]|u)", b"x = f []\n"),
        (
            "go",
            b"package a\nfunc f() { s := b.c(9); g(s) }\n",
            rb's := (b|"")',
            b'package a\nfunc f() { s := ""; g(s) }\n',
        ),
        ("lua", b"local a = b.c(9)\nf(a)\n", rb'= (b|"")', b'local a = ""\nf(a)\n'),
        ("java", b"class A { Object a = null; }\n", rb"a = .+;", b"class A { Object a = 0; }\n"),
        (
            "java",
            b"class A { boolean b = c.def < 9; }\n",
            rb"= [cf]",
            b"class A { boolean b = false; }\n",
        ),
        (
            "go",
            b"package a\nfunc f() { g(b.c < 9) }\n",
            rb"g\((b|t)",
            b"package a\nfunc f() { g(true) }\n",
        ),
        ("haskell", b"x = f (bcd == 9)\n", rb"f \((b|F)", b"x = f (False)\n"),
        (
            "rust",
            b"fn f() { assert!(abc < 9.0); }\n",
            rb"!\((a|f)",
            b"fn f() { assert!(false); }\n",
        ),
        ("graphql", b"type A { b: String! }\n", rb"b: \w+!", b"type A { b: ID! }\n"),
        ("c", b"int a[] = { OP_PUSH, 2 };\n", rb"\{ \w+, 2", b"int a[] = { 0, 2 };\n"),
        ("c", b"char a[MAX_SIZE];\n", rb"\[(M|1)", b"char a[1];\n"),
        (
            "cpp",
            b"int f(int x) { switch (x) { case ONE: return ONE; } }\n",
            rb"case (\w+): return \1",
            b"int f(int x) { switch (x) { case 0: return 0; } }\n",
        ),
        ("html", b"<p>{{ a.bc | f }}</p>\n", rb"\{ \S+ \|", b"<p>{{ 0 | f }}</p>\n"),
        ("html", b"{% if a.bc %}d{% endif %}\n", rb"if (a|1)", b"{% if 1 %}d{% endif %}\n"),
        ("html", b'{{f .a.b "c.d"}}\n', rb'f \S+ "c', b'{{f 0 "c.d"}}\n'),
        ("markdown", b"A {{ a['bc'] - 1 }}\n", rb"(a.*|\"\") - 1", b'A {{ "" - 1 }}\n'),
        (
            "html",
            b"{% for one in a %}{{ one | f }}{% endfor %}\n",
            rb"for one.*\{ \S+ \|",
            b"{% for one in a %}{{ 0 | f }}{% endfor %}\n",
        ),
        (
            "html",
            b"{{#each a as |one|}}{{f one}}{{/each}}\n",
            rb"\|one\|.*f \S+\}",
            b"{{#each a as |one|}}{{f 0}}{{/each}}\n",
        ),
    ],
)
def test_the_shortest_value_that_does_stands_for_a_longer_one(name, text, pattern, expected):
    assert reduced(_case(name, text, pattern), values).text == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("javascript", b"value\nf(value, 'undefined')\n"),  # `rename` shortens names
        ("javascript", b"long.name();\n"),  # a statement that could go went before
        ("php", b"<?php f($value);\n"),
        ("rust", b"fn f() -> A<B::C> {}\n"),  # a type
        ("javascript", b"function f() { }\n"),  # its name may be needed
        ("javascript", b"x = _=>0\n"),
        ("python", b"f(0, 1, [])\n"),
        (
            "c",
            b"enum { ONE }; int two, a = ONE + two, b = x;\n",
        ),  # declared, or as short as a number
        ("c", b"int f() { called(); #label: goto label; }\n".replace(b"#", b"")),
        ("html", b"{{ name }} {{ name.f() }} {{ a | name }} {{ name(name=0) }} {{ 'a.b' }}\n"),
        ("c", b"int one, a[1][1] = {{one}}, b[1][1] = {{one}};\n"),  # tags of no template
    ],
)
def test_what_would_gain_nothing_is_not_tried(name, text):
    values_only = {b'"".name();', b"[].name();", b"{}.name();", b"0..name();"}
    asked = reduced(Case(text, name, lambda _: False), values).judge.asked
    assert {each.strip() for each in asked} <= values_only


@pytest.mark.parametrize(("argument", "is_kept"), [(b"77", True), (b"0", False)])
def test_no_chain_goes_whose_argument_could_not_be_removed(argument, is_kept):
    """Unless that is as short as a value can be: a call may just need one."""
    case = Case(b"x = a.b(%b, 88)\n" % argument, "python", lambda _: False)

    def after_a_failure(subject):
        for branch in all_below(subject.root, subject.span):
            if case.text[branch.start : branch.end] == argument:
                key = branch_key(case.text, branch)
                subject.memory.attempts.note(REMOVE_STEP, key, subject.weight)
        values(subject)

    assert reduced(case, values).judge.asked
    assert (not reduced(case, after_a_failure).judge.asked) == is_kept


def test_what_failed_before_a_success_is_not_repeated_after_it():
    case = _case("python", b"f(a.bcde, c.d)\n", rb"f\(a\.bcde, (c|\[\])")
    result = reduced(case, values)
    assert result.text == b"f(a.bcde, [])\n"
    (accepted,) = result.accepted
    after = result.judge.asked[result.judge.asked.index(accepted) + 1 :]
    assert not any(re.search(rb"f\((0|1|\"\"),", text) for text in after)


@pytest.mark.parametrize(("pattern", "is_known"), [(rb"f\(", False), (rb"f\(b\.", True)])
def test_after_a_success_earlier_attempts_are_forgotten(pattern, is_known):
    """What only served the longer value may go now."""
    case = _case("python", b"f(b.c)\n", pattern)
    known = []

    def noting(subject):
        subject.memory.attempts.note(REMOVE_STEP, b"piece", subject.weight)
        values(subject)
        known.append(subject.memory.attempts.knows(REMOVE_STEP, b"piece", subject.weight))

    reduced(case, noting)
    assert known == [is_known]


@examples(30)
@given(case=cases())
def test_reading_ahead_accepts_the_same(case: Case):
    result = reduced(case, values)
    assert reduced_ahead(case, values, 4) == (result.accepted, len(result.accepted))


@pytest.mark.hypothesis
@examples(60)
@given(cases())
def test_all_accepted_texts_are_interesting_and_shorter(case):
    result = reduced(case, values)
    assert all(text in result.judge.interesting for text in result.accepted)
    lengths = [len(case.text), *map(len, result.accepted)]
    assert lengths == sorted(lengths, reverse=True)
