"""White space that is left after a reduction goes, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.engine.tidying import tidy
from pollard.syntax.layout.respacing import Respacing, structure
from pollard.syntax.layout.statements import statement_edits
from tests.core.passes.support import Case, document, reduced
from tests.core.syntax.samples import SAMPLES, tokens
from tests.examples import examples

CASES = {
    "C: nesting, statements on many lines, lone semicolons and braces": (
        "c",
        (
            b"\n\n        \n      int a;\n\n            int main()\n   {\n\n\n"
            b"             a  =  1\n\n ;  \n   b(\n   1,\n  2);  c();\n     if (x)\n"
            b"         y();\n        {\n  \n   }\n      }\n\n\n\n"
        ),
        (
            b"int a;\nint main()\n{\n    a = 1;\n    b(1, 2);\n    c();\n    if (x)\n"
            b"        y();\n    {}\n}\n"
        ),
    ),
    "C: directives and comments stay on lines of their own": (
        "c",
        b"\n\n#define A 1\n\n\n   // a\n\n   int x;    // b\n\n#if A\n\n  int y;\n#endif\n",
        b"#define A 1\n// a\nint x;  // b\n#if A\nint y;\n#endif\n",
    ),
    "C++: namespaces as they were": (
        "cpp",
        b"\n\nnamespace a {\n\n\nint b;\n\n}\n",
        b"namespace a {\nint b;\n}\n",
    ),
    "Python: whole blocks, and no white space of strings": (
        "python",
        (
            b"\n\nclass A:\n\n\n            def f(self):\n\n"
            b"                        return [\n   1,\n   2]\n            \n\n"
            b"            def g(self):\n                        '''a\n\n    b'''\n"
            b"                        if x: pass\n\ny   =  1\n\n\n"
        ),
        (
            b"class A:\n    def f(self):\n        return [1, 2]\n    def g(self):\n"
            b"        '''a\n\n    b'''\n        if x: pass\ny = 1\n"
        ),
    ),
    "JavaScript: a line each, but templates": (
        "javascript",
        (
            b"a();b();c()\n\n\n   function f() {\n\n        const t = `\n\n   x`\n"
            b"        return {\n           a: 1 }\n\n\n}\nx\n  .then(a)\n  .then(b)\n"
        ),
        (
            b"a();\nb();\nc()\nfunction f() {\n  const t = `\n\n   x`\n  return {\n"
            b"    a: 1 }\n}\nx.then(a).then(b)\n"
        ),
    ),
    "JSON: short arrays, and no final line end where there was none": (
        "json",
        b'\n\n{\n\n          "a": [\n\n        1\n\n   , 2 ],\n\n     "b": {}\n}',
        b'{\n    "a": [1, 2 ],\n    "b": {}\n}',
    ),
    "Go: tabs, and line ends that end statements": (
        "go",
        (
            b"package p\n\n\n\nfunc f() {\n\n\t\t\t\ta()\n\n\t\t\t\tif x {\n\n"
            b"\t\t\t\t\t\tb()\n\t\t\t\t}\n}\n"
        ),
        b"package p\nfunc f() {\n\ta()\n\tif x {\n\t\tb()\n\t}\n}\n",
    ),
    "Rust": (
        "rust",
        (
            b"\n\nfn main() {\n\n                foo(\n   1\n ) ; bar();\n\n"
            b"        match x {\n\n                A => {}\n        }\n}\n\n"
        ),
        (b"fn main() {\n    foo(1);\n    bar();\n    match x {\n        A => {}\n    }\n}\n"),
    ),
    "Java": (
        "java",
        b"class A {\n\n            @B\n            int f() {\n\n                 return 1;\n\n  }\n}\n",
        b"class A {\n    @B\n    int f() {\n        return 1;\n    }\n}\n",
    ),
    "YAML: nesting counts, and so do the lines of a scalar": (
        "yaml",
        (
            b"a:\n\n\n      b: 1\n\n\n      c:\n\n        - d\n   \n        - |\n"
            b"          x\n\n          y\n"
        ),
        b"a:\n  b: 1\n  c:\n    - d\n    - |\n          x\n\n          y\n",
    ),
    "HTML: with a script, but not the text": (
        "html",
        (
            b"<html>\n\n\n      <body>\n\n            <p>a  b</p>\n\n\n      <script>\n\n\n"
            b"           f();\n\n\n     g()\n\n   </script>\n  </body></html>\n"
        ),
        (
            b"<html>\n    <body>\n        <p>a  b</p>\n    <script>\n        f();\n"
            b"        g()\n    </script>\n    </body></html>\n"
        ),
    ),
    "Markdown: blank lines that end paragraphs, breaks and code stay": (
        "markdown",
        b"# a\n\n\n\n\ntext  \nmore\n\n\n\n    code\n\n    code\n\n- a\n    - b\n",
        b"# a\ntext  \nmore\n\n    code\n\n    code\n\n- a\n    - b\n",
    ),
    "Shell: here-documents stay, and continued lines become one": (
        "shellscript",
        (b"\n\nif x\n\nthen\n\n      y  z\n\nfi\ncat <<E\n\n   a\n\nE\n   \n a \\\n     b\n"),
        b"if x\nthen\n    y z\nfi\ncat <<E\n\n   a\n\nE\na b\n",
    ),
    "Ruby: line ends that end statements": (
        "ruby",
        b"\n\ndef f\n\n            x\n\n   y = [\n   1]\n\nend\n",
        b"def f\n    x\n    y = [1]\nend\n",
    ),
    "Lua": (
        "lua",
        b"\n\nlocal function f()\n\n            return 1\n\n end\n\n\nf(\n)\n",
        b"local function f()\n    return 1\nend\nf()\n",
    ),
    "Haskell: aligned declarations": (
        "haskell",
        (
            b"module M where\n\n\nf x = do\n\n            let a = 1\n"
            b"                b = 2\n\n            g a b\n"
        ),
        b"module M where\nf x = do\n    let a = 1\n        b = 2\n    g a b\n",
    ),
    "CSS": (
        "css",
        b"\n\na {\n\n        color: red\n ;\n\n}\n\n   b{c:d}\n",
        b"a {\n    color: red;\n}\nb{c:d}\n",
    ),
    "SQL: a short query": (
        "sql",
        b"\n\nselect a\n\n    from t\n\n   where x = 1\n;\n",
        b"select a from t where x = 1;\n",
    ),
    "XML: not the text": (
        "xml",
        b"<a>\n\n\n         <b/>\n\n <c>  x  </c>\n</a>\n",
        b"<a>\n    <b/>\n    <c>  x  </c>\n</a>\n",
    ),
    "plain text: blank lines and trailing blanks": (
        None,
        b"\n\n  a  \n \n\n    b\n\n\n c  d \n\n",
        b"  a\n    b\n c  d\n",
    ),
}


@pytest.mark.parametrize(("name", "text", "expected"), CASES.values(), ids=CASES.keys())
def test_before_and_after(name: str | None, text: bytes, expected: bytes) -> None:
    """For one run, and for none where nothing is left to do."""
    done = reduced(Case(text, name, lambda _: True), tidy)
    assert done.text == expected
    assert done.judge.asked == [expected]
    assert reduced(Case(expected, name, lambda _: True), tidy).judge.asked == []


@pytest.mark.parametrize("key", [k for k, case in CASES.items() if case[0] in ("c", "json", None)])
def test_line_ends_stay_what_they_are(key: str) -> None:
    name, text, expected = CASES[key]
    done = reduced(Case(text.replace(b"\n", b"\r\n"), name, lambda _: True), tidy)
    assert done.text == expected.replace(b"\n", b"\r\n")


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_text_that_a_person_wrote_keeps_its_indentation(name: str) -> None:
    """Most of it, that is: parts of lines may be joined."""
    text = SAMPLES[name]
    done = reduced(Case(text, name, lambda _: True), tidy).text
    kept = [line for line in done.splitlines() if line in text.splitlines()]
    assert len(kept) > len(done.splitlines()) // 2


@examples(200)
@given(
    name=st.sampled_from(sorted(SAMPLES)),
    at=st.lists(st.integers(0, 10**6), max_size=8),
    blanks=st.text(" \t\n", min_size=1, max_size=9),
    region=st.none() | st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_no_token_and_nothing_outside_the_region_changes(name, at, blanks, region) -> None:
    text = SAMPLES[name]
    for place in at:
        offset = place % len(text)
        text = text[:offset] + blanks.encode() + text[offset:]
    base = document(text, name)
    start, end = sorted(round(share * len(text)) for share in region or (0, 1))
    done = reduced(Case(text, name, lambda _: True), tidy, region=(start, end))
    new = done.subject.document
    assert [token for token in tokens(new) if token.strip()] == [
        token for token in tokens(base) if token.strip()
    ]
    assert new.errors <= base.errors
    assert structure(new) == structure(base)
    assert new.text.startswith(text[:start])
    assert new.text.endswith(text[end:])
    assert len(done.judge.asked) <= 1


@pytest.mark.parametrize("text", [b"  {% if a %}\n  {{ b }}\n  {% endif %}\n", b" {% a %}{% b %}"])
def test_a_template_whose_white_space_all_belongs_to_its_tags_is_laid_out(text: bytes) -> None:
    respacing = Respacing(document(text, "twig"), (0, len(text)))
    assert not respacing.lines
    assert [edit.new for edit in statement_edits(respacing)] == [b"\n"] * text.count(b"}{")


def test_a_document_without_white_space_has_no_edits() -> None:
    respacing = Respacing(document(b"[1]", "json"), (0, 3))
    assert respacing.edits() == statement_edits(respacing) == []
