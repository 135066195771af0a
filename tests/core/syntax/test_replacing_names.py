"""What a name can be replaced by: its outermost definition, all its places, and its stand-ins."""

from __future__ import annotations

import pytest

from pollard.engine.pruning import Units
from pollard.engine.subject import Subject
from pollard.passes.coupling.joint_deletions import Analysis
from pollard.syntax.names.calls import call_of, called_functions, chain_of, with_sigil
from pollard.syntax.names.definitions import leaves, text_of
from pollard.syntax.names.inlinable import Inlinable, inlinable_in, with_arguments
from pollard.syntax.names.replaceable import ReplaceableNames
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


def test_of_a_unit_that_defines_several_names_the_unit_of_one_is_better():
    text = b"int a = 1, b = 2;\nint g(void) { return a + b + b; }\n"
    assert _found(text, "c") == {"a": ("a = 1,", 1), "b": (", b = 2", 2)}


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
        ("c", b"int x = 12;\n", [b"12"]),
        ("c", b"typedef long T;\n", [b"long"]),
        ("c", b"void T() { f(); g(); }\n", [b"()", b"f(); g();", b"{ f(); g(); }"]),
        ("python", b"def T(a):\n    return a + 1\n", [b"1", b"a + 1", b"return a + 1"]),
        ("javascript", b"let T = [1];\n", [b"1", b"[1]"]),
        ("lua", b"local x = 12\n", [b"12"]),
        ("kotlin", b"val x = g(7)\n", [b"g(7)"]),  # no field for the value
        ("kotlin", b"fun x() = g(7)\n", [b"g(7)", b"= g(7)"]),
        ("pascal", b"const x = 7;\n", [b"7", b"= 7"]),
    ],
)
def test_values_results_and_bodies_can_be_inlined_the_shortest_first(name, text, expected):
    made = document(text, name)
    found = inlinable_in(made.root, {b"x", b"T"}, text, made.language)
    assert [text[slice(*one.span)] for one in found] == expected


def _leaf(made, called: bytes, number: int = 0):
    return [one for one in leaves(made.root) if text_of(one, made.text) == called][number]


def _only(made, wanted: bytes) -> Inlinable:
    """The content with this text, of the first definition."""
    found = inlinable_in(made.root.named_children[0], {b"f"}, made.text, made.language)
    (content,) = (one for one in found if made.text[slice(*one.span)] == wanted)
    return content


@pytest.mark.parametrize(
    ("name", "text", "body", "expected"),
    [
        ("c", b"int f(int a, int b) { return b - a; } int x = f(1, g(2));", b"b - a", b"g(2) - 1"),
        ("kotlin", b"fun f(a: Int, b: Int) = b - a\nval x = f(1, 2)\n", b"b - a", b"2 - 1"),
        (
            "swift",
            b"func f(_ a: Int) -> Int { return a - 1 }\nf(2)\n",
            b"return a - 1",
            b"return 2 - 1",
        ),
        ("python", b"def f(self, a):\n    return a - 1\nx.f(2)\n", b"a - 1", b"2 - 1"),
        ("go", b"func f(a int) int { return a }\nvar x = f(2)\n", b"a", b"2"),
    ],
)
def test_arguments_take_the_place_of_parameters(name, text, body, expected):
    made = document(text, name)
    function, content = made.root.named_children[0], _only(made, body)
    call = call_of(_leaf(made, b"f", 1), text, made.language)
    assert with_arguments(made, function, content, call) == expected
    assert with_arguments(made, function, content, None) == body


def test_an_argument_takes_the_place_of_a_parameter_with_its_sigil():
    text = b"<?php function f($a) { return g($a); } f(1);"
    made = document(text, "php")
    function = made.root.named_children[1]
    found = inlinable_in(function, {b"f"}, text, made.language)
    (content,) = (one for one in found if text[slice(*one.span)] == b"g($a)")
    call = call_of(_leaf(made, b"f", 1), text, made.language)
    assert with_arguments(made, function, content, call) == b"g(1)"


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("php", b"<?php f($x);", b"$x"),
        ("bash", b'echo "${x}"\n', b"${x}"),
        ("make", b"all:\n\techo $(x)\n", b"$(x)"),
        ("perl", b"f(@x);\n", b"@x"),
        ("bash", b'echo "$(x)"\n', b"x"),
        ("c", b"int y = x;\n", b"x"),
        ("c", b"int *y = &x;\n", b"x"),
    ],
)
def test_a_sigil_belongs_to_the_use_of_a_variable(name, text, expected):
    made = document(text, name)
    assert text_of(with_sigil(_leaf(made, b"x"), text, made.language), text) == expected


