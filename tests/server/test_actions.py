"""Code actions: their titles, commands and reasons, depending on the editor's capabilities."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import converters
from lsprotocol import types as lsp

from pollard_server.actions import (
    DIAGNOSTIC_KIND,
    KIND,
    NO_ORACLE,
    Action,
    OfferedDiagnostic,
    Situation,
    actions,
)
from pollard_server.choices import offered_diagnostics
from pollard_server.protocol.arguments import COMMANDS, ReduceArguments
from pollard_server.protocol.conversion import parse

URI = "file:///a.c"
SELECTION = lsp.Range(lsp.Position(2, 0), lsp.Position(7, 5))
RANGE = {"start": {"line": 2, "character": 0}, "end": {"line": 7, "character": 5}}
UNTRUSTED = "The workspace is not trusted; trust it to reduce."
IDLE = Situation(uri=URI, version=3, oracles=("gcc",))
ENDED = dataclasses.replace(
    IDLE,
    can_restore=True,
    can_step_back=True,
    can_continue=True,
    can_reduce_others=True,
    can_report=True,
)

REDUCE = {"uri": URI, "version": 3}
FILE = ("Reduce file", "pollard.reduce", {**REDUCE, "oracle": "gcc"})
CONTINUE = ("Continue the interrupted reduction", "pollard.reduce", {**REDUCE, "resume": True})
RESTORE = ("Restore original", "pollard.restore", {"uri": URI})
STEP_BACK = (
    "Step back to an earlier reduction",
    "pollard.restore",
    {"uri": URI, "choose": True},
)
REPORT = ("Open report", "pollard.report", {"uri": URI})
OTHERS = ("Reduce another failure", "pollard.reduceOther", {"uri": URI})
JOB = {"id": "reduction-1"}
SHOWN = lsp.Diagnostic(SELECTION, "Undefined name `x`", source="Ruff", code="F821")
F821 = OfferedDiagnostic("ruff:F821 Undefined name …", "Ruff F821", SHOWN)
DIAGNOSTIC = (
    "Reduce to this diagnostic: Ruff F821",
    "pollard.reduce",
    {**REDUCE, "diagnostic": "ruff:F821 Undefined name …"},
)


def summary(action: Action) -> tuple[object, ...]:
    """Return an action's title, command and argument; or its title and why it is disabled."""
    command = action if isinstance(action, lsp.Command) else action.command
    if command is None:
        assert isinstance(action, lsp.CodeAction)
        assert action.disabled is not None
        return action.title, action.disabled.reason
    assert command.arguments is not None
    (argument,) = command.arguments
    return action.title, command.command, argument


def offered(situation: Situation, **changes) -> list[tuple[object, ...]]:
    return [summary(action) for action in actions(dataclasses.replace(situation, **changes))]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, [FILE]),
        ({"version": None}, [("Reduce file", "pollard.reduce", {"uri": URI, "oracle": "gcc"})]),
        (
            {"selection": SELECTION},
            [("Reduce selection", "pollard.reduce", {**REDUCE, "range": RANGE, "oracle": "gcc"})],
        ),
        (
            {"oracles": ("gcc", "clang")},
            [
                ("Reduce file with gcc", "pollard.reduce", {**REDUCE, "oracle": "gcc"}),
                ("Reduce file with clang", "pollard.reduce", {**REDUCE, "oracle": "clang"}),
            ],
        ),
        (
            {"oracles": ("gcc", "clang"), "obstacles": {"gcc": "You said no."}},
            [
                ("Reduce file with gcc", "You said no."),
                ("Reduce file with clang", "pollard.reduce", {**REDUCE, "oracle": "clang"}),
            ],
        ),
        ({"oracles": ()}, [("Reduce file", NO_ORACLE)]),
        ({"oracles": (), "selection": SELECTION}, [("Reduce selection", NO_ORACLE)]),
        ({"oracles": ("gcc", "clang"), "obstacle": UNTRUSTED}, [("Reduce file", UNTRUSTED)]),
        ({"oracles": (), "obstacle": UNTRUSTED}, [("Reduce file", UNTRUSTED)]),
        # A diagnostic needs no oracle, and its cause may be outside of the selection.
        ({"diagnostics": (F821,)}, [DIAGNOSTIC, FILE]),
        (
            {"diagnostics": (F821,), "oracles": (), "selection": SELECTION},
            [DIAGNOSTIC, ("Reduce selection", NO_ORACLE)],
        ),
        (
            {"diagnostics": (F821,), "obstacle": UNTRUSTED, "diagnostics_obstacle": UNTRUSTED},
            [(DIAGNOSTIC[0], UNTRUSTED), ("Reduce file", UNTRUSTED)],
        ),
        ({"can_restore": True}, [FILE, RESTORE]),
        ({"can_step_back": True}, [FILE, STEP_BACK]),
        ({"can_continue": True}, [FILE, CONTINUE]),
        ({"can_reduce_others": True}, [FILE, OTHERS]),
        ({"can_report": True}, [FILE, REPORT]),
        (
            {"running": "running", "reduction": "reduction-1"},
            [("Stop reduction", "pollard.stop", JOB), ("Pause reduction", "pollard.pause", JOB)],
        ),
        (
            {"running": "running", "reduction": "reduction-1", "diagnostics": (F821,)},
            [("Stop reduction", "pollard.stop", JOB), ("Pause reduction", "pollard.pause", JOB)],
        ),
        (
            {"running": "paused", "reduction": "reduction-1"},
            [("Stop reduction", "pollard.stop", JOB), ("Resume reduction", "pollard.resume", JOB)],
        ),
    ],
)
def test_the_actions_offered_in_a_situation(changes, expected) -> None:
    assert offered(IDLE, **changes) == expected


