"""Reductions go into islands, across their borders and never through their grammars."""

from __future__ import annotations

import re
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.subject import Candidate
from pollard.syntax.branches.branches import Preprocessing, all_below
from pollard.syntax.branches.replacements import Replacements
from pollard.syntax.tree.edits import Edit
from tests.core.passes.support import (
    Case,
    Loop,
    document,
    in_order,
    reduced,
    reduced_ahead,
    subject_of,
)
from tests.core.syntax.islands import HOSTS, Host, all_islands

_WORD = re.compile(rb"\w+")
# What Pollard itself puts in the place of something longer.
_PUT_IN = {b"0", b"a"}


# Where words are no tokens: in regular expressions, and for the grammars of Org and of Markdown's
# blocks, by which the instances of a fence are reduced that stand in for another one.
_CUTS_WORDS = {"javascript", "markdown", "typescriptreact", "python", "elixir", "ruby", "org"}


def _is_relabelled(text: bytes) -> bool:
    """Whether a fence has another one's language: then its text is no island of its own any more."""
    labels = re.findall(rb"```(\w+)", text)
    return len(labels) > len(set(labels))


def case_of(name: str) -> Case:
    return Case(HOSTS[name].text, name, partial(in_order, HOSTS[name].needed))


def errors(text: bytes, name: str) -> int:
    """How many errors there are in the islands of a text."""
    return sum(island.errors for island in all_islands(document(text, name)))


@pytest.mark.parametrize("name", HOSTS)
def test_islands_are_reduced_node_by_node(name: str) -> None:
    """What is not needed goes, no word is cut in pieces, and no broken island is ever tried."""
    host: Host = HOSTS[name]
    result = reduced(case_of(name), "hddh*")
    assert in_order(host.needed, result.text)
    assert not [word for word in host.gone if word in result.text]
    words = {*_WORD.findall(host.text), *_PUT_IN}
    had = errors(host.text, name)
    for text in result.judge.asked:
        assert name in _CUTS_WORDS or words.issuperset(_WORD.findall(text))
        assert errors(text, name) <= had or _is_relabelled(text)


@pytest.mark.parametrize("name", ["html", "markdown", "javascript"])
def test_without_islands_they_are_all_or_nothing(name: str) -> None:
    result = reduced(case_of(name), "hddh*", preprocessing=Preprocessing(islands=False))
    assert [word for word in HOSTS[name].gone if word in result.text]


@pytest.mark.parametrize("strategy", ["default", "hddh*", "hdd*", "hoist*+hddh*", "hddr*"])
def test_reading_ahead_changes_nothing(strategy: str) -> None:
    case = case_of("html")
    alone = reduced(case, strategy)
    assert reduced_ahead(case, strategy, 2)[0] == alone.accepted


NESTED = b"""# Title

Text before: \xc3\xa9\xf0\x9d\x84\x9e.

```html
<div><p>One</p>
<script>
first();
function f(a, b) { second(a); needle(b); }
</script></div>
```
"""


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_markdown_with_html_with_javascript(newline: bytes) -> None:
    text = NESTED.replace(b"\n", newline)
    needed = (b"```html", b"<script>", b"f(", b"b", b"needle(b)", b"</script>", b"```")
    result = reduced(Case(text, "markdown", partial(in_order, needed)), "hddh*")
    lines = [b"```html", b"<script>", b"function f(b) { needle(b) }", b"</script>", b"```", b""]
    assert re.sub(rb";| ?\r?\n", b"\n", result.text).replace(b"\n\n", b"\n").split(b"\n") == lines
    assert (b"\r\n" in result.text) == (newline == b"\r\n")
    assert not any(errors(text, "markdown") for text in result.judge.asked)


def judged(text: bytes, name: str, *cuts: bytes) -> bool:
    """Whether the guard lets a text pass without the first occurrences of some of its parts."""
    asked = Loop(lambda text: False)
    subject = subject_of(Case(text, name, lambda text: True), asked, [])
    edits = tuple(Edit(text.index(cut), text.index(cut) + len(cut)) for cut in cuts)
    subject.first([Candidate(subject.document, edits)])
    assert subject.fits(subject.document, edits) == bool(asked.asked)
    return bool(asked.asked)


SCRIPT = b"<p>a</p><script>if (a) { b(c); }</script><style>p { top: 0 }</style>"


