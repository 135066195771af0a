"""Slots predict from the parse tables what the parser takes in the place of a node."""

from __future__ import annotations

import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from tree_sitter import Node

from pollard.syntax.branches.replacements import Slots, following_symbol, supertypes
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit
from tests.core.syntax.samples import SAMPLES, language, nodes, parsed


def named(document: Document) -> list[Node]:
    return [node for node in nodes(document) if node.is_named and node.parent and node.text]


def following(document: Document, node: Node) -> int | None:
    return following_symbol(document.root, document.text, node.end_byte)


@pytest.mark.parametrize("name", list(SAMPLES))
def test_the_same_kind_is_always_compatible(name: str) -> None:
    document = parsed(name)
    slots = Slots(language(name))
    found = named(document)
    for node, other in product(found[::3], found[::3]):
        if node.kind_id == other.kind_id:
            assert slots.compatible(node, other, following(document, node))


def ask_all(name: str, text: bytes) -> None:
    document = parsed(name, text)
    slots = Slots(language(name))
    found = list(nodes(document))[::4]
    symbols = [following(document, node) for node in found]
    for (node, symbol), other in product(zip(found, symbols, strict=True), found):
        assert slots.compatible(node, other, symbol) in (True, False)
        assert slots.compatible(node, other, None) in (True, False)


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_pair_gets_an_answer(name: str) -> None:
    """Tokens too, and in grammars that are older than supertypes or scan outside of the tables."""
    ask_all(name, SAMPLES[name])


_ASK_ABOUT_ERRORS = """
from tests.core.syntax.samples import SAMPLES
from tests.core.syntax.test_slots import ask_all
for name in SAMPLES:
    ask_all(name, b"@ ( }" + SAMPLES[name])
    ask_all(name, SAMPLES[name] + b"@ ( }")
"""


def test_errors_get_an_answer() -> None:
    """Their nodes have no state in the parse table, and asking for what follows it is a crash.

    In a process of its own, which alone would crash.
    """
    root = Path(__file__).parents[3]
    asked = subprocess.run([sys.executable, "-c", _ASK_ABOUT_ERRORS], cwd=root, check=False)
    assert asked.returncode == 0


@pytest.mark.parametrize(
    ("name", "text", "slot", "kinds"),
    [
        ("c", b"int f() { if (a) { b(); } return 1 + 2; }", b"if (a) { b(); }", {b"{ b(); }"}),
        ("c", b"int x = f(a + 1) * 2;", b"f(a + 1) * 2", {b"f(a + 1)", b"a + 1", b"1"}),
        ("javascript", b"x = [a, f(b)];", b"[a, f(b)]", {b"a", b"f(b)"}),
        ("python", b"x = f(a)[1]\n", b"f(a)[1]", {b"f(a)", b"1"}),
        ("json", b'{"a": [1, {}]}', b"[1, {}]", {b"1", b"{}"}),
        ("rust", b"fn f() { if a { b } else { c } }\n", b"if a { b } else { c }", {b"{ b }"}),
    ],
)
def test_descendants_that_fit_are_predicted(
    name: str, text: bytes, slot: bytes, kinds: set[bytes]
) -> None:
    document = parsed(name, text)
    slots = Slots(language(name))
    target = next(node for node in named(document) if node.text == slot)
    symbol = following(document, target)
    fitting = {node.text for node in named(document) if slots.compatible(target, node, symbol)}
    assert kinds <= fitting


def test_what_no_table_allows_is_not_predicted() -> None:
    document = parsed("c", b"int f(int a) { return 1; }")
    slots = Slots(language("c"))
    by_type = {node.type: node for node in nodes(document)}
    target = by_type["return_statement"]
    assert not slots.compatible(target, by_type["parameter_list"], following(document, target))


# Outside of these, external scanners or character data make the tables say little.
MEASURED = ["c", "javascript", "typescript", "json", "rust", "go", "java", "css"]


@pytest.mark.parametrize("name", MEASURED)
def test_predictions_agree_with_the_parser_more_often_than_not(name: str) -> None:
    """Loose bounds: few that fit are missed; predicting is better than trying everything."""
    document = parsed(name)
    slots = Slots(language(name))
    hits = misses = wrong = fits = pairs = 0
    for node in named(document)[::2]:
        symbol = following(document, node)
        inside = [n for n in nodes_below(node) if n.is_named and n.byte_range != node.byte_range]
        for other in inside[:12]:
            text = document.text[other.start_byte : other.end_byte]
            edited = document.edited((Edit(node.start_byte, node.end_byte, text),))
            accepted = not edited.has_more_errors_than(0)
            predicted = slots.compatible(node, other, symbol)
            pairs, fits = pairs + 1, fits + accepted
            hits += accepted and predicted
            misses += accepted and not predicted
            wrong += predicted and not accepted
    assert hits + misses == fits
    assert hits >= 0.5 * fits
    assert hits / (hits + wrong) >= fits / pairs


def nodes_below(node: Node) -> list[Node]:
    found: list[Node] = []
    stack = list(node.children)
    while stack:
        found.append(stack.pop())
        stack.extend(found[-1].children)
    return found


def test_supertypes_are_shared_by_expressions() -> None:
    c = language("c")
    kinds = [c.id_for_node_kind(kind, True) for kind in ("call_expression", "number_literal")]
    assert all(kind is not None for kind in kinds)
    call, number = (supertypes(kind or 0, c) for kind in kinds)
    assert call & number


def test_old_grammars_have_no_supertypes() -> None:
    json = language("json")
    assert json.abi_version < 15
    assert not any(supertypes(kind, json) for kind in range(json.node_kind_count))
    assert supertypes(1, None) == frozenset()


@pytest.mark.parametrize(
    ("end", "symbol"), [(2, ","), (3, "number"), (5, "]"), (6, None), (0, "[")]
)
def test_the_following_symbol(end: int, symbol: str | None) -> None:
    document = parsed("json", b"[1, 2] ")
    found = following_symbol(document.root, document.text, end)
    assert (found is None) == (symbol is None)
    assert found is None or language("json").node_kind_for_id(found) == symbol
