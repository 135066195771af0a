"""In long preprocessed texts, all goes that the code that fails does not reach through names."""

from __future__ import annotations

import re

import pytest

from pollard.engine.subject import Subject
from pollard.errors import Cancelled
from pollard.oracle import CancelToken
from pollard.passes.reaching.graph import ReachGraph
from pollard.passes.reaching.origins import main_file
from pollard.passes.reaching.reaching import reach
from pollard.syntax.tree.document import Document
from tests.core.passes.support import Case, Loop, document, reduced
from tests.core.syntax.samples import parsed

_CALL = re.compile(rb"\b(h\d+)\(")
_DEFINITION = re.compile(rb"int (h\d+)\(")


def _compiles(text: bytes) -> bool:
    """Return whether each function that is called is defined, as for a compiler."""
    return set(_CALL.findall(text)) <= set(_DEFINITION.findall(text))


def _header(count: int = 4_000) -> bytes:
    """Functions, each of which calls the one ten places before it."""
    used = ["a"] * 10 + [f"h{number}(a)" for number in range(count)]
    lines = (
        f"int h{number}(int a) {{ return {used[number]} + {number}; }}\n" for number in range(count)
    )
    return f'# 1 "h.h"\nnamespace n {{\n{"".join(lines)}}}\n'.encode()


def _preprocessed(program: bytes, *, after: bytes = b"") -> bytes:
    return b'# 1 "a.cpp"\n' + _header() + b'# 2 "a.cpp" 2\n' + program + after


def _kept(text: bytes) -> set[bytes]:
    return set(_DEFINITION.findall(text))


def test_the_headers_go_in_one_run_but_for_what_the_compiled_file_reaches() -> None:
    """One run for the line markers, one without and one with the program's own functions."""
    text = _preprocessed(b"int main() { return n::h35(1); }\n")
    result = reduced(Case(text, "cpp", lambda text: b"n::h35" in text and _compiles(text)), reach)
    assert _kept(result.text) == {b"h5", b"h15", b"h25", b"h35"}
    assert len(result.judge.asked) <= 3


def test_statements_that_alone_reach_much_go_with_all_that_only_they_reach() -> None:
    program = b"int main() {\n  n::h3995(1);\n  n::h3991(2);\n  return n::h3992(3) + 7;\n}\n"
    needed = b"n::h3992(3) + 7"
    result = reduced(
        Case(_preprocessed(program), "cpp", lambda text: needed in text and _compiles(text)), reach
    )
    assert b"h3995" not in result.text
    assert b"h3991" not in result.text
    assert _kept(result.text) == {b"h%d" % number for number in range(2, 3_993, 10)}


def test_without_line_markers_the_failing_part_is_found_by_a_binary_search() -> None:
    """The part is in the middle: neither the text before nor after it is needed."""
    first, second = _header(6_000), _header(9_000)[:-2].partition(b"int h6000")[2]
    trigger = b"int trigger() { return n::h17(3); }\n"
    text = b"\n".join([first, trigger, b"namespace n {\nint h6000" + second + b"}"])
    text = re.sub(rb'# 1 "h.h"\n', b"", text)
    case = Case(text, "cpp", lambda text: b"return n::h17(3)" in text and _compiles(text))
    result = reduced(case, reach)
    assert _kept(result.text) == {b"h7", b"h17"}
    assert b"trigger" in result.text
    assert len(result.judge.asked) <= 20


def test_deep_nesting_in_the_compiled_file_is_no_problem() -> None:
    program = b"int main() { return " + b"(" * 3_000 + b"n::h35(1)" + b")" * 3_000 + b"; }\n"
    case = Case(_preprocessed(program), "cpp", lambda text: b"n::h35" in text and _compiles(text))
    assert _kept(reduced(case, reach).text) == {b"h5", b"h15", b"h25", b"h35"}


