"""The commands' arguments: documented ones are read, all others are errors with one sentence."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from pollard_server.protocol.arguments import (
    COMMANDS,
    CheckOracleArguments,
    HistoryArguments,
    JobsArguments,
    ReduceArguments,
    ReduceOtherArguments,
    ReportArguments,
    RestoreArguments,
    StatusArguments,
)
from pollard_server.protocol.conversion import InvalidArguments, parse

URI = "file:///a.c"
RANGE = {"start": {"line": 2, "character": 0}, "end": {"line": 7, "character": 5}}


def read(command: str, *arguments: object) -> Any:
    return parse(command, arguments, COMMANDS[command])


@pytest.mark.parametrize(
    ("command", "given", "expected"),
    [
        ("pollard.reduce", {"uri": URI}, ReduceArguments(uri=URI)),
        ("pollard.reduce", {"uri": URI, "version": 0}, ReduceArguments(uri=URI, version=0)),
        ("pollard.reduce", {"uri": URI, "oracle": "gcc"}, ReduceArguments(uri=URI, oracle="gcc")),
        ("pollard.reduce", {"uri": URI, "resume": True}, ReduceArguments(uri=URI, resume=True)),
        (
            "pollard.reduce",
            {"uri": URI, "strategy": "perses"},
            ReduceArguments(uri=URI, strategy="perses"),
        ),
        (
            "pollard.reduce",
            {"uri": URI, "strategy": ["hdd", "hddh*"]},
            ReduceArguments(uri=URI, strategy=("hdd", "hddh*")),
        ),
        ("pollard.stop", {"uri": URI}, JobsArguments(uri=URI)),
        ("pollard.pause", {"id": "reduction-1"}, JobsArguments(id="reduction-1")),
        ("pollard.resume", {}, JobsArguments()),
        ("pollard.restore", {"uri": URI}, RestoreArguments(uri=URI)),
        (
            "pollard.restore",
            {"uri": URI, "record": "000001", "number": 3, "choose": False},
            RestoreArguments(uri=URI, record="000001", number=3),
        ),
        ("pollard.restore", {"uri": URI, "choose": True}, RestoreArguments(uri=URI, choose=True)),
        ("pollard.report", {"uri": URI}, ReportArguments(uri=URI)),
        (
            "pollard.report",
            {"uri": URI, "record": "000001", "show": False},
            ReportArguments(uri=URI, record="000001", show=False),
        ),
        ("pollard.reduceOther", {"uri": URI}, ReduceOtherArguments(uri=URI)),
        (
            "pollard.reduceOther",
            {"uri": URI, "record": "000001", "number": 2},
            ReduceOtherArguments(uri=URI, record="000001", number=2),
        ),
        ("pollard.history", {"uri": URI, "number": 0}, HistoryArguments(uri=URI, number=0)),
        ("pollard.status", {}, StatusArguments()),
        ("pollard.status", {"uri": URI}, StatusArguments(uri=URI)),
        (
            "pollard.checkOracle",
            {"uri": URI, "oracle": "x"},
            CheckOracleArguments(uri=URI, oracle="x"),
        ),
    ],
)
def test_documented_arguments_are_read(command: str, given, expected) -> None:
    assert read(command, given) == expected


def test_a_range_becomes_lsps_even_if_it_is_reversed() -> None:
    """The code that uses the range puts its ends in order."""
    expected = lsp.Range(lsp.Position(2, 0), lsp.Position(7, 5))
    assert read("pollard.reduce", {"uri": URI, "range": RANGE}).range == expected
    backwards = {"start": RANGE["end"], "end": RANGE["start"]}
    assert read("pollard.reduce", {"uri": URI, "range": backwards}).range.start.line == 7


@pytest.mark.parametrize("arguments", [None, [], [None], [{}]])
def test_a_command_without_required_arguments_needs_none(arguments) -> None:
    assert parse("pollard.status", arguments, StatusArguments) == StatusArguments()


def test_null_counts_as_absent() -> None:
    """Lua and Emacs Lisp send it for an empty table or list."""
    nulls = dict.fromkeys(("range", "version", "oracle", "strategy", "resume"))
    assert read("pollard.reduce", {"uri": URI, **nulls}) == ReduceArguments(uri=URI)


@pytest.mark.parametrize(
    ("command", "given", "sentence"),
    [
        ("pollard.reduce", [], " needs the argument 'uri'."),
        ("pollard.reduce", [{"uri": None}], " needs the argument 'uri'."),
        (
            "pollard.reduce",
            [{"uri": ""}],
            ": 'uri' must be a text that is not empty, not the text \"\".",
        ),
        (
            "pollard.reduce",
            [{"uri": 3}],
            ": 'uri' must be a text that is not empty, not the number 3.",
        ),
        (
            "pollard.reduce",
            [{"uri": URI, "range": "x"}],
            ": 'range' must be a range {start, end}, not the text \"x\".",
        ),
        (
            "pollard.reduce",
            [{"uri": URI, "range": {"start": RANGE["start"]}}],
            ": 'range' must be a range {start, end}, not an object.",
        ),
        (
            "pollard.reduce",
            [{"uri": URI, "range": [RANGE["start"], RANGE["end"]]}],
            ": 'range' must be a range {start, end}, not a list.",
        ),
        (
            "pollard.reduce",
            [{"uri": URI, "version": True}],
            ": 'version' must be a whole number from 0 to 2147483647, not true.",
        ),
        (
            "pollard.reduce",
            [{"uri": URI, "version": 10**400}],
            ": 'version' must be a whole number from 0 to 2147483647, not a number that large.",
        ),
        (
            "pollard.reduce",
            [{"uri": URI, "strategy": []}],
            ": 'strategy' must be a preset's name or a list of passes, not an empty list.",
        ),
        (
            "pollard.reduce",
            [{"uri": URI, "resume": "yes"}],
            ": 'resume' must be true or false, not the text \"yes\".",
        ),
        (
            "pollard.reduce",
            [{"uri": URI, "orcale": "x"}],
            " has no argument \"orcale\"; did you mean 'oracle'?",
        ),
        ("pollard.status", [{"zzzzz": None}], ' has no argument "zzzzz".'),
        ("pollard.stop", [{"uri": URI, "id": "x"}], " takes 'uri' or 'id', not both."),
        ("pollard.stop", [{}, {}], " takes one object, not 2 arguments."),
        ("pollard.stop", ["x"], ' takes an object, not the text "x".'),
        ("pollard.stop", [[1]], " takes an object, not a list."),
        ("pollard.reduce", [[]], " needs the argument 'uri'."),
        (
            "pollard.reduce",
            [{"uri": "file:///a", "resume": True, "strategy": "hdd"}],
            " takes 'resume' without 'range' and 'strategy', which are those it had.",
        ),
        (
            "pollard.restore",
            [{"uri": URI, "number": -1}],
            ": 'number' must be a whole number from 0 to 2147483647, not the number -1.",
        ),
        (
            "pollard.history",
            [{"uri": URI, "number": 1.5}],
            ": 'number' must be a whole number from 0 to 2147483647, not the number 1.5.",
        ),
    ],
)
def test_a_mistake_is_reported_in_one_sentence(command: str, given, sentence: str) -> None:
    with pytest.raises(InvalidArguments) as raised:
        read(command, *given)
    assert str(raised.value) == command + sentence


@pytest.mark.parametrize("bad", [-1, True, 1.0, "0", None, 2**31, 10**400, [], {}])
@pytest.mark.parametrize("end", ["start", "end"])
@pytest.mark.parametrize("axis", ["line", "character"])
def test_a_position_is_two_whole_numbers(end: str, axis: str, bad: object) -> None:
    wrong = {**RANGE, end: {**RANGE[end], axis: bad}}
    with pytest.raises(InvalidArguments, match="'range' must have a start and an end of the form"):
        read("pollard.reduce", {"uri": URI, "range": wrong})


def test_long_and_odd_texts_are_shown_in_one_short_line() -> None:
    """The message is logged and shown, so half of an emoji must not break it."""
    with pytest.raises(InvalidArguments) as raised:
        read("pollard.reduce", {"uri": URI, "range": "a\n\ud83d" + "x" * 10_000})
    message = str(raised.value)
    assert "must be a range {start, end}, not the text" in message
    assert message.encode().decode() == message
    assert "\n" not in message
    assert len(message) < 200


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["uri", "start", "end", "line", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["uri", "range", "version", "oracle", "strategy", "resume", "id", "record", "number", "choose"]
)


@given(st.sampled_from(sorted(COMMANDS)), st.lists(JSON | st.dictionaries(KEYS, JSON), max_size=2))
def test_anything_is_read_or_refused_with_one_line_that_names_the_command(command, arguments):
    message = refusal(command, arguments)
    assert message is None or re.fullmatch(rf"{command}\b.+[.?]", message)


def refusal(command: str, arguments: list[object]) -> str | None:
    """Return the error message for the arguments; None if they are valid."""
    try:
        assert isinstance(read(command, *arguments), COMMANDS[command])
    except InvalidArguments as error:
        return str(error)
    return None