def test_the_guard_looks_into_islands() -> None:
    assert judged(SCRIPT, "html", b"b(c);")
    assert not judged(SCRIPT, "html", b"{")
    assert not judged(SCRIPT, "html", b"(a) ")
    assert not judged(SCRIPT, "html", b"<p>a</p>", b"top")
    assert judged(SCRIPT, "html", b"if (a) { b(c); }", b"p { top: 0 }")


def test_the_guard_lets_whole_islands_go_and_their_borders_be_crossed() -> None:
    assert judged(SCRIPT, "html", b"<script>if (a) { b(c); }</script>")
    assert judged(SCRIPT, "html", b"<script>if (a) { ", b"; }</script>")


def test_the_guard_looks_into_islands_of_islands() -> None:
    assert judged(NESTED, "markdown", b"second(a);")
    assert not judged(NESTED, "markdown", b"second(")


def test_the_guard_sees_what_an_island_takes_in() -> None:
    """A fence without its end goes on; the lines of one that is out of its quote have its marks."""
    assert not judged(b"```js\na()\n```\n\nwords (\n", "markdown", b"```\n")
    quoted = b"> ```python\n> a()\n> b()\n> ```\n"
    assert judged(quoted, "markdown", b"b()")
    assert not judged(quoted, "markdown", b"> ", b"b()")


def test_an_island_may_keep_its_errors_but_gets_no_more() -> None:
    text = b"<script>let x = ; second(); third()</script><script>b()</script>"
    assert judged(text, "html", b"second();")
    assert judged(text, "html", b"let x = ;")
    assert not judged(text, "html", b"third(")
    assert not judged(text, "html", b"let x = ;", b"b(")


def test_errors_that_are_gone_do_not_come_back() -> None:
    """The measure is the best text so far, though candidates are edits of an older one."""
    text = b"<script>let x = ; second(); third()</script>"
    subject = subject_of(Case(text, "html", lambda text: True), Loop(lambda text: True), [])
    base = subject.document

    def cut(*parts: bytes) -> Candidate:
        return Candidate(base, tuple(Edit(text.index(p), text.index(p) + len(p)) for p in parts))

    assert subject.first([cut(b"let x = ;")]) is not None
    assert subject.first([cut(b"let x = ;", b"third(")]) is None
    assert subject.first([cut(b"let x = ;", b"third()")]) is not None


def test_a_region_in_an_island() -> None:
    text = HOSTS["html"].text
    start = text.index(b"const product")
    end = text.index(b"return needle(product);")
    case = Case(text, "html", partial(in_order, (b"limit",)))
    result = reduced(case, "hddh*", region=(start, end))
    assert result.text.startswith(text[:start].rstrip())
    assert result.text.endswith(text[end:])
    assert b"report(product" not in result.text
    assert not any(errors(text, "html") for text in result.judge.asked)


def test_replacements_are_of_the_language_of_the_island() -> None:
    text = b"<script>f(needle, [1, 2, 3])</script>"
    base = document(text, "html")
    subject = subject_of(Case(text, "html", lambda text: True), Loop(lambda text: False), [])
    branches = all_below(subject.root, (0, len(text)))
    (array,) = (b for b in branches if text[b.start : b.end] == b"[1, 2, 3]")
    assert Replacements().proposals(base, array) == [b"[]", b"0"]


def test_nothing_is_hoisted_to_where_it_would_be_mere_text() -> None:
    """For HTML a script's statements are text like any other, and never what was looked for."""
    text = b"<div>a</div>\n<script>first(1); if (b) { second(2); }</script>\n"
    asked = reduced(Case(text, "html", lambda text: False), "hoist*").judge.asked
    assert asked
    whole = b"first(1); if (b) { second(2); }"
    assert all(b"<script>" in text for text in asked if b"(" in text and whole not in text)


@given(
    st.sampled_from(sorted(HOSTS)),
    st.integers(0, 400),
    st.integers(0, 60),
    st.lists(st.sampled_from([b"needle", b"(", b"teal", b"li", b"a"]), max_size=2),
    st.sampled_from(["hddh", "coarse-hdd", "hoist"]),
)
def test_any_text_is_reduced_to_an_interesting_one(
    name: str, start: int, length: int, needed: list[bytes], strategy: str
) -> None:
    text = HOSTS[name].text[:start] + HOSTS[name].text[start + length :]
    case = Case(text, name, partial(in_order, tuple(needed) if in_order(needed, text) else ()))
    result = reduced(case, strategy)
    assert case(result.text)
    assert len(result.text) <= len(text)
