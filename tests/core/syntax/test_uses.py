"""Uses among branches, in any language: which must go together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.syntax.branches.branches import Branch, Preprocessing, below, root_branch
from pollard.syntax.grammars.languages import find
from pollard.syntax.names.conventions import conventions, word_places, words
from pollard.syntax.names.definitions import assigned, defined
from pollard.syntax.names.uses import Uses
from pollard.syntax.tree.document import Document
from tests.core.syntax.samples import parsed


def test_a_statement_goes_without_the_calls_of_the_same_function() -> None:
    document = parsed("shellscript", b"f() { :; }\nf 1\necho f\nf 2\n")
    uses = Uses(document, root_branch(document.root, Preprocessing()).children)
    assert uses.closure(1, range(4)) == {1}
    assert uses.closure(0, range(4)) == {0, 1, 2, 3}


def test_only_the_first_reference_to_a_name_defines_it() -> None:
    """In SQL the name of a table has the same field where it is made and where it is used."""
    made, used = b"create table t (c int)", b"insert into t values (1)"
    document = parsed("sql", made + b";\n" + used + b";\n")
    for statement in document.root.named_children:
        assert assigned(statement, document.text, document.language) == {b"t"}
        assert b"t" not in defined(statement, document.text, document.language)
    uses = Uses(document, root_branch(document.root, Preprocessing()).children)
    assert uses.closure(0, range(4)) == {0, 2}
    assert uses.closure(2, range(4)) == {2}


def test_words_may_be_of_any_script_and_are_no_numbers() -> None:
    text = "a_1 = 12 + über * 名前 // a_1 0x1f naïve".encode()
    assert words(text)[b"a_1"] == 2
    assert {word.decode() for word in words(text)} == {"a_1", "über", "名前", "x1f", "naïve"}


SPELT = {
    "c": ("a-b a? a' $a", "a b a a a"),
    "scss": ("a-b $a-b --c-d 10px -$e", "a-b $a-b --c-d px $e"),
    "elisp": ("a-b (*x* 'y-z) ---- -1", "a-b *x* y-z"),
    "ruby": ("a? b! c-d e?f", "a? b! c d e? f"),
    "haskell": ("x' y'' 'c'", "x' y'' c'"),
    "nix": ("a-b c'", "a-b c'"),
    "powershell": ("Get-A $b-c $d", "Get-A $b-c $d"),
    "wat": ("$a.b $c-d", "$a.b $c-d"),
}


@pytest.mark.parametrize("language", SPELT)
def test_words_are_spelt_as_in_their_language(language: str) -> None:
    text, expected = (one.encode() for one in SPELT[language])
    assert words(text, find(language).language) == Counter(expected.split())


def uses(language: str, text: bytes, needle: bytes = b"") -> tuple[Uses, list[bytes]]:
    """The uses among the branches of a level, the first one in which one begins with the needle."""
    document = parsed(language, text)
    level = [root_branch(document.root, Preprocessing(), document)]
    while True:
        level = below(level, (0, len(text)))
        pieces = [branch for branch in level if not branch.is_token]
        texts = [text[piece.start : piece.end] for piece in pieces]
        if any(piece.startswith(needle) for piece in texts):
            return Uses(document, pieces), texts


def closure(
    language: str, text: bytes, piece: bytes, present: set[bytes] | None = None
) -> set[bytes] | None:
    """What goes with the piece that begins so, by the beginnings of the others."""
    found, texts = uses(language, text, piece)
    (place,) = (i for i, one in enumerate(texts) if one.startswith(piece))
    here = {i for i, one in enumerate(texts) if present is None or one[:6] in present}
    together = found.closure(place, here)
    return None if together is None else {texts[i][:6] for i in together}


C = b"""int f0(int a);
int f0(int a) { return a; }
int f1() { return f0(1); }
int f2() { return f1(); }
int f3() { return 3; }
"""


def test_direct_and_indirect_users_go_with_a_branch() -> None:
    assert closure("c", C, b"int f3") == {b"int f3"}
    assert closure("c", C, b"int f2") == {b"int f2"}
    assert closure("c", C, b"int f1") == {b"int f1", b"int f2"}


def test_users_stay_as_long_as_another_branch_defines_the_name() -> None:
    found, texts = uses("c", C, b"int")
    every = range(len(texts))
    assert found.closure(0, every) == {0}
    assert found.closure(1, every) == {1}
    assert found.closure(0, [place for place in every if place != 1]) == {0, 2, 3}
    assert found.closure(1, [place for place in every if place != 0]) == {1, 2, 3}


def test_callers_of_a_method_do_not_go_with_another_method_of_that_name() -> None:
    text = b"""package p