def test_what_is_outside_of_the_region_stays() -> None:
    text = _preprocessed(b"int main() { return n::h35(1); }\n")
    end = text.index(b"int h2000")
    case = Case(text, "cpp", lambda text: b"n::h35" in text and _compiles(text))
    result = reduced(case, reach, region=(0, end))
    assert result.text.endswith(text[end:])
    assert b"int h6(" not in result.text or b"h3996" in result.text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("cpp", _header(100)),
        ("javascript", b"function f() { return 1; }\n" * 20_000),
        ("json", b"[" + b"1, " * 100_000 + b"1]"),
    ],
    ids=["short", "uses before definitions", "no definitions"],
)
def test_other_texts_need_no_run(language: str, text: bytes) -> None:
    result = reduced(Case(text, language, lambda _: False), reach)
    assert (result.text, result.judge.asked) == (text, [])


def _graph(text: bytes, language: str = "cpp") -> ReachGraph:
    return ReachGraph(Subject(document(text, language), Loop(lambda _: False)))


def test_once_cancelled_no_more_is_looked_for() -> None:
    """Of megabytes that takes seconds, in which nothing is parsed."""
    token, language = CancelToken(), parsed("cpp").language
    subject = Subject(
        Document(b"int a;\nint b = a;\n", language, cancelled=token), Loop(lambda _: False)
    )
    graph = ReachGraph(subject)
    token.set()
    with pytest.raises(Cancelled):
        graph.uses(2)
    with pytest.raises(Cancelled):
        ReachGraph(subject)


def _reached(text: bytes, *, companions: bool = False) -> list[str]:
    """Return what the last part of a text reaches, in order."""
    graph = _graph(text)
    alive = graph.reached(graph.elements[-1:], companions=companions)
    branches = [graph.parts[part].branch for part in graph.elements if part in alive]
    return [text[branch.start : branch.end].decode() for branch in branches]


@pytest.mark.parametrize(
    ("before", "last"),
    [
        (b"int size();\n", b"int f() { int size = 1; return size; }"),
        (b"int size();\n", b"int f(T t) { return t.size; }"),
        (b"int size();\n", b"int f(T *t) { return t->size; }"),
    ],
    ids=["a local variable", "a member", "a member behind a pointer"],
)
def test_names_that_mean_something_else_reach_nothing(before: bytes, last: bytes) -> None:
    assert _reached(before + last) == [last.decode()]


def test_thousands_of_namespaces_in_each_other_are_no_problem() -> None:
    text = b"namespace n {\n" * 3_000 + b"int a;\nint b = a;\n" + b"}\n" * 3_000
    assert _reached(text) == ["int a;", "int b = a;"]


def test_every_definition_of_a_name_is_reached_in_namespaces_too() -> None:
    text = b"int g(); namespace n { int g(int); int h(); } int f() { return n::g(1); }"
    assert _reached(text) == ["int g();", "int g(int);", "int f() { return n::g(1); }"]


def test_a_list_with_one_element_and_one_without_braces_are_cut_between_declarations() -> None:
    text = b'extern "C" { int g(int); } extern "C" int h(int);\nint f() { return h(0); }'
    assert _reached(text) == ['extern "C" int h(int);', "int f() { return h(0); }"]


def test_parts_without_a_name_stay_if_all_that_they_use_stays() -> None:
    text = b"struct A {}; struct B {}; static_assert(A{}); static_assert(B{}); A f();"
    assert _reached(text) == ["struct A {}", "A f();"]
    assert _reached(text, companions=True) == ["struct A {}", "static_assert(A{});", "A f();"]


def test_the_compiled_file_is_the_first_that_line_markers_name() -> None:
    header = b'# 0 "a.c"\n# 1 "/h.h" 1 3\nint h;\n'
    text = header + b'# 2 "a.c" 2\nint a;\n# 1 "b.h" 1\nint b;\n#line 3 "a.c"\nint c;\n'
    assert [text[start:end] for start, end in main_file(text)] == [b"int a;\n", b"int c;\n"]


@pytest.mark.parametrize("text", [b"", b"int a;\n", b'# 1 "a.c"\nint a;\n'])
def test_without_markers_of_two_files_nothing_is_known_of_them(text: bytes) -> None:
    assert main_file(text) == []