def test_after_a_reduction_all_ways_on_and_back_are_offered_in_order() -> None:
    assert offered(ENDED) == [FILE, CONTINUE, RESTORE, STEP_BACK, OTHERS, REPORT]


def test_going_back_needs_no_oracle_but_going_on_does() -> None:
    assert offered(ENDED, obstacle=UNTRUSTED) == [
        ("Reduce file", UNTRUSTED),
        ("Continue the interrupted reduction", UNTRUSTED),
        RESTORE,
        STEP_BACK,
        ("Reduce another failure", UNTRUSTED),
        REPORT,
    ]


def test_a_reduction_can_be_stopped_despite_an_obstacle() -> None:
    titles = [title for title, *_ in offered(ENDED, running="running", obstacle=UNTRUSTED)]
    assert titles == ["Stop reduction", "Pause reduction"]


@pytest.mark.parametrize(
    ("only", "asked"),
    [
        (None, True),
        ((), True),
        (("",), True),
        (("refactor",), True),
        (("refactor.rewrite",), True),
        (("refactor.rewrite.reduce",), True),
        (("quickfix", "refactor"), True),
        (("quickfix",), False),
        (("source",), False),
        (("refactor.extract",), False),
        (("refactor.re",), False),
        (("refactor.rewrite.reduce.more",), False),
    ],
)
def test_requested_kinds_are_matched_as_the_protocol_says(only, asked: bool) -> None:
    assert bool(offered(IDLE, only=only)) is asked


def test_going_on_after_a_diagnostic_needs_no_oracle() -> None:
    after = dataclasses.replace(ENDED, last_is_diagnostic=True)
    assert CONTINUE in offered(after, oracles=())
    assert OTHERS in offered(after, oracles=())
    assert (CONTINUE[0], UNTRUSTED) in offered(after, diagnostics_obstacle=UNTRUSTED)


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (("refactor",), [DIAGNOSTIC, FILE]),
        ((KIND,), [DIAGNOSTIC, FILE]),
        ((DIAGNOSTIC_KIND,), [DIAGNOSTIC]),
        (("quickfix",), []),
    ],
)
def test_actions_on_diagnostics_can_be_requested_alone(only, expected) -> None:
    assert offered(IDLE, diagnostics=(F821,), only=only) == expected


def test_an_action_on_a_diagnostic_names_it_to_the_editor() -> None:
    action, file = actions(dataclasses.replace(IDLE, diagnostics=(F821,)))
    assert isinstance(action, lsp.CodeAction)
    assert isinstance(file, lsp.CodeAction)
    assert (action.kind, action.diagnostics) == (DIAGNOSTIC_KIND, [SHOWN])
    assert (file.kind, file.diagnostics) == (KIND, None)


