"""Replacements: small texts that the parser takes in a branch's place, found without an oracle."""

from __future__ import annotations

import pytest

from pollard.syntax.branches.replacements import Replacements, size
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit
from tests.core.syntax.samples import SAMPLES, branch_of, branches, parsed


@pytest.mark.parametrize(
    ("name", "text", "branch", "expected"),
    [
        ("c", b"int f() { return g(1, 2); }", b"g(1, 2)", b"0"),
        ("c", b'char *s = "abcdef";', b'"abcdef"', b'""'),
        ("c", b"int f() { while (a) { b(); } }", b"while (a) { b(); }", b"; {}"),
        ("c", b"int f() { while (a) { b(); } }", b"{ b(); }", b"{}"),
        ("c", b"int x = 123;", b"123", b"0"),
        ("javascript", b"x = 'abcdef';", b"'abcdef'", b'""'),
        ("javascript", b"x = [1, 2, 3];", b"[1, 2, 3]", b"[]"),
        ("javascript", b"x = {a: 1, b: 2};", b"{a: 1, b: 2}", b"{}"),
        ("javascript", b"f(a, b, c);", b"(a, b, c)", b"()"),
        ("python", b"x = 'abcdef'\n", b"'abcdef'", b'""'),
        ("python", b"x = [1, 2, 3]\n", b"[1, 2, 3]", b"[]"),
        ("python", b"x = {1: 2, 3: 4}\n", b"{1: 2, 3: 4}", b"{}"),
        ("json", b'{"a": "bcdef"}', b'"bcdef"', b'""'),
        ("json", b"[[1, 2], 3]", b"[1, 2]", b"[]"),
        ("json", b'[{"a": 1}]', b'{"a": 1}', b"{}"),
        ("json", b"[-2.5e3]", b"-2.5e3", b"0"),
        ("rust", b"fn f() -> u8 { g(1, 2) }\n", b"g(1, 2)", b"0"),
        ("typescript", b"let x: string = `a ${b}`;", b"`a ${b}`", b"0"),
    ],
)
def test_the_usual_small_forms_are_proposed(
    name: str, text: bytes, branch: bytes, expected: bytes
) -> None:
    """One of `expected` at least."""
    document = parsed(name, text)
    assert document.errors == 0
    proposals = Replacements().proposals(document, branch_of(document, branch))
    assert set(proposals) & set(expected.split())


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_proposal_parses_and_is_half_as_large(name: str) -> None:
    """Asked one by one; asked for many, likes are taken to behave alike and the guard decides."""
    document = parsed(name)
    for branch in branches(document)[1::6]:
        text = document.text[branch.start : branch.end]
        replacements = Replacements()
        proposals = replacements.proposals(document, branch)
        assert len(proposals) <= 2
        assert len(set(proposals)) == len(proposals)
        assert proposals == replacements.proposals(document, branch)
        for new in proposals:
            edited = document.edited((Edit(branch.start, branch.end, new),))
            assert Document(edited.text, document.language).errors == 0
            assert 2 * size(new) <= size(text)
            assert not branch.is_token


@pytest.mark.parametrize("name", list(SAMPLES))
def test_the_same_document_gets_the_same_proposals(name: str) -> None:
    def proposals() -> list[list[bytes]]:
        document, replacements = parsed(name), Replacements()
        return [replacements.proposals(document, branch) for branch in branches(document)[1::6]]

    assert proposals() == proposals()


@pytest.mark.parametrize(
    ("name", "text", "identifier"),
    [
        ("c", b"int some_name = 1;", b"some_name"),
        ("c", b"int f() { return some_name; }", b"some_name"),
        ("javascript", b"let someName = 1;", b"someName"),
        ("python", b"some_name = 1\n", b"some_name"),
        ("rust", b"fn some_name() {}\n", b"some_name"),
    ],
)
def test_identifiers_get_no_new_names(name: str, text: bytes, identifier: bytes) -> None:
    """Their uses would no longer agree; a name that the file has may well be declared."""
    document = parsed(name, text)
    proposals = Replacements().proposals(document, branch_of(document, identifier))
    names = {new for new in proposals if new.decode().isidentifier()}
    assert names <= {b"f", b"int"}
    assert all(new in text for new in names)


def test_the_shortest_instance_in_the_file_is_reduced_and_proposed() -> None:
    """No literal stands for a member of a struct; a shorter member does, and without its bits."""
    document = parsed("c", b"struct s { unsigned long long a, b, c; int d : 3; };")
    member = branch_of(document, b"unsigned long long a, b, c;")
    (proposal,) = Replacements().proposals(document, member)
    edited = document.edited((Edit(member.start, member.end, proposal),))
    assert edited.errors == 0
    assert size(proposal) < size(b"int d : 3;")
    assert branch_of(edited, proposal).node.type == "field_declaration"


def test_instances_are_left_out_where_a_literal_parses() -> None:
    """What a shorter function has instead of its body, the next levels find out anyway."""
    document = parsed("javascript", b"x = function (a, b) { return a + b + 100; };\n")
    whole = branch_of(document, b"function (a, b) { return a + b + 100; }")
    assert Replacements().proposals(document, whole) == [b"0"]


def test_size_counts_no_white_space() -> None:
    assert size(b" a\tb\r\nc ") == 3
    assert size(b"") == 0
