"""Islands: found where the queries say, parsed at their offsets, grafted without tearing the tree."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.syntax.branches.branches import Branch, Preprocessing, below, root_branch
from pollard.syntax.grammars import languages
from pollard.syntax.grammars.languages import grammar_of
from pollard.syntax.grammars.patterns import Patterns, _split
from pollard.syntax.islands import injections
from pollard.syntax.islands.islands import NO_ISLANDS, Island, innermost, islands_of
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit, join
from tests.core.syntax.islands import HOSTS, all_islands
from tests.core.syntax.samples import SAMPLES, language, parsed

QUERIES = sorted(Path(injections.__file__).parent.glob("queries/*.scm"))


def name_of(island: Document) -> str:
    assert island.language is not None
    grammar = grammar_of(island.language)
    assert grammar is not None
    return grammar.name


def found(name: str, text: bytes) -> list[tuple[str, bytes]]:
    """The islands of a text, nested ones too: each language, with the text from start to end."""
    islands = all_islands(parsed(name, text))
    return [(name_of(i), text[i.ranges[0][0] : i.ranges[-1][1]]) for i in islands]


def grafted(name: str, text: bytes, options: Preprocessing | None = None) -> list[Branch]:
    """All branches of a text with its islands, level by level."""
    document = parsed(name, text)
    level = [root_branch(document.root, options or Preprocessing(), document)]
    branches = []
    while level:
        branches += level
        level = below(level, (0, len(text)))
    return branches


def texts(name: str, text: bytes, kind: str) -> list[bytes]:
    return [text[b.start : b.end] for b in grafted(name, text) if b.node.type == kind]


@pytest.mark.parametrize("query", QUERIES, ids=lambda path: path.stem)
def test_every_query_is_understood_by_its_grammar(query: Path) -> None:
    source = query.read_text()
    assert len(Patterns(source, language(query.stem))) == len(list(_split(source))) > 0


def test_every_query_is_for_a_language_with_a_sample() -> None:
    assert {query.stem for query in QUERIES} - {"markdown_inline"} == set(HOSTS)


@pytest.mark.parametrize("name", HOSTS)
def test_islands_are_found(name: str) -> None:
    islands = all_islands(parsed(name, HOSTS[name].text))
    assert {name_of(island) for island in islands} == HOSTS[name].inside


@pytest.mark.parametrize("name", sorted({"c", "json", "css", "java"} & set(SAMPLES)))
def test_other_languages_have_none_and_do_not_look_for_them(name: str) -> None:
    document = parsed(name)
    assert islands_of(document) is NO_ISLANDS
    assert all(branch.own_document is None for branch in grafted(name, document.text))


@pytest.mark.parametrize("before", [b"", "é𝄞\r\n".encode(), b"<b>\n</b>\n\n"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_offsets_are_those_of_the_document(before: bytes, newline: bytes) -> None:
    text = b"%b<script>%bfirst('\xc3\xa9');%bsecond()%b</script>" % (before, *[newline] * 3)
    assert texts("html", text, "expression_statement") == [b"first('\xc3\xa9');", b"second()"]
    (island,) = all_islands(parsed("html", text))
    (node,) = (b.node for b in grafted("html", text) if b.node.text == b"second()")
    assert node.start_point == parsed("html", text).point(text.index(b"second"))
    assert not island.errors


def test_an_island_is_parsed_only_when_its_tree_is_asked_for() -> None:
    document = parsed("html", HOSTS["html"].text)
    assert not any("tree" in island.__dict__ for island in islands_of(document))


def test_the_type_of_a_script_says_its_language() -> None:
    def script(attributes: bytes) -> list[str]:
        return [name for name, _ in found("html", b"<script%b>{}</script>" % attributes)]

    assert script(b"") == script(b" TYPE=module async") == ["javascript"]
    assert script(b" type='text/javascript'") == script(b' id="json"') == ["javascript"]
    assert script(b' type="application/ld+json"') == script(b" type=importmap") == ["json"]
    assert script(b' type="text/typescript"') == ["typescript"]
    assert script(b' type="text/x-template"') == script(b" type=text/plain") == []


def test_an_unknown_language_is_not_compared_with_all_grammars(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """There is nobody to read which names are similar, and to list all takes 0.2 s."""
    monkeypatch.setattr(languages, "available", None)
    assert not all_islands(Document(b"```unheard-of\nx = 1\n```\n", language("markdown")))


def test_an_island_in_deleted_text_is_gone_without_a_look_at_the_new_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Island, "_edited", None)
    page = Document(b"<p>a</p><script>f()</script><p>b</p>", language("html"))
    (island,) = islands_of(page)
    edits = (Edit(8, 28),)
    assert island.after(edits, page.edited(edits)) is None


def test_an_unknown_language_is_left_a_leaf() -> None:
    text = b"```no-such-language\nx = 1\n```\n\n```plaintext\ny\n```\n\n```\nz\n```\n"
    assert found("markdown", text) == []
    assert texts("markdown", text, "code_fence_content")[0] == b"x = 1\n"


def test_islands_have_islands() -> None:
    text = b"# T\n\n```html\n<p>\n<script>a(/b+/)</script>\n```\n"
    names = [name for name, _ in found("markdown", text)]
    assert names == ["markdown_inline", "html", "javascript", "regex"]
    assert texts("markdown", text, "arguments") == [b"(/b+/)"]
    assert texts("markdown", text, "one_or_more") == [b"+"]


def test_the_margins_of_a_quote_are_in_no_island() -> None:
    text = b"> ```html\n> <script>\n> if (a) {\n>   b();\n> }\n> </script>\n> ```\n"
    islands = all_islands(parsed("markdown", text))
    assert [(name_of(i), i.errors) for i in islands] == [("html", 0), ("javascript", 0)]
    assert texts("markdown", text, "if_statement") == [b"if (a) {\n>   b();\n> }"]


def test_what_the_host_has_in_an_island_stays_in_the_tree() -> None:
    """The substitutions of a template stay below the nodes that surround them."""
    text = b"x = html`<p>${a}<b>c</b>${d}</p>${e}`"
    branches = grafted("javascript", text)
    inside = {text[b.start : b.end]: b.parent.node.type for b in branches if b.parent}
    assert inside[b"${a}"] == inside[b"<b>c</b>"] == inside[b"${d}"] == "element"
    assert inside[b"${e}"] == inside[b"<p>${a}<b>c</b>${d}</p>"] == "template_string"
    (d,) = (b for b in branches if text[b.start : b.end] == b"d")
    assert name_of(d.own_document or parsed("html", b"")) == "javascript"


def test_strings_with_escapes_are_no_islands() -> None:
    call = b're.compile(%b"a+%b")\n'
    assert found("python", call % (b"r", b"\\d")) == [("regex", b"a+\\d")]
    assert found("python", call % (b"", b"\\n")) == found("python", call % (b"f", b"{x}")) == []


def test_an_island_with_errors_is_still_one() -> None:
    text = b"<script>first(; second()</script>"
    (island,) = all_islands(parsed("html", text))
    assert island.errors
    assert texts("html", text, "call_expression") != []


@pytest.mark.parametrize(
    ("text", "inner", "children"),
    [
        (b"<style>p{}b{}</style>", "stylesheet", ["rule_set", "rule_set"]),
        (b"<style> p{} </style>", "stylesheet", ["rule_set"]),
        (b"<style>p{}</style>", "rule_set", ["selectors", "block"]),
    ],
)
def test_a_host_is_a_branch_of_its_own(text: bytes, inner: str, children: list[str]) -> None:
    """A host with the same text as its only child is squeezed into one branch with it."""
    (host,) = (b for b in grafted("html", text) if b.node.type == "raw_text")
    assert text[host.start : host.end] == text[7:-8]
    assert host.inner_node.type == inner
    assert [child.node.type for child in host.children] == children


def test_kinds_of_different_languages_are_not_taken_for_the_same() -> None:
    languages = {branch.shape[0] for branch in grafted("html", HOSTS["html"].text)}
    assert len(languages) == len({"html"} | HOSTS["html"].inside)


def tidied(text: bytes, cut: bytes) -> bytes:
    """An HTML text without the first occurrence of a part of it."""
    document = parsed("html", text)
    start = text.index(cut)
    layout = Layout(document, (0, len(text)))
    return document.edited(layout.tidy((Edit(start, start + len(cut)),))).text


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_white_space_in_an_island_is_layout_where_its_grammar_says_so(newline: bytes) -> None:
    lines = [
        b"<script>",
        b"  a();",
        b"",
        b"  b(); c();",
        b"",
        b"  `d();",
        b"  e`;",
        b"</script>",
        b"",
    ]
    text = newline.join(lines)
    assert tidied(text, b"a();") == newline.join([lines[0], *lines[2:]])
    assert tidied(text, b"b();") == text.replace(b"b(); ", b"")
    assert tidied(text, b"b(); c();") == newline.join([*lines[:3], *lines[5:]])
    assert tidied(text, b"d();") == text.replace(b"d();", b""), "content of a template"
    assert tidied(text, b"e") == text.replace(b"e`", b"`")


def test_what_replaces_several_lines_of_a_quote_is_in_the_island() -> None:
    text = b"> ```js\n> f([1,\n> 2])\n> ```\n"
    (island,) = islands_of(parsed("markdown", text))
    start, end = text.index(b"["), text.index(b"]") + 1
    now = island.edited((Edit(start, end, b"{}"),))
    assert [now.text[slice(*span)] for span in now.ranges] == [b"f({})\n"]
    assert not now.errors


def test_islands_of_long_texts_are_found_once() -> None:
    """The search proceeds in pieces; an island across two pieces must not count twice."""
    text = b"<p onclick='f()'>%b</p><script>g()</script>\n" % (b"a" * 1000)
    islands = islands_of(parsed("html", text * 300))
    assert [(i.host.span[0] // len(text), name_of(i)) for i in islands] == [
        (place, "javascript") for place in range(300) for _ in range(2)
    ]


def test_the_innermost_document_of_a_span() -> None:
    text = b"```html\n<script>a()</script>\n```\n"
    document = parsed("markdown", text)

    def name(part: bytes) -> str:
        start = text.index(part)
        return name_of(innermost(document, start, start + len(part)))

    assert (name(b"a()"), name(b"<script>a()"), name(b"```")) == ("javascript", "html", "markdown")
    border = text.index(b"a()")
    assert name_of(innermost(document, border, border)) == "html"
    assert name_of(innermost(document, border + 1, border + 1)) == "javascript"


def test_they_can_be_switched_off() -> None:
    text = HOSTS["html"].text
    off = grafted("html", text, Preprocessing(islands=False))
    assert all(branch.own_document is None for branch in off)
    assert len(off) < len(grafted("html", text))
    bare = parsed("html", text).without_islands()
    assert islands_of(bare) is islands_of(bare.edited((Edit(0, 1),))) is NO_ISLANDS


def check_branches(branch: Branch) -> None:
    """Children are in order, apart, inside their parent, and not empty."""
    children = branch.children
    assert all(child.start < child.end for child in children)
    assert all(branch.start <= child.start and child.end <= branch.end for child in children)
    assert all(left.end <= right.start for left, right in pairwise(children))
    assert all(child.parent is branch and child.index == i for i, child in enumerate(children))


@st.composite
def cut_texts(draw: st.DrawFn) -> tuple[str, bytes, tuple[Edit, ...]]:
    """A sample of some host, and random edits of it."""
    name = draw(st.sampled_from(sorted(HOSTS)))
    text = HOSTS[name].text
    places = st.integers(0, len(text))
    new = st.sampled_from([b"", b"", b"0", b"`", b"<", b"\n> ", b'"', "é".encode()])
    cuts = draw(st.lists(st.tuples(places, places, new), max_size=3))
    edits = join(Edit(min(a, b), max(a, b), n) for a, b, n in cuts if abs(a - b) < 200)
    return name, text, edits


@given(cut_texts(), st.booleans(), st.booleans())
def test_no_text_tears_the_tree(
    cut: tuple[str, bytes, tuple[Edit, ...]], squeeze: bool, flatten: bool
) -> None:
    name, text, edits = cut
    now = parsed(name, text).edited(edits).text
    for branch in grafted(name, now, Preprocessing(squeeze, flatten)):
        check_branches(branch)
        assert isinstance(branch.shape, tuple)


@given(cut_texts())
def test_what_becomes_of_an_island_is_what_a_parse_from_scratch_finds(
    cut: tuple[str, bytes, tuple[Edit, ...]],
) -> None:
    name, text, edits = cut
    base = parsed(name, text)
    for before in islands_of(base):
        assert before.root is not None  # what is derived from a tree is an incremental reparse
        now = before.edited(edits)
        assert all(0 <= s < e <= len(now.text) for s, e in now.ranges)
        assert all(left[1] < right[0] for left, right in pairwise(now.ranges))
        anew = Island.__new__(Island)
        Document.__init__(anew, now.text, now.language)
        anew.ranges = now.ranges
        assert bool(anew.errors) == bool(now.errors)
        if not now.errors:
            assert str(anew.root) == str(now.root)
