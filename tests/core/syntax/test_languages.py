"""Grammars are found under any name, in all three sources, and a broken one is passed over."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tree_sitter import Parser

from pollard.syntax.grammars import sources as grammars
from pollard.syntax.grammars.language_facts import grammar_name, relatives
from pollard.syntax.grammars.languages import (
    Grammar,
    GrammarError,
    UnknownLanguageError,
    available,
    canonical,
    find,
    grammar_of,
    queries,
)
from pollard.syntax.grammars.sources import LANGUAGES, PACK, SOURCES, WHEELS

# tree_sitter_languages has no wheel for newer Pythons; on all others its tests run.
HAS_LANGUAGES = sys.version_info < (3, 13)

# A snippet that the language's grammar takes without an error, and one of the kinds in its tree.
SNIPPETS = {
    "c": (b"int f(void) { return 1; }", "function_definition"),
    "cpp": (b"template <class T> T f(T x) { return x; }", "template_declaration"),
    "csharp": (b"class A { int x = 1; }", "class_declaration"),
    "css": (b"a { color: red; }", "rule_set"),
    "dot": (b"digraph g { a -> b; }", "edge_stmt"),
    "dtd": (b"<!ELEMENT a (b)>", "elementdecl"),
    "embeddedtemplate": (b"a <%= b %> c", "output_directive"),
    "go": (b"package p\nfunc f() {}\n", "function_declaration"),
    "haskell": (b"f x = x\n", "function"),
    "html": (b"<p>a</p>", "element"),
    "java": (b"class A { int x; }", "class_declaration"),
    "javascript": (b"let a = <b/>;", "lexical_declaration"),
    "json": (b'{"a": [1]}', "pair"),
    "julia": (b"f(x) = x\n", "assignment"),
    "lua": (b"local a = 1", "variable_declaration"),
    "makefile": (b"a: b\n\tc\n", "rule"),
    "markdown": (b"# a\n\nb\n", "atx_heading"),
    "markdown_inline": (b"a *b* c", "emphasis"),
    "objective-c": (b"@interface A\n@end\n", "class_interface"),
    "ocaml": (b"let a = 1\n", "value_definition"),
    "php": (b"<?php echo 1;", "echo_statement"),
    "python": (b"def f():\n    return 1\n", "function_definition"),
    "query": (b"(a) @b", "named_node"),
    "regex": (b"a(b|c)*", "pattern"),
    "ruby": (b"def f; 1; end", "method"),
    "rust": (b"fn f() -> u8 { 1 }", "function_item"),
    "shellscript": (b"if a; then b; fi\n", "if_statement"),
    "sqlite": (b"SELECT 1;", "select_stmt"),
    "sql": (b"SELECT a FROM b;", "statement"),
    "toml": (b"a = 1\n", "pair"),
    "typescript": (b"let a: number = 1;", "type_annotation"),
    "typescriptreact": (b"let a: B = <C d={1}/>;", "jsx_self_closing_element"),
    "vue": (b"<template><p>a</p></template>", "template_element"),
    "xml": (b"<a><b/></a>", "element"),
    "yaml": (b"a: [1]\n", "block_mapping"),
    "zig": (b"const a = 1;\n", "VarDecl"),
}
FROM_WHEELS = [
    "c",
    "csharp",
    "css",
    "dtd",
    "embeddedtemplate",
    "html",
    "javascript",
    "json",
    "markdown",
    "markdown_inline",
    "python",
    "xml",
    "yaml",
]
FROM_PACK = [
    "c",
    "cpp",
    "go",
    "haskell",
    "html",
    "java",
    "javascript",
    "lua",
    "makefile",
    "objective-c",
    "php",
    "python",
    "ruby",
    "rust",
    "shellscript",
    "sql",
    "toml",
    "typescript",
    "typescriptreact",
    "vue",
    "zig",
]
FROM_LANGUAGES = [
    "c",
    "cpp",
    "csharp",
    "css",
    "dot",
    "embeddedtemplate",
    "go",
    "html",
    "java",
    "javascript",
    "json",
    "python",
    "query",
    "regex",
    "ruby",
    "rust",
    "shellscript",
    "sqlite",
    "toml",
    "typescript",
    "typescriptreact",
    "yaml",
]


def kinds(language, text):
    root = Parser(language).parse(text).root_node
    assert not root.has_error, str(root)
    found, stack = set(), [root]
    while stack:
        node = stack.pop()
        found.add(node.type)
        stack.extend(node.children)
    return found


@pytest.mark.parametrize(
    ("source", "name"),
    [
        pytest.param(source, name, id=f"{kind}-{name}")
        for kind, source, names in (
            ("wheel", WHEELS, FROM_WHEELS),
            ("pack", PACK, FROM_PACK),
            ("languages", LANGUAGES, FROM_LANGUAGES if HAS_LANGUAGES else []),
        )
        for name in names
    ],
)
def test_each_source_parses_its_languages(source, name):
    grammar = find(name, [source])
    text, kind = SNIPPETS[name]
    assert grammar.name == name
    assert grammar.version[0].isdigit()
    assert kind in kinds(grammar.language, text)


@pytest.mark.parametrize(
    ("source", "least"),
    [
        pytest.param(PACK, 165, id="pack"),
        *([pytest.param(LANGUAGES, 49, id="languages")] if HAS_LANGUAGES else []),
    ],
)
def test_every_grammar_of_a_collection_loads_and_parses(source, least):
    found = available([source])
    assert len(found) >= least
    for grammar in found:
        parser = Parser(grammar.load())
        for text in (b"", b"a = 1;\n(b) { \xff }\n"):
            assert parser.parse(text).root_node.end_byte <= len(text)


def test_a_wheel_wins_over_the_pack_and_the_pack_over_tree_sitter_languages():
    assert find("python", SOURCES).source == "wheel"
    assert find("python", SOURCES[1:]).source == "pack"
    assert [source.get("python") is not None for source in SOURCES] == [True, True, HAS_LANGUAGES]
    assert find("python", SOURCES[:0:-1]).source == ("languages" if HAS_LANGUAGES else "pack")
    assert find("python").package == "tree-sitter-python"


def test_available_lists_each_language_once_sorted_and_names_the_winner():
    listed = available()
    names = [grammar.name for grammar in listed]
    assert names == sorted(set(names))
    assert len(names) >= 170
    by_name = {grammar.name: grammar.source for grammar in listed}
    assert (by_name["c"], by_name["rust"]) == ("wheel", "pack")
    assert by_name.get("sqlite") == ("languages" if HAS_LANGUAGES else None)
    assert listed == available()
    assert "language_pack" not in names


def test_neither_importing_nor_listing_loads_a_grammar():
    code = (
        "import sys; from pollard.syntax.grammars.languages import available, detect; "
        "before = 'tree_sitter' in sys.modules; available(); detect('a.c'); "
        "print(before, [m for m in sys.modules if m.startswith('tree_sitter')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split(maxsplit=1) == ["False", "[]\n"]


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("c++", "cpp"),
        ("C++", "cpp"),
        ("bash", "shellscript"),
        ("sh", "shellscript"),
        ("tsx", "typescriptreact"),
        ("javascriptreact", "javascript"),
        ("jsonc", "json"),
        ("c_sharp", "csharp"),
        ("C#", "csharp"),
        ("f#", "fsharp"),
        ("objc", "objective-c"),
        ("Objective C", "objective-c"),
        ("make", "makefile"),
        ("proto3", "proto"),
        ("tex", "latex"),
        ("gitcommit", "git-commit"),
        ("markdown-inline", "markdown_inline"),
        ("bazel", "starlark"),
        ("py", "python"),
        (" Vue ", "vue"),
    ],
)
def test_a_language_is_found_under_all_its_names(alias, name):
    assert find(alias).name == name


@pytest.mark.parametrize(
    ("typed", "name", "relative"),
    [
        ("less", "less", "scss"),
        ("hbs", "handlebars", "html"),
        ("bison", "yacc", "cpp"),
        ("Vala", "vala", "csharp"),
    ],
)
def test_what_has_no_grammar_is_read_by_that_of_a_relative(typed, name, relative):
    """It keeps its name, by which settings speak of it."""
    grammar = find(typed)
    assert grammar.name == name
    assert grammar.language is find(relative).language
    assert grammar_of(grammar.language) == find(relative)


def test_every_listed_grammar_is_found_by_its_own_name():
    for grammar in available():
        assert canonical(grammar.name) == grammar.name
        assert find(grammar.name).source == grammar.source


def test_no_alias_hides_another_grammar():
    """The aliases of a language and the ids of all others are disjoint."""
    own_names = {grammar_name(grammar.name): grammar.name for grammar in available()}
    assert {name: canonical(name) for name in own_names} == own_names


@pytest.mark.parametrize(
    ("typed", "hint"),
    [("pyton", "'python'"), ("jvascript", "'javascript'"), ("objectve-c", "objective-c")],
)
def test_an_unknown_language_names_the_nearest(typed, hint):
    with pytest.raises(UnknownLanguageError, match=f"{typed}.*did you mean .*{hint}"):
        find(typed)


def test_an_unknown_language_far_from_all_points_to_the_list():
    with pytest.raises(UnknownLanguageError, match="pollard languages"):
        find("qqqqqqqqqqqqq")


@pytest.mark.parametrize("name", ["", "../c", "a.b", "*", "language_pack", "languages"])
def test_a_name_that_is_no_language_is_unknown(name):
    with pytest.raises(UnknownLanguageError):
        find(name)


def test_plain_text_is_told_apart_from_a_mistake():
    with pytest.raises(UnknownLanguageError, match="leave the language out"):
        find("plaintext")


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """Return a function that installs a wheel of one Python file."""

    def install(module, code):
        (tmp_path / module).mkdir()
        (tmp_path / module / "__init__.py").write_text(code)
        (tmp_path / module / "_binding.abi3.so").touch()

    monkeypatch.syspath_prepend(tmp_path)
    grammars._load.cache_clear()
    yield install
    grammars._load.cache_clear()
    for path in tmp_path.iterdir():
        sys.modules.pop(path.name, None)


FUTURE_GRAMMAR = """
import ctypes
STRUCT = (ctypes.c_uint32 * 64)(99)
def language():
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(STRUCT), NAME, None)
NAME = b"tree_sitter.Language"
"""


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(FUTURE_GRAMMAR, id="an ABI of the future"),
        pytest.param("raise ImportError('DLL load failed')", id="no import"),
        pytest.param("", id="no function"),
        pytest.param("def language(): return 'nothing'", id="no pointer"),
    ],
)
def test_a_broken_wheel_falls_through_to_the_pack(wheel, code):
    wheel("tree_sitter_lua", code)
    listed = {grammar.name: grammar for grammar in available()}["lua"]
    assert listed.source == "wheel"
    assert "lua grammar of tree-sitter-lua" in listed.problem()
    assert find("lua").source == "pack"


def test_a_grammar_that_loads_from_nowhere_says_why(wheel):
    wheel("tree_sitter_nosuch", FUTURE_GRAMMAR)
    with pytest.raises(GrammarError, match=r"tree-sitter-nosuch.*99.*install another version"):
        find("nosuch")


def test_a_wheel_nobody_foresaw_is_found_by_its_name(wheel):
    wheel(
        "tree_sitter_brandnew",
        "from tree_sitter_language_pack import get_binding\n"
        "def language(): return get_binding('c')\n",
    )
    assert "brandnew" in [grammar.name for grammar in available()]
    assert find("brandnew").language.abi_version >= 13


def test_a_wheel_of_old_that_returns_an_address_works(wheel):
    wheel(
        "tree_sitter_oldstyle",
        "import ctypes\n"
        "from tree_sitter_language_pack import get_binding\n"
        "address = ctypes.pythonapi.PyCapsule_GetPointer\n"
        "address.restype = ctypes.c_void_p\n"
        "address.argtypes = [ctypes.py_object, ctypes.c_char_p]\n"
        "def language(): return address(get_binding('c'), b'tree_sitter.Language')\n",
    )
    text, kind = SNIPPETS["c"]
    assert kind in kinds(find("oldstyle").load(), text)


def test_a_wheel_with_several_grammars_gives_each(wheel):
    wheel(
        "tree_sitter_typescript",
        "from tree_sitter_language_pack import get_binding\n"
        "def language_typescript(): return get_binding('typescript')\n"
        "def language_tsx(): return get_binding('tsx')\n",
    )
    for name in ("typescript", "typescriptreact"):
        grammar = find(name)
        text, kind = SNIPPETS[name]
        assert grammar.source == "wheel"
        assert kind in kinds(grammar.load(), text)


def test_queries_come_from_the_wheel_that_has_them():
    assert "injection.content" in queries(find("html"), "injections")
    assert "definition.function" in queries(find("python"), "tags")
    assert "local.scope" in queries(find("javascript"), "locals")
    assert "markdown_inline" in queries(find("markdown"), "injections")
    assert "ruby" in queries(find("embeddedtemplate"), "injections")


def test_queries_are_none_where_there_are_none():
    assert queries(find("css"), "injections") is None
    assert queries(find("rust"), "tags") is None


def test_a_grammar_is_a_value():
    assert find("c") == find("c")
    assert isinstance(find("c"), Grammar)
    assert find("c").load() is find("c").load()


def test_one_page_promises_no_more_languages_than_every_installation_parses():
    root = Path(__file__).parents[3]
    pages = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("editors/*/README.md")]
    counted = re.compile(r"(\d{3})(?:-odd)?\s+(?:compiled\s+grammars|grammars|languages)")
    promised = {page: counted.findall(page.read_text(encoding="utf-8")) for page in pages}
    numbers = promised.pop(root / "README.md")
    grammars = {grammar.name for grammar in available([PACK])}
    assert len(numbers) == 1
    assert int(numbers[0]) <= len(grammars | relatives().keys())
    assert not any(promised.values()), "the number of languages is in one place"
