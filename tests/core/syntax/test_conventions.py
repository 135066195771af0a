"""The data about each language's names: the files, and what a document may have."""

from __future__ import annotations

from dataclasses import fields

import pytest

from pollard.syntax.grammars.languages import available, find
from pollard.syntax.names.conventions import (
    FOLDER,
    BodyStyle,
    EntryStyle,
    FieldNames,
    NodeKinds,
    Tokens,
    UnusedNames,
    conventions,
    own_table,
)
from pollard.syntax.names.presence import export_places, function_places, may_have
from pollard.syntax.tree.document import Document
from tests.core.passes.support import document


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("c", b"", True),
        ("json", b"[1]", False),
        ("html", b"<p>function</p>", False),
        ("html", b"<script>f()</script>", True),
        (None, b"function", False),
    ],
)
def test_a_document_may_have_functions_of_its_own_or_in_islands(
    language: str | None, text: bytes, expected: bool
) -> None:
    assert may_have(document(text, language), "functions") == expected


def test_islands_that_are_switched_off_do_not_count() -> None:
    html = document(b"<script>f()</script>", "html")
    assert not may_have(Document(html.text, html.language, has_islands=False), "functions")


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("go", b"package p\nfunc f() { g(); h() }\n", False),
        ("go", b"package p\nfunc f()\n", True),
        ("rust", b"trait T { fn f(); }", True),
        ("rust", b"trait T { fn f() { g(); } }", False),
        ("pascal", b"unit u; interface procedure p; implementation end.", True),
        ("kotlin", b"fun f() { }", True),  # its grammar has no field for bodies
        ("json", b"[1]", False),
        ("html", b"<script>f();</script>", True),
        (None, b"func f();", False),
    ],
)
def test_forward_declarations_are_looked_for_where_a_function_has_no_body(
    language: str | None, text: bytes, expected: bool
) -> None:
    assert bool(export_places(document(text, language))) == expected


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("c", b"int a; int f() { return 0; } int b;", b"int f() { return 0; }"),
        ("javascript", b"f(); export { g }; h();", b"export { g };"),
        ("html", b"<p>f</p><script>f()</script><p>g</p>", b"<script>f()</script>"),
    ],
)
def test_only_where_functions_exports_or_islands_are_anything_is_looked_for(
    language: str, text: bytes, found: bytes
) -> None:
    read = document(text, language)
    places = export_places(read) if found.startswith(b"export") else function_places(read)
    start = text.index(found)
    overlapped = [at for at in range(len(text)) if places.overlap(at, at + 1)]
    assert overlapped
    assert start <= overlapped[0] <= overlapped[-1] < start + len(found)
    assert places.overlap(0, len(text))


FILES = sorted(file.stem for file in FOLDER.glob("*.toml"))
LANGUAGES = sorted({one.name for one in available()} & set(FILES))
# Families: what several languages are `like`.
FAMILIES = {
    base: [name for name in LANGUAGES if own_table(name).get("like") == base]
    for base in FILES
    if base not in (*LANGUAGES, "common")
}


def kinds_of(language: str) -> set[str]:
    found = find(language).language
    kinds = map(found.node_kind_for_id, range(found.node_kind_count))
    return {kind for kind in kinds if kind is not None}


def test_every_file_is_of_a_language_or_a_family_of_languages() -> None:
    assert all(FAMILIES.values())
    assert {own_table(name).get("like", "common") for name in FILES} <= set(FILES)


@pytest.mark.parametrize("name", [name for name in FILES if name != "common"])
def test_every_kind_that_a_file_names_exists_in_a_grammar(name: str) -> None:
    known = set().union(*map(kinds_of, FAMILIES.get(name, [name])))
    own = own_table(name)
    named = [kind for kinds in own.get("kinds", {}).values() for kind in kinds]
    for parent, children in own.get("inner_parts", {}).items():
        named += [parent, *children]
    of_fields = [field for fields in own.get("fields", {}).values() for field in fields]
    named += [field[1:-1] for field in of_fields if field.startswith("<")]
    unused = own.get("unused", {})
    roles = ("leaves", "scopes", "definitions", "declarations", "optional")
    for role in (*roles, "outside", "omitting", "discarded", "counted"):
        named += unused.get(role, ())
    for role in ("calls", "heads", "expressions", "variables", "members", "containers"):
        named += own.get("entry", {}).get(role, ())
    for style in own.get("bodies", ()):
        roles = ("functions", "bodies", "beside", "local")
        named += [kind for role in roles for kind in style.get(role, ())]
    assert set(named) <= known


@pytest.mark.parametrize("name", FILES)
def test_every_key_of_a_file_is_read(name: str) -> None:
    """A misspelt key would be ignored without a word."""
    own = own_table(name)
    single = {
        "like",
        "stub",
        "guess_definitions",
        "declares_before_use",
        "runs_statements",
        "checks_results",
        "innermost_last",
        "may_be_unset",
        "pairs",
        "annotations",
        "detours",
    }
    tables = {
        "patterns",
        "kinds",
        "fields",
        "tokens",
        "inner_parts",
        "words",
        "bodies",
        "unused",
        "entry",
        "loose_methods",
        "untyped_value",
        "header_names",
    }
    roles = {role.name for role in fields(NodeKinds)}
    assert set(own) <= single | tables
    assert {*own.get("patterns", ()), *own.get("kinds", ())} <= roles
    assert set(own.get("fields", ())) <= {role.name for role in fields(FieldNames)}
    assert set(own.get("tokens", ())) <= {role.name for role in fields(Tokens)}
    assert set(own.get("unused", ())) <= {role.name for role in fields(UnusedNames)}
    assert set(own.get("entry", ())) <= {role.name for role in fields(EntryStyle)}
    assert set(own.get("words", ())) in (set(), {"word", "signs"})
    for style in own.get("bodies", ()):
        assert set(style) <= {role.name for role in fields(BodyStyle)}


def test_every_field_and_every_pattern_that_all_languages_share_exists_in_some_grammar() -> None:
    languages = [find(one.name).language for one in available()]
    for named in own_table("common")["fields"].values():
        for field in named:
            assert any(language.field_id_for_name(field) for language in languages), field
    for role in own_table("common")["patterns"]:
        assert any(getattr(conventions(one).kinds, role) for one in languages), role


def test_a_file_adds_to_the_lists_of_the_one_that_it_is_like_and_replaces_single_values() -> None:
    typescript, javascript = (
        conventions(find(name).language) for name in ("typescript", "javascript")
    )
    assert typescript.kinds.renamings == javascript.kinds.renamings == {"pair_pattern"}
    assert [one.stub for one in typescript.bodies] == [b"{ throw 0 }"]
    assert [one.stub for one in javascript.bodies] == [b"{}"]
