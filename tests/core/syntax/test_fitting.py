"""A text in an unknown language is parsed with the grammar that fits it best."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.errors import Cancelled
from pollard.syntax.grammars.languages import find
from pollard.syntax.grammars.sources import Source
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.fitting import fitting
from tests.core.syntax.samples import SAMPLES

NOWHERE = Source(lambda: (), lambda _: None)

# Promela, SMT-LIB, Forth, MiniZinc and prose.
PROMELA = b"""mtype = { ready, done };
chan c = [1] of { byte };
active proctype P() {
  do
  :: c?x -> if :: x > 1 -> printf("%d", x) :: else -> skip fi
  :: timeout -> break
  od
}
"""
SMT = b"""(set-logic QF_UF)
(declare-fun |a b| () Int)
(assert (! (< |a b| 3) :named n1))
(check-sat)
"""
FORTH = b""": square ( n -- n*n ) dup * ;
variable total  0 total !
: sum 10 0 do i square total +! loop total @ . ;
sum
"""
MINIZINC = b"""include "globals.mzn";
predicate alike(array[int] of var int: x, int: n) =
  forall(i in index_set(x) where i < n)(x[i] = x[i + 1] \\/ x[i] mod 2 == 0);
var 1..9: S; var 0..9: E;
constraint all_different([S, E]) /\\ S + E == 9;
solve satisfy;
output ["S = \\(S)\\n"];
"""
PROSE = b"""It was the best of times, it wasn't the worst (of times);
we had "everything" before us.
"""
# Vala, a dialect of Python, and a language with braces.
VALA = b"""public class App : GLib.Object {
    private int count = 0;
    public signal void changed (int now);
    public static int main (string[] args) {
        var app = new App ();
        app.changed.connect ((now) => { stdout.printf ("%d", now); });
        return 0;
    }
}
"""
SNAKE = b"""import parser
def check(tree, depth=0):
    for node in tree.walk():
        if node.depth > depth:
            yield node
rule main:
    print(1)
"""
BRACES = b"""#define LIMIT 10
int[*] numbers = {1, 2, 3};
int total(int[] a) {
  int sum = 0;
  for (int i = 0; i < LIMIT; i++) { sum += a[i]; }
  return sum;
}
"""


@pytest.mark.parametrize(
    "text",
    [PROMELA, SMT, FORTH, MINIZINC, PROSE],
    ids=["promela", "smt", "forth", "minizinc", "prose"],
)
def test_brackets_and_words_are_read_where_no_family_fits(text: bytes):
    grammar = fitting(text)
    assert grammar is not None
    assert grammar.name == "scheme"


@pytest.mark.parametrize(
    ("text", "families"), [(VALA, {"csharp"}), (SNAKE, {"python"}), (BRACES, {"cpp", "csharp"})]
)
def test_a_language_that_takes_after_another_is_read_by_its_grammar(
    text: bytes, families: set[str]
):
    grammar = fitting(text)
    assert grammar is not None
    assert grammar.name in families


@pytest.mark.parametrize("name", ["javascript", "cpp", "python", "rust"])
def test_a_text_in_one_of_the_families_is_read_without_errors(name: str):
    grammar = fitting(SAMPLES[name])
    assert grammar is not None
    assert Document(SAMPLES[name], grammar.language).errors == 0


@pytest.mark.parametrize("text", [b"\x7fELF\2\1\0\0", b"word " * 250_000])
def test_a_text_that_is_binary_or_too_large_has_none(text: bytes):
    assert fitting(text) is None


@pytest.mark.parametrize(
    "line", [b"  if (x) { return f(x - 1); }\n", b"if (x) { return f(x - 1); } "]
)
def test_the_beginning_of_a_large_text_tells_wherever_it_is_cut(line: bytes):
    text = b"int f(int x) {\n" + line * 12_000 + b"}\n"
    grammar = fitting(text)
    assert grammar is not None
    assert grammar.name != "scheme"


def test_what_was_understood_counts_though_one_bracket_is_never_closed():
    grammar = fitting(b"namespace a {\nclass B {\n" + BRACES * 5)
    assert grammar is not None
    assert grammar.name != "scheme"


def test_without_grammars_there_is_none():
    assert fitting(b"words", sources=(NOWHERE,)) is None


def test_a_grammar_that_does_not_load_is_passed_over():
    def broken(name: str):
        if name == "cpp":
            return replace(find("cpp"), module="no_such_module")
        return find("scheme") if name == "scheme" else None

    grammar = fitting(BRACES, sources=(Source(lambda: (), broken),))
    assert grammar is not None
    assert grammar.name == "scheme"


def test_it_can_be_cancelled():
    cancelled = threading.Event()
    cancelled.set()
    with pytest.raises(Cancelled):
        fitting(BRACES, cancelled=cancelled)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_whatever_the_text_it_can_be_parsed_by_what_fits(text: bytes):
    grammar = fitting(text)
    if grammar is None:
        assert b"\0" in text
    else:
        assert Document(text, grammar.language).tree is not None
