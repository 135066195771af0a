"""Tidied edits keep the author's layout, never glue two tokens, and touch nothing else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.syntax.branches.branches import Branch
from pollard.syntax.branches.units import UnitFinder, removals
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit, apply, join
from tests.core.syntax.samples import SAMPLES, branches, leaves, parsed, tokens
from tests.examples import examples

CUT = re.compile(rb"\[\[(.*?)\]\]|<<(.*?)\|(.*?)>>", re.DOTALL)


def cut(name: str, marked: bytes, region: tuple[int, int] | None = None) -> bytes:
    """Delete what stands in `[[ ]]` and replace `<<old|new>>`; `region` counts without the marks."""
    text, made, position = b"", [], 0
    for match in CUT.finditer(marked):
        text += marked[position : match.start()]
        old, new = (match[1], b"") if match[1] is not None else (match[2], match[3])
        made.append(Edit(len(text), len(text) + len(old), new))
        text += old
        position = match.end()
    text += marked[position:]
    document = parsed(name, text)
    assert document.errors == 0
    return apply(text, Layout(document, region or (0, len(text))).tidy(made))


CASES = {
    # Blanks around what goes.
    "one of two blanks": ("c", b"int [[a,]] b;\n", b"int b;\n"),
    "blank before a closing": ("c", b"int a = f(b [[+ c]]);\n", b"int a = f(b);\n"),
    "blank before a semicolon": ("c", b"int a [[= 1]];\n", b"int a;\n"),
    "blank after an opening": ("c", b"int a = f([[b,]] c);\n", b"int a = f(c);\n"),
    "last of a list": ("json", b"[1[[, 2]]]\n", b"[1]\n"),
    "two on one line": (
        "c",
        b"void f() { [[a();]] b(); [[c();]] d(); }",
        b"void f() { b(); d(); }",
    ),
    "neighbours on a line": ("c", b"void f() { [[a();]] [[b();]] c(); }", b"void f() { c(); }"),
    "before a comment": ("c", b"[[int a;]] // b\nint c;\n", b"// b\nint c;\n"),
    "a comment at a line's end": ("c", b"int a; [[// b]]\nint c;\n", b"int a;\nint c;\n"),
    "tabs": ("c", b"int a;\n\tint b;\t[[int c;]]\n\tint d;\n", b"int a;\n\tint b;\n\tint d;\n"),
    # Tokens that would become one.
    "words": ("c", b"int a = sizeof[[(b)]]c;\n".replace(b"c;", b";"), b"int a = sizeof;\n"),
    "word and word": ("javascript", b"if(a)b;else[[{]]c[[}]]\n", b"if(a)b;else c\n"),
    "operators": ("c", b"int a = b -[[(]]-c[[)]];\n", b"int a = b - -c;\n"),
    "comment start": ("c", b"int a = b /[[(]]*c[[)]];\n", b"int a = b / *c;\n"),
    "range and number": ("rust", b"fn f() { a[[ + 0]]; }\n", b"fn f() { a; }\n"),
    "word and string prefix": ("python", b"x = f[[(]]'a'[[)]]\n", b"x = f 'a'\n"),
    "empty string and string": ("python", b"x = ''[[ 'b']]'a'\n", b"x = '' 'a'\n"),
    "tags are not glued": (
        "html",
        b"<a><b></b>[[<i></i>]]<b></b></a>\n",
        b"<a><b></b><b></b></a>\n",
    ),
    "selectors are not spaced": ("css", b".a[[.b]].c { }\n", b".a.c { }\n"),
    "calls are not spaced": ("javascript", b"a()[[.b()]].c()\n", b"a().c()\n"),
    "replacement after a word": (
        "c",
        b"int f() { return<<(a)|0>>; }\n",
        b"int f() { return 0; }\n",
    ),
    "replacement before a word": ("javascript", b"a = <<(b)|0>>in c\n", b"a = 0 in c\n"),
    "replacement between operators": ("c", b"int a = b -<<(c)|-1>>;\n", b"int a = b - -1;\n"),
    # Lines that go.
    "an emptied line": ("c", b"int a;\n  [[int b;]]  \nint c;\n", b"int a;\nint c;\n"),
    "emptied lines": ("c", b"int a;\n[[int b;]]\n[[int c;]]\nint d;\n", b"int a;\nint d;\n"),
    "emptied together": ("c", b"int a;\n[[int b;]] [[int c;]]\nint d;\n", b"int a;\nint d;\n"),
    "the first line": ("c", b"[[int a;]]\nint b;\n", b"int b;\n"),
    "the last line": ("c", b"int a;\n[[int b;]]\n", b"int a;\n"),
    "no final newline": ("c", b"int a;\n[[int b;]]", b"int a;"),
    "all": ("c", b"[[int a;]]\n", b""),
    "all, without final newline": ("c", b"[[int a;]]", b""),
    "all but the order mark": ("c", b"\xef\xbb\xbf[[int a;]]\n", b"\xef\xbb\xbf"),
    "first after the order mark": (
        "c",
        b"\xef\xbb\xbf[[int a;]]\nint b;\n",
        b"\xef\xbb\xbfint b;\n",
    ),
    "word after the order mark": ("c", b"\xef\xbb\xbf[[extern ]]int b;\n", b"\xef\xbb\xbfint b;\n"),
    "directive with its newline": ("c", b"int a;\n[[#define B\n]]int c;\n", b"int a;\nint c;\n"),
    "directives": ("c", b"[[#define A\n]][[#define B\n]]int c;\n", b"int c;\n"),
    "a directive keeps its newline": ("c", b"#define A\n[[int b;]]", b"#define A\n"),
    "end of one line, begin of next": (
        "javascript",
        b"a; [[b]]\n[[c;]] d\n",
        b"a;\nd\n",
    ),
    "what is left of a line keeps its indentation": (
        "python",
        b"if x:\n    a\n    [[b]]\n[[c;]] d\n",
        b"if x:\n    a\nd\n",
    ),
    "a continued line": (
        "shellscript",
        b"a \\\n  b \\\n  [[c]]\nd\n",
        b"a \\\n  b\nd\n",
    ),
    "deletion across lines": ("c", b"int f() { [[a();\n b();]] c(); }\n", b"int f() { c(); }\n"),
    "a comment swallows nothing": (
        "go",
        b"package p\nfunc f() {\n\ta() // c[[\n\tb();]] d()\n}\n",
        b"package p\nfunc f() {\n\ta() // c\n d()\n}\n",
    ),
    # Blank lines.
    "between blank lines": ("c", b"int a;\n\n[[int b;]]\n\nint c;\n", b"int a;\n\nint c;\n"),
    "one of each": (
        "c",
        b"[[int a;]]\n\n\nint b;\n\n[[int c;]]\n\n\nint d;\n\n[[int e;]]\n",
        b"int b;\n\nint d;\n",
    ),
    "blank before only": ("c", b"int a;\n\n[[int b;]]\nint c;\n", b"int a;\n\nint c;\n"),
    "blank after only": ("c", b"int a;\n[[int b;]]\n\nint c;\n", b"int a;\n\nint c;\n"),
    "blank at the end": ("c", b"int a;\n\n \n[[int b;]]\n", b"int a;\n"),
    "blank at the end, no newline": ("c", b"int a;\n\n\n[[int b;]]", b"int a;"),
    "lines of blanks": ("c", b"int a;\n \t\n[[int b;]]\n  \n\nint c;\n", b"int a;\n \t\nint c;\n"),
    "blank lines of a directive": ("c", b"[[#define A\n]]\n\nint b;\n", b"int b;\n"),
    "the first after the order mark": (
        "c",
        b"\xef\xbb\xbf[[int a;]]\n\nint b;\n",
        b"\xef\xbb\xbfint b;\n",
    ),
    # White space that is content.
    "in a string": ("javascript", b"a = `b  [[${c}]]  d`\n", b"a = `b    d`\n"),
    "blanks of a string alone": ("javascript", b"a = `${b}  [[${c}]]`\n", b"a = `${b}  `\n"),
    "lines in a string": ("javascript", b"a = `\n\n[[${b}]]\n\n`\n", b"a = `\n\n\n\n`\n"),
    "neighbours in a string": ("python", b"a = f'[[{b}]]  [[{c}]]'\n", b"a = f'  '\n"),
    "no blank into a string": ("javascript", b"a = 'b[[\\n]]c'\n", b"a = 'bc'\n"),
    "in shell": ("shellscript", b'a "b  [[$(c)]]  d"\n', b'a "b    d"\n'),
    "in text": ("html", b"<p>a  b [[<i>c</i>]] d  e</p>\n", b"<p>a  b d  e</p>\n"),
    "white space between elements": (
        "xml",
        b"<a>\n  <b/>\n  [[<c/>]]\n</a>\n",
        b"<a>\n  <b/>\n</a>\n",
    ),
    # Deleted blanks are what was asked for: hoisting moves lines to the left.
    "outdented": (
        "python",
        b"if a:\n[[    ]]    if b:\n[[    ]]        c\n\n[[    ]]        d\n",
        b"if a:\n    if b:\n        c\n\n        d\n",
    ),
    "whole indentation": ("c", b"void f() {\n[[  ]]a();\n}\n", b"void f() {\na();\n}\n"),
}


@pytest.mark.parametrize(("name", "marked", "expected"), CASES.values(), ids=CASES.keys())
def test_before_and_after(name: str, marked: bytes, expected: bytes) -> None:
    assert cut(name, marked) == expected


@pytest.mark.parametrize("key", [k for k, case in CASES.items() if case[0] == "c"])
def test_line_ends_stay_what_they_are(key: str) -> None:
    name, marked, expected = CASES[key]
    crlf = cut(name, marked.replace(b"\n", b"\r\n"))
    assert crlf == expected.replace(b"\n", b"\r\n")


def test_mixed_and_old_line_ends() -> None:
    assert cut("c", b"int a;\r\n[[int b;]]\nint c;\r\n") == b"int a;\r\nint c;\r\n"
    assert cut("c", b"int a;\r[[int b;]]\rint c;\r") == b"int a;\rint c;\r"
    assert cut("c", b"int a;\r\r[[int b;]]\r\rint c;") == b"int a;\r\rint c;"


@pytest.mark.parametrize(
    ("marked", "region", "expected"),
    [
        (b"a \n\n[[b]]\n\nc\n", (4, 5), b"a \n\n\n\nc\n"),  # not even its newline
        (b"a \n\n[[b]]\n\nc\n", (4, 6), b"a \n\n\nc\n"),
        (b"a \n\n[[b]]\n\nc\n", (4, 7), b"a \n\nc\n"),  # at the region's start
        (b"a  [[b;]]  c;\n", (3, 5), b"a    c;\n"),
        (b"a\n[[b]]", (2, 3), b"a\n"),
    ],
)
def test_nothing_outside_the_region_changes(
    marked: bytes, region: tuple[int, int], expected: bytes
) -> None:
    assert cut("javascript", marked.replace(b"a  [[", b"a; [["), region) == expected.replace(
        b"a    c", b"a;   c"
    )


def test_without_a_grammar_tokens_are_kept_apart_by_their_bytes() -> None:
    text = b"a(b)c\n  d  \ne"
    layout = Layout(Document(text), (0, len(text)))
    assert apply(text, layout.tidy([Edit(1, 4), Edit(8, 9)])) == b"a c\ne"


STRINGY = re.compile("string|quoted|char|template_s")
# Not YAML: a quotation mark on its own may go there, and its string becomes another token.
NAMES = [name for name in SAMPLES if name != "yaml"]


def is_in_string(branch: Branch | None) -> bool:
    while branch:
        if STRINGY.search(branch.node.type):
            return True
        branch = branch.parent
    return False


class Sample:
    """A document, its units, and the edits that random subsets and hoistings of them are."""

    def __init__(self, name: str, text: bytes) -> None:
        self.document = parsed(name, text)
        self.layout = Layout(self.document, (0, len(text)))
        self.outside = [
            b for b in branches(self.document) if b.parent and not is_in_string(b.parent)
        ]
        finder = UnitFinder(
            lambda edit: not self.document.edited(self.layout.tidy((edit,))).errors, 1, 1 << 40
        )
        reached = [(branch, finder.reach(branch)) for branch in self.outside]
        self.units = [(branch, reach) for branch, reach in reached if reach is not None]

    def removal(self, draw: st.DrawFn) -> list[Edit]:
        several = st.lists(st.integers(0, len(self.units) - 1), min_size=1, max_size=4, unique=True)
        units = [self.units[i] for i in sorted(draw(several))]
        units.sort(key=lambda unit: unit[0].start)
        return removals(units, self.document.text)

    def hoisting(self, draw: st.DrawFn) -> list[Edit]:
        target = draw(st.sampled_from(self.outside))
        inside = [b for b in self.outside if target.start <= b.start and b.end <= target.end]
        source = draw(st.sampled_from(inside))
        return [Edit(target.start, source.start), Edit(source.end, target.end)]


def naive(text: bytes, made: tuple[Edit, ...]) -> bytes:
    """The text with a blank, and the line ends, in the place of what each edit deletes."""
    return apply(
        text,
        [
            Edit(e.start, e.end, b" " + b"".join(re.findall(rb"\r?\n", text[e.start : e.end])))
            for e in made
        ],
    )


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", NAMES)
def test_no_token_is_glued_split_or_lost(name: str, newline: bytes) -> None:
    """The tokens left are the original's, or those that a careless blank would have left.

    (Deleting a token may turn others into something else; that is not the layout's doing.)
    """
    sample = Sample(name, SAMPLES[name].replace(b"\n", newline))
    document, text = sample.document, sample.document.text

    @examples(30)
    @given(st.data())
    def compare(data: st.DataObject) -> None:
        made = sample.removal(data.draw)
        if data.draw(st.booleans()):
            made += sample.hoisting(data.draw)
        raw = join(made)
        tidied = sample.layout.tidy(raw)
        new = Document(apply(text, tidied), document.language)
        check_bytes(text, raw, tidied, new.text)
        if not new.errors:
            gone = [range(edit.start, edit.end) for edit in raw]
            left = [text[s:e] for s, e in leaves(document) if not any(s in span for span in gone)]
            careless = tokens(Document(naive(text, raw), document.language))
            assert words(tokens(new)) in (words(left), words(careless))

    compare()


def words(found: list[bytes]) -> list[bytes]:
    """Texts between elements in HTML and XML become one token when the element goes."""
    return b" ".join(found).split()


def check_bytes(text: bytes, raw: tuple[Edit, ...], tidied: tuple[Edit, ...], new: bytes) -> None:
    """Nothing but white space is deleted beyond the edits; ends of lines and text stay."""
    assert new.split() == apply(text, raw).split() or b"".join(new.split()) == b"".join(
        apply(text, raw).split()
    )
    for edit in tidied:
        around = [e for e in raw if edit.start <= e.end and e.start <= edit.end]
        outside = set(range(edit.start, edit.end)).difference(
            *(range(e.start, e.end) for e in around)
        )
        assert around
        assert not bytes(text[offset] for offset in sorted(outside)).strip()
        assert not edit.new.strip()
    assert not new or new.endswith(b"\n") == text.endswith(b"\n")
    assert (b"\r" in text) or b"\r" not in new
    assert not re.search(rb"[^\r]\n", new) or re.search(rb"[^\r]\n", text)


@pytest.mark.parametrize("name", ["c", "python", "javascript", "rust", "json"])
def test_blank_lines_do_not_pile_up(name: str) -> None:
    """Of items set apart by blank lines any subset is, too, and the text neither begins nor ends so."""
    items = {"c": b"int a%d;", "python": b"a%d = 1", "javascript": b"a%d()", "rust": b"fn a%d() {}"}
    text = b"\n\n".join(items.get(name, b"[%d]") % number for number in range(6)) + b"\n"
    document = parsed(name, text)
    spans = [child.byte_range for child in document.root.children if child.is_named]
    layout = Layout(document, (0, len(text)))

    @examples(20)
    @given(st.sets(st.integers(0, 5), max_size=5))
    def remove(gone: set[int]) -> None:
        left = [text[slice(*span)] for i, span in enumerate(spans) if i not in gone]
        made = layout.tidy(Edit(*spans[i]) for i in gone)
        assert apply(text, made) == b"\n\n".join(left) + b"\n"

    remove()


def test_deep_nesting_is_tidied() -> None:
    text = b"[" * 20_000 + b" 1 " + b"]" * 20_000
    layout = Layout(parsed("json", text), (0, len(text)))
    assert apply(text, layout.tidy([Edit(20_001, 20_002)])) == text.replace(b"1 ", b"")


def test_tokens_of_a_large_text_are_kept_apart_without_a_parse_for_each_edit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = b"int a = b -(-c) + sizeof(d);\n"
    text = line * 2_000
    document = parsed("c", text)
    minus = text.index(b"(")
    made = [
        Edit(start + place, start + place + 1)
        for start in range(0, len(text), len(line))
        for place in (minus, line.index(b")"), line.index(b"(d"))
    ]
    asked = []
    edited = Document.edited
    monkeypatch.setattr(
        Document, "edited", lambda self, edits: asked.append(edits) or edited(self, edits)
    )
    tidied = apply(text, Layout(document, (0, len(text))).tidy(made[:3]))
    assert tidied.startswith(b"int a = b - -c + sizeof d);\n")
    assert len(asked) <= 3