@pytest.mark.parametrize("asks_editor", [False, True])
def test_equal_diagnostics_are_offered_once_and_others_where_the_editor_can_be_asked(
    asks_editor: bool,
) -> None:
    """Two names are equally undefined; only the editor knows how to ask a spelling checker."""
    other = lsp.Diagnostic(SELECTION, "Undefined name `y`", source="Ruff", code="F821")
    spelling = lsp.Diagnostic(SELECTION, "teh", source="spelling")
    nothing = lsp.Diagnostic(SELECTION, "teh")
    first, *more = offered_diagnostics([SHOWN, spelling, other, nothing], asks_editor=asks_editor)
    assert first == F821
    named = [("editor:spelling teh", "spelling teh"), ("editor: teh", "teh")]
    assert [(each.text, each.name) for each in more] == (named if asks_editor else [])


def test_a_number_is_a_code_and_a_message_stands_for_a_code_that_is_missing() -> None:
    numbered = lsp.Diagnostic(SELECTION, "Cannot find name 'x'.", source="ts", code=2304)
    compiler = lsp.Diagnostic(SELECTION, "Use of 'x'", source="clang", code="undeclared")
    found = offered_diagnostics([numbered, compiler], asks_editor=True)
    named = [(each.text, each.name) for each in found]
    assert named == [
        ("typescript:2304 Cannot find name ….", "TypeScript 2304"),
        ("clang: Use of …", "Clang Use of …"),
    ]


@pytest.mark.parametrize("running", [None, "running"])
def test_an_editor_without_literals_gets_commands(running) -> None:
    found = actions(dataclasses.replace(ENDED, running=running, knows_literals=False))
    assert found
    assert all(isinstance(action, lsp.Command) for action in found)


def test_disabled_actions_are_left_out_for_editors_that_do_not_show_them() -> None:
    assert offered(ENDED, obstacle=UNTRUSTED, shows_disabled=False) == [RESTORE, STEP_BACK, REPORT]
    assert offered(ENDED, obstacle=UNTRUSTED, knows_literals=False) == [RESTORE, STEP_BACK, REPORT]


SITUATIONS = st.builds(
    Situation,
    uri=st.just(URI),
    version=st.none() | st.integers(0, 99),
    selection=st.none() | st.just(SELECTION),
    oracles=st.lists(st.sampled_from(["gcc", "clang", "ü x"]), unique=True).map(tuple),
    obstacle=st.none() | st.just(UNTRUSTED),
    diagnostics=st.sampled_from([(), (F821,)]),
    diagnostics_obstacle=st.none() | st.just(UNTRUSTED),
    obstacles=st.dictionaries(st.sampled_from(["gcc", "clang"]), st.just("You said no.")),
    running=st.sampled_from([None, "running", "paused"]),
    reduction=st.none() | st.just("reduction-1"),
    can_restore=st.booleans(),
    can_step_back=st.booleans(),
    can_continue=st.booleans(),
    can_reduce_others=st.booleans(),
    can_report=st.booleans(),
    last_is_diagnostic=st.booleans(),
    shows_disabled=st.booleans(),
    knows_literals=st.booleans(),
)


@given(SITUATIONS)
def test_every_action_can_be_run_or_says_why_not(situation: Situation):
    for action in actions(situation):
        if isinstance(action, lsp.CodeAction):
            assert action.kind == (DIAGNOSTIC_KIND if action.diagnostics else KIND)
            assert (action.command is None) is (action.disabled is not None)
        if isinstance(action, lsp.Command) or action.disabled is None:
            _, command, argument = summary(action)
            parsed = parse(command, [argument], COMMANDS[command])
            if isinstance(parsed, ReduceArguments) and parsed.range:
                assert parsed.range == SELECTION
        else:
            assert situation.shows_disabled
            assert action.disabled.reason


@given(SITUATIONS)
def test_all_of_it_is_json(situation: Situation):
    """Arguments are plain JSON, so an editor can send them back unchanged."""
    written = converters.get_converter().unstructure(actions(situation))
    for action in written:
        command = action["command"] if isinstance(action.get("command"), dict) else action
        for argument in command.get("arguments", []):
            assert {type(value) for value in argument.values()} <= {str, int, bool, dict}
