"""Hoisting: a descendant in the place of its ancestor, and nothing left to be hoisted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given

from pollard.engine.hoisting import Hoister, Hoisting, hoist
from pollard.syntax.branches.branches import Branch, all_below, below
from pollard.syntax.tree.sizes import size
from tests.core.passes.support import Case, Reduced, cases, in_order, reduced
from tests.examples import examples

_STEPS = 4


def _descendants(branch: Branch, steps: int = 1) -> Iterator[tuple[int, Branch]]:
    """The branches below one, no tokens among them, each with its number of steps."""
    for child in branch.children:
        if not child.is_token:
            yield steps, child
            yield from _descendants(child, steps + 1)


def _between(target: Branch, branch: Branch) -> Iterator[Branch]:
    while branch.parent is not None and branch.parent.node != target.node:
        branch = branch.parent
        yield branch


def _figure_7(result: Reduced, target: Branch) -> Iterator[bytes]:
    """The texts with a nearest compatible descendant of a branch in its place.

    Nearest on its path of those that parse there, or nearest of those that are of its kind too.
    """
    base = result.subject.document
    hoister = Hoister(result.subject)

    def text(branch: Branch) -> bytes:
        return base.edited(hoister.edits([Hoisting(target, branch)])).text

    def fits(branch: Branch) -> bool:
        edits = hoister.edits([Hoisting(target, branch)])
        return not base.edited(edits).has_more_errors_than(base.errors)

    def alike(branch: Branch) -> bool:
        return branch.node.kind_id == target.node.kind_id

    for steps, branch in _descendants(target):
        if steps > _STEPS or not fits(branch):
            continue
        above = [other for other in _between(target, branch) if fits(other)]
        nearest = not above or (alike(branch) and not any(map(alike, above)))
        smaller = size(base.text[branch.start : branch.end])
        if nearest and smaller < size(base.text[target.start : target.end]):
            yield text(branch)


@examples(25)
@given(case=cases())
def test_after_hoist_star_no_candidate_of_figure_7_is_interesting(case: Case):
    result = reduced(case, "hoist*")
    targets = all_below(result.subject.root, result.subject.span)
    candidates = [
        text for target in targets if not target.is_token for text in _figure_7(result, target)
    ]
    assert [text for text in candidates if text != result.text and case(text)] == []


def _hoisted(name: str, text: bytes, *tokens: bytes) -> bytes:
    return reduced(Case(text, name, lambda text: in_order(tokens, text)), "hoist*").text


@pytest.mark.parametrize(
    ("name", "text", "tokens", "expected"),
    [
        ("c", b"int f() { if (a) { b(); } }\n", (b"f()", b"b();"), b"int f() { b(); }\n"),
        ("c", b"int x = (1 + (2 * y));\n", (b"x", b"y"), b"int x = y;\n"),
        ("json", b'{"a": [1, [2, {"b": 3}]]}\n', (b"2", b"3"), b"[2, 3]\n"),
        ("javascript", b"f(g(h(x)), 1)\n", (b"h(x)",), b"h(x)\n"),
        (
            "python",
            b"if a:\n    while b:\n        c()\n        d()\n",
            (b"c()", b"d()"),
            b"c()\nd()\n",
        ),
    ],
)
def test_a_descendant_takes_the_place_of_its_ancestor(name, text, tokens, expected):
    assert _hoisted(name, text, *tokens) == expected


def test_lines_that_move_to_the_left_keep_their_own_shape_and_strings_their_bytes():
    text = (
        b"def f():\n    if x:\n        if y:\n            a = '''\n            text'''\n"
        b"            if z:\n                b()\n"
    )
    assert _hoisted("python", text, b"def f", b"a = '''", b"if z", b"b()") == (
        b"def f():\n    a = '''\n            text'''\n    if z:\n        b()\n"
    )


def test_branches_with_many_candidates_can_be_left_alone():
    text = b"[" + b", ".join(b"[%d]" % number for number in range(9)) + b"]\n"
    case = Case(text, "json", lambda text: b"3" in text)

    def few(subject) -> None:
        hoist(subject, below([subject.root], subject.span), max_candidates=5)

    assert reduced(case, few).text == case.text
    assert reduced(case, "hoist*").text == b"3\n"


def test_hoisting_takes_no_run_where_there_is_nothing_smaller():
    assert reduced(Case(b"[]\n", "json", lambda _: True), "hoist*").judge.asked == []
