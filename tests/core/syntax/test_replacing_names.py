"""What a name can be replaced by: its outermost definition, all its places, and its stand-ins."""

from __future__ import annotations

import pytest

from pollard.engine.pruning import Units
from pollard.engine.subject import Subject
from pollard.passes.coupling.joint_deletions import Analysis
from pollard.syntax.names.definitions import leaves, text_of
from pollard.syntax.names.replaceable import ReplaceableNames
from pollard.syntax.names.stand_ins import call_of, contents, with_arguments
from pollard.syntax.tree.edits import Edit
from tests.core.passes.support import Case, Loop, document


def _subject(text: bytes, name: str) -> Subject:
    return Subject(document(text, name), Loop(Case(text, name, lambda _: False)))


def _names(text: bytes, name: str, span: tuple[int, int] | None = None) -> ReplaceableNames:
    subject = _subject(text, name)
    span = span or subject.span
    return ReplaceableNames(subject.document, subject.root, span, Units(subject).of)


def _found(text: bytes, name: str) -> dict[str, tuple[str, int]]:
    """By name: the text of its outermost definition, and how often it is used outside of it."""
    names = _names(text, name)
    return {
        called.decode(): (text[slice(*one.span)].decode(), len(names.uses(one)))
        for one in names.definitions
        for called in one.names
    }


def test_the_outermost_unit_defines_a_name_and_its_uses_are_all_other_places():
    text = b"typedef int T;\nT f(void) { return 1; }\nint g(T x) { return f() + f(); }\n"
    assert _found(text, "c") == {"T": ("typedef int T;", 2), "f": ("T f(void) { return 1; }", 2)}


def test_a_definition_without_uses_or_with_uses_in_islands_is_left_out():
    assert _found(b"int a; int b;\n", "c") == {}
    assert _found(b"<p id=a></p><script>a; a</script>\n", "html") == {}


def test_a_definition_that_reaches_out_of_the_span_is_left_out():
    text = b"int a;\nint b = a;\n"
    assert [one.names for one in _names(text, "c").definitions] == [{b"a"}]
    assert _names(text, "c", (text.index(b"int b"), len(text))).definitions == []


def test_in_a_text_with_many_names_none_is_replaced():
    text = b"int a;\nint b = a;\n" + b"".join(b"int c%d;\n" % number for number in range(99))
    assert _names(text, "c").definitions == []


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("c", b"int x = 12;\n", [b"12", b"int"]),
        ("c", b"typedef long T;\n", [b"long"]),
        ("python", b"def f(a):\n    return a + 1\n", [b"1", b"a + 1", b"return a + 1"]),
        ("javascript", b"let a = [1];\n", [b"1", b"[1]"]),
        ("lua", b"local a = 12\n", [b"a", b"12"]),
    ],
)
def test_values_results_and_bodies_are_contents_the_shortest_first(name, text, expected):
    made = document(text, name)
    assert [text_of(node, text) for node in contents(made.root, made.language)] == expected


def test_arguments_take_the_place_of_parameters():
    text = b"int f(int a, int b) { return b - a; }\nint x = f(1, g(2));\n"
    made = document(text, "c")
    function = made.root.named_children[0]
    found = contents(function, made.language)
    (content,) = (one for one in found if text_of(one, text) == b"b - a")
    (leaf,) = (one for one in leaves(made.root.named_children[1]) if text_of(one, text) == b"f")
    call = call_of(leaf, made.language)
    assert with_arguments(made, function, content, call) == b"g(2) - 1"
    assert with_arguments(made, function, content, None) == b"b - a"


def test_a_name_that_is_not_called_has_no_call():
    made = document(b"f(x);\n", "c")
    first, second = (one for one in leaves(made.root) if one.type == "identifier")
    assert call_of(first, made.language) is not None
    assert call_of(second, made.language) is None


def test_a_literal_stands_in_for_a_name_with_its_call_and_another_name_where_none_fits():
    text = b"T f(S y) { return g(y) + 1; }\n"
    analysis = Analysis(_subject(text, "c"))
    (called,) = analysis.names.leaves_named([b"g"], (0, len(text)))
    assert analysis.stand_ins.of(called, {b"g"}) == Edit(
        text.index(b"g("), text.index(b" + 1"), b"0"
    )
    (kind,) = analysis.names.leaves_named([b"T"], (0, len(text)))
    assert analysis.stand_ins.of(kind, {b"T"}) == Edit(0, 1, b"S")