type a int

func (a) m() {}

type b int

func (b) m() {}

func f(x b) { x.m() }
"""
    assert closure("go", text, b"type a") == {b"type a", b"func ("}
    found, texts = uses("go", text, b"type a")
    together = found.closure(texts.index(b"type a int"), range(len(texts))) or frozenset()
    assert {texts[place] for place in together} == {b"type a int", b"func (a) m() {}"}


def test_the_last_definition_of_a_name_goes_with_the_others_and_all_users() -> None:
    """Where all others are going too, as the clauses of one function do."""
    text = b"f(1) -> a;\nf(2) -> b;\nf(3) -> c.\ng() -> f(1).\nh() -> d.\n"
    found, texts = uses("erlang", text, b"f(1)")
    every = range(len(texts))
    assert len(texts) == 5
    assert found.closure(0, every, going={2}) == {0}
    assert found.closure(0, every, going={1, 2}) == {0, 1, 2, 3}
    assert found.closure(0, {0, 3, 4}) == {0, 3}


def test_a_name_is_lost_if_no_other_branch_defines_it() -> None:
    found, _ = uses("c", C, b"int")
    assert found.lost(frozenset({0, 2})) == {b"f1"}
    assert found.lost(frozenset({0, 1, 2})) == {b"f0", b"f1"}


def test_companions_of_a_name_are_no_uses() -> None:
    text = b"int f() { return 1; }\nint g() { return 2; }\nint x[] = { f, g };\n"
    document = parsed("c", text)
    pieces = root_branch(document.root, Preprocessing()).children
    entries = {b"f": {text.index(b"f, ")}}
    assert Uses(document, pieces).closure(0, range(3)) == {0, 2}
    found = Uses(document, pieces, lambda name: entries.get(name, ()))
    assert found.closure(0, range(3)) == {0}
    assert found.closure(1, range(3)) == {1, 2}
    outside = Uses(document, pieces[:2], lambda name: entries.get(name, ()))
    assert outside.closure(0, range(2)) == {0}
    assert outside.closure(1, range(2)) is None


def test_the_name_of_a_package_is_no_use_of_a_function() -> None:
    """Otherwise Go's `main` would stay in every file whose package is `main`."""
    text = b"package main\nvar a int\nfunc main() {}\n"
    assert closure("go", text, b"func main") == {b"func m"}


def test_a_recursive_function_uses_only_itself() -> None:
    text = b"int f0(int a) { return f0(a); }\nint f1() { return 1; }\n"
    assert closure("c", text, b"int f0") == {b"int f0"}


def test_only_present_branches_are_users() -> None:
    found, _ = uses("c", C, b"int")
    assert found.closure(1, {1, 2}) == {1, 2}
    assert closure("c", C, b"int f1", {b"int f1"}) == {b"int f1"}


def test_a_branch_stays_if_its_name_is_used_outside_of_all_branches() -> None:
    text = b"#if f1\nint f1() { return 1; }\nint f2() { return 2; }\n#endif\n"
    found, texts = uses("c", text, b"int f1")
    assert texts[1:3] == [b"int f1() { return 1; }", b"int f2() { return 2; }"]
    document = parsed("c", text)
    level = below([root_branch(document.root, Preprocessing())], (0, len(text)))
    inner = [branch for branch in below(level, (0, len(text))) if branch.children][-2:]
    found = Uses(document, inner)
    assert found.closure(0, (0, 1)) is None
    assert found.closure(1, (0, 1)) == {1}