def test_a_name_that_is_not_called_has_no_call():
    made = document(b"f(x);\n", "c")
    first, second = (one for one in leaves(made.root) if one.type == "identifier")
    assert call_of(first, made.text, made.language) is not None
    assert call_of(second, made.text, made.language) is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("python", b"print(x().f(7) + 1)\n", b"x().f(7)"),
        ("javascript", b"g(x.f(7).h);\n", b"x.f(7)"),
        ("php", b"<?php g(x::f(7));", b"x::f(7)"),
        ("python", b"print(x + f(7))\n", None),
        ("python", b"print(x)\n", None),
    ],
)
def test_a_name_may_begin_a_chain_of_calls(name, text, expected):
    made = document(text, name)
    found = chain_of(_leaf(made, b"x"), text, made.language)
    assert (found and text_of(found, text)) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("javascript", b"(x => f(x))(7); g(8);\n", [("(x => f(x))(7)", "x => f(x)")]),
        (
            "javascript",
            b"f(function () { g(); }());\n",
            [("function () { g(); }()", "function () { g(); }")],
        ),
        ("python", b"f(7)\n", []),
        ("json", b"[1]\n", []),
    ],
)
def test_functions_that_are_called_where_they_stand_are_found(name, text, expected):
    found = called_functions(document(text, name))
    assert [(text_of(a, text).decode(), text_of(b, text).decode()) for a, b in found] == expected


def test_arguments_get_brackets_on_demand_and_objects_always():
    text = b"function f(a, b) { return a * b; } f(1 + 2, {});"
    made = document(text, "javascript")
    function, content = made.root.named_children[0], _only(made, b"a * b")
    call = call_of(_leaf(made, b"f", 1), text, made.language)
    assert with_arguments(made, function, content, call) == b"1 + 2 * ({})"
    assert with_arguments(made, function, content, call, brackets=True) == b"(1 + 2) * ({})"


def test_a_parameter_without_an_argument_gets_what_the_language_gives_it():
    for name, text, expected in (
        ("javascript", b"function f(a) { return a.b; } f();", b"undefined.b"),
        ("lua", b"function f(a) return a.b end f()", b"nil.b"),
        ("c", b"int f(int a) { return a.b; } int x = f();", b"a.b"),
    ):
        made = document(text, name)
        function, content = made.root.named_children[0], _only(made, b"a.b")
        call = call_of(_leaf(made, b"f", 1), text, made.language)
        assert with_arguments(made, function, content, call) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("go", b"package p\nfunc f() {\n\tv := 1\n\tg(v)\n}\n", "v := 1"),
        ("scala", b"object A { val v = 1; g(v) }\n", "val v = 1;"),
        ("kotlin", b"fun f() {\n val v = 1\n g(v)\n}\n", "val v = 1"),
    ],
)
def test_a_block_that_holds_all_uses_does_not_define_a_name(name, text, expected):
    assert _found(text, name)["v"] == (expected, 1)


def test_a_method_is_defined_by_its_class_and_not_by_its_call():
    text = b"<?php class A { static function m() { return 1; } } g(A::m());"
    assert _found(text, "php")["m"] == ("static function m() { return 1; }", 1)


def test_a_literal_stands_in_for_a_name_with_its_call_and_another_name_where_none_fits():
    text = b"T f(S y) { return g(y) + 1; }\n"
    analysis = Analysis(_subject(text, "c"))
    (called,) = analysis.names.leaves_named([b"g"], (0, len(text)))
    assert analysis.stand_ins.of(called, {b"g"}) == Edit(
        text.index(b"g("), text.index(b" + 1"), b"0"
    )
    text = b"class A { T f(S y) { return 1; } }\n"
    analysis = Analysis(_subject(text, "java"))
    (kind,) = analysis.names.leaves_named([b"T"], (0, len(text)))
    place = text.index(b"T")
    assert analysis.stand_ins.of(kind, {b"T"}) in (
        Edit(place, place + 1, b"A"),
        Edit(place, place + 1, b"S"),
    )


def test_the_shortest_type_stands_in_for_a_type_and_no_literal():
    text = b"T f(S y) { return g(y) + 1; }\n"
    analysis = Analysis(_subject(text, "c"))
    (kind,) = analysis.names.leaves_named([b"T"], (0, len(text)))
    assert analysis.stand_ins.of(kind, {b"T"}) == Edit(0, 1, b"int")
