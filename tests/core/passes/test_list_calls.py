"""A call that compares or joins the elements of a list gets a list of unlike values."""

from __future__ import annotations

import pytest

from pollard.passes.coupling.alone import named
from tests.core.passes.support import Case, plain, reduced

CALLS = {
    "a function of the language": (
        "python",
        b"def f(a, b):\n    c = load(b)\n    return sorted(c, key=lambda d: d.size)\n",
        b"    return sorted(c, key=lambda d: d.size)",
        b"sorted([None, .0])",
    ),
    "a function on what a loop gives": (
        "python",
        b"def f(a, b):\n    c = load(b)\n    print(max(d.size for d in c.items))\n",
        b"    print(max(d.size for d in c.items))",
        b'max(["", 0])',
    ),
    "a method of a value that is written there": (
        "python",
        b'def f(a, b):\n    c = load(b)\n    return ", ".join(d.name for d in c)\n',
        b'    return ", ".join(d.name for d in c)',
        b'", ".join([None, 0])',
    ),
    "a function of a module": (
        "python",
        b"import statistics\ndef f(a):\n    return statistics.fmean(b.size for b in a)\n",
        b"    return statistics.fmean(b.size for b in a)",
        b"import statistics\nstatistics.fmean([None, 0])",
    ),
    "a function of Lua": (
        "lua",
        b'local function f(a)\n  return table.concat(a.names, ", ")\nend\n',
        b'  return table.concat(a.names, ", ")',
        b"return table.concat({nil, 0})",
    ),
    "a method of a list": (
        "python",
        b"def f(a):\n    a.rows.sort(key=lambda b: b.size)\n    return a\n",
        b"    a.rows.sort(key=lambda b: b.size)",
        b"[0, None].sort()",
    ),
    "the head of a loop": (
        "python",
        b"def f(a):\n    for b in sorted(a.rows, key=rank):\n        g(min(b))\n",
        b"    for b in sorted(a.rows, key=rank):",
        b"sorted([0, None])",
    ),
    "a method at the end of a chain": (
        "ruby",
        b"def f(a)\n  a.rows.map(&:size).max\nend\n",
        b"  a.rows.map(&:size).max",
        b"[nil, 0].max",
    ),
}


@pytest.mark.parametrize("what", CALLS)
def test_a_call_that_compares_elements_gets_a_list_of_unlike_ones(what: str) -> None:
    language, text, line, wanted = CALLS[what]
    case = Case(text, language, lambda new: new == text or plain(new) == plain(wanted))
    assert plain(reduced(case, named, failing_lines=(line,)).text) == plain(wanted)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"def f(a):\n    for b in a.rows:\n        g(sorted(b))\n", b"    for b in a.rows:"),
        (b"def f(a):\n    g(a.rows, key=sorted)\n    h(a)\n", b"    g(a.rows, key=sorted)"),
    ],
)
def test_other_calls_get_no_list_of_unlike_values(text: bytes, line: bytes) -> None:
    case = Case(text, "python", lambda new: new == text)
    asked = reduced(case, named, failing_lines=(line,)).judge.asked
    assert asked
    assert not any(b"[None, 0]" in each for each in asked)


def test_lists_come_when_all_else_has_failed() -> None:
    line = b'    return ", ".join(sorted(a[b].name for b in a.keys))'
    text = b"def f(a):\n" + line + b"\nprint(f(load()))\n"
    case = Case(text, "python", lambda new: new == text)
    asked = reduced(case, named, failing_lines=(line,)).judge.asked
    places = [place for place, each in enumerate(asked) if b"[None, 0]" in each]
    assert places
    assert all(b"join([" in each or b"sorted([" in each for each in asked[places[0] :])
    assert not any(b"[None, 0]" in each for each in asked[: places[0]])
    assert len(asked) <= 40