def test_only_the_first_value_defines_a_name() -> None:
    text = b"x = 1\ny = x\nx = 2\n"
    assert closure("python", text, b"x = 1") == {b"x = 1", b"y = x", b"x = 2"}
    assert closure("python", text, b"x = 2") == {b"x = 2"}


def test_branches_of_an_island_use_each_other() -> None:
    """A function of a script and what calls it, with another language before and after them."""
    text = (
        b"<p>\xc3\xa9 f()</p>\n<script>\nfunction g() { h1() }\nfunction k() { g() }\nl()\n</script>"
        b"\n<p>k</p>\n"
    )
    assert closure("html", text, b"function g", None) is None  # `k` is in the page, too
    text = text.replace(b"<p>k", b"<p>-")
    found, texts = uses("html", text, b"function g")
    (place,) = (i for i, one in enumerate(texts) if one.startswith(b"function g"))
    together = found.closure(place, range(len(texts))) or frozenset()
    assert {texts[i] for i in together} == {b"function g() { h1() }", b"function k() { g() }"}


def test_a_name_may_be_a_part_of_a_word() -> None:
    """A name may be no word of the text by itself: here it is glued to a number."""
    text = "1é = 2\n".encode()
    document = parsed("python", text)
    pieces: list[Branch] = below([root_branch(document.root, Preprocessing())], (0, len(text)))
    assert Uses(document, pieces).closure(0, range(len(pieces))) is not None


@given(
    st.sampled_from([None, "scss", "elisp", "ruby", "ocaml", "nix"]),
    st.text(alphabet="aé1_$-?' \n(", max_size=30),
    st.data(),
)
def test_the_index_of_words_counts_as_reading_each_branch_would(
    name: str | None, line: str, data: st.DataObject
) -> None:
    """Also where a branch begins or ends inside a word."""
    text, language = line.encode(), find(name).language if name else None
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pieces = [Piece(start, end) for start, end in pairwise(cuts)]
    document = Document(text, language)
    every, each = words(text, language), [words(one.of(text), language) for one in pieces]
    places = word_places(document)
    assert {word: len(offsets) for word, offsets in places.items()} == every
    found = Uses(document, cast("list[Branch]", pieces))
    for word in {*every, *(word for counted in each for word in counted)}:
        times = [counted[word] for counted in each]
        users = frozenset(place for place, number in enumerate(times) if number)
        assert found.users_of(word) == (None if every[word] > sum(times) else users)


@dataclass
class Piece:
    """As much of a branch as its words depend on."""

    start: int
    end: int

    @property
    def node(self) -> Piece:
        return self

    @property
    def id(self) -> int:
        return self.start

    def own_document_in(self, _: Document) -> Document:
        return Document(b"")  # what is in no language defines nothing

    def of(self, text: bytes) -> bytes:
        return text[self.start : self.end]


def test_what_a_node_defines_is_found_once_for_all_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stage of a pass asks for the same thousands of nodes again."""
    document = parsed("c", b"int a;\nint b = 1;\nint c = b;\n")
    branches = below([root_branch(document.root, Preprocessing())], (0, len(document.text)))
    assert Uses(document, branches).closure(1, range(3)) == {1, 2}
    monkeypatch.setattr("pollard.syntax.names.uses.defined", None)
    assert Uses(document, branches).closure(1, range(3)) == {1, 2}


def test_nothing_in_json_can_define_a_name() -> None:
    assert not conventions(find("json").language).has_definitions
    assert all(
        conventions(find(name).language).has_definitions for name in ("c", "python", "javascript")
    )


def test_lists_may_be_thousands_of_levels_deep() -> None:
    text = b"(" * 20_000 + b"define x" + b")" * 20_000
    (outer,) = parsed("scheme", text).root.named_children
    assert not defined(outer, text, find("scheme").language)
