"""Annotations: line markers and attributes go in one run where they may, and kind by kind where not."""

from __future__ import annotations

import pytest

from pollard.passes.heaviest.annotations import drop_annotations
from tests.core.passes.support import Case, Reduced, reduced

PREPROCESSED = b"""# 1 "a.cpp"
# 5 "/usr/include/b.h" 3 4
namespace std __attribute__ ((__visibility__ ("default")))
{
__extension__ typedef long long wide;
int f(int) __attribute__((nonnull (1), format(printf, 1, 2)));
}
"""
PLAIN = b"""namespace std
{
typedef long long wide;
int f(int);
}
"""


def dropped(text: bytes, needed: bytes = b"", language: str = "cpp") -> Reduced:
    return reduced(Case(text, language, lambda candidate: needed in candidate), drop_annotations)


def test_all_annotations_go_in_one_run_and_leave_no_errors() -> None:
    result = dropped(PREPROCESSED)
    assert (result.text, len(result.judge.asked)) == (PLAIN, 1)
    assert not result.subject.document.errors


def test_where_one_kind_must_stay_the_others_go() -> None:
    """One run for all, and one for each other kind; the last text is the first one again."""
    result = dropped(PREPROCESSED, b"__extension__")
    assert result.text == PLAIN.replace(b"typedef", b"__extension__ typedef")
    assert len(result.judge.asked) == 3


@pytest.mark.parametrize(
    ("head", "plain"),
    [
        (b"class API Lock final : A {", b"class Lock final : A {"),
        (b'struct CAPABILITY("mutex") API Lock {', b"struct Lock {"),
        (b"class Lock final {", b"class Lock final {"),
        (b"struct Lock lock() {", b"struct Lock lock() {"),
        (b"template <class T> class Lock {", b"template <class T> class Lock {"),
    ],
)
def test_macros_before_the_name_of_a_class_go(head: bytes, plain: bytes) -> None:
    result = dropped(head + b" void f(); };\n")
    assert (result.text, len(result.judge.asked)) == (plain + b" void f(); };\n", plain != head)


@pytest.mark.parametrize(
    "comment",
    [
        b"{# a\nb #}",
        b"{% comment %}{{ a }}{% endcomment %}",
        b"{{!-- {{a}} --}}",
        b"{{! a }}",
        b"<%# a %>",
    ],
)
def test_comments_of_templates_go(comment: bytes) -> None:
    text = b"<p>" + comment + b"{{ a }}</p>\n"
    assert dropped(text, language="html").text == b"<p>{{ a }}</p>\n"


def test_text_outside_of_the_region_stays() -> None:
    case = Case(PREPROCESSED, "cpp", lambda _: True)
    end = PREPROCESSED.index(b"__extension__")
    result = reduced(case, drop_annotations, region=(0, end))
    assert result.text.endswith(PREPROCESSED[end:])
    assert b"__visibility__" not in result.text


@pytest.mark.parametrize(
    ("language", "text"), [("c", b"int f(int); // # 1 is no marker\n"), ("python", b'# 1 "a"\nx\n')]
)
def test_other_text_needs_no_run(language: str, text: bytes) -> None:
    result = dropped(text, language=language)
    assert (result.text, result.judge.asked) == (text, [])
