"""The page on the language server lists what there is, in the code's own words.

Run this file to print its tables of fields as they have to be.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import sys
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from lsprotocol import types as lsp

from pollard.settings import Settings, read_settings
from pollard_server.actions import (
    DIAGNOSTIC_KIND,
    KIND,
    OfferedDiagnostic,
    Situation,
    actions,
)
from pollard_server.configuration import EXTENSION_KEYS
from pollard_server.features import DID_CHANGE_TRUST
from pollard_server.jobs.round import Decision
from pollard_server.protocol import arguments, notifications, requests, results
from pollard_server.protocol.arguments import COMMANDS
from pollard_server.protocol.conversion import camel, parse
from pollard_server.trust import ALWAYS, NO, ONCE

_PAGE = Path(__file__).resolve().parents[2] / "docs" / "server.md"

# The tables of a section in order.
_SECTIONS: dict[str, list[type[Any]]] = {
    "`pollard.reduce`": [arguments.ReduceArguments, results.ReduceStarted],
    "`pollard.reduceFolder`": [arguments.ReduceFolderArguments],
    "`pollard.stop`, `pollard.pause`, `pollard.resume`": [arguments.JobsArguments, results.Ids],
    "`pollard.restore`": [arguments.RestoreArguments, results.Restored],
    "`pollard.reduceOther`": [arguments.ReduceOtherArguments, results.OtherChosen],
    "`pollard.report`": [arguments.ReportArguments, results.ReportWritten],
    "`pollard.history`": [
        arguments.HistoryArguments,
        results.HistoryReport,
        results.HistoryText,
        results.HistoryFolder,
        results.HistoryRecord,
        results.HistoryStep,
    ],
    "`pollard.status`": [arguments.StatusArguments, results.StatusReport],
    "`pollard.oracles`": [arguments.OraclesArguments, results.OracleChoices, results.OracleChoice],
    "`pollard.presets`": [
        arguments.PresetsArguments,
        results.PresetChoices,
        results.PresetChoice,
        results.ShownQuestion,
    ],
    "`pollard.checkOracle`": [arguments.CheckOracleArguments, results.CheckStarted],
    "`pollard.configureOracle`": [arguments.ConfigureOracleArguments, results.Configured],
    "`pollard/progress`": [
        notifications.ProgressParams,
        notifications.ShownFailure,
        notifications.ShownFrequency,
        notifications.ShownOtherFailure,
        notifications.ShownCompanion,
    ],
    "`pollard/diagnose`": [requests.DiagnoseParams, requests.DiagnoseAnswer],
    "`pollard/checked`": [
        notifications.CheckedParams,
        notifications.CheckedRun,
        notifications.Criterion,
    ],
}
_VALUES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "bool": "boolean",
    "None": "null",
    "State": "string",
    "lsp.Range": "Range",
    "tuple[str, ...]": "list of strings",
    "tuple[int, int]": "two integers",
    "tuple[HistoryStep, ...]": "list of steps",
    "tuple[HistoryRecord, ...]": "list of records",
    "tuple[ProgressParams, ...]": "list of `pollard/progress`",
    "tuple[CheckedRun, ...]": "list of runs",
    "ShownFailure": "failure",
    "ShownFrequency": "frequency",
    "tuple[ShownOtherFailure, ...]": "list of other failures",
    "tuple[ShownCompanion, ...]": "list of companions",
    "tuple[Criterion, ...]": "list of criteria",
    "tuple[OracleChoice, ...]": "list of oracles",
    "list[dict[str, Any]]": "list of Diagnostic",
    "Mapping[str, object]": "object",
    "Mapping[str, Any]": "object",
    "Mapping[str, str]": "object of strings",
    "tuple[PresetChoice, ...]": "list of presets",
    "tuple[ShownQuestion, ...]": "list of questions",
}


def _text() -> str:
    return _PAGE.read_text(encoding="utf-8")


def _section(heading: str) -> str:
    """Return the text below a heading, up to the next heading of its level or above."""
    level, rest = re.findall(
        rf"^(#+) {re.escape(heading)}\n(.*)", _text(), re.MULTILINE | re.DOTALL
    )[0]
    return re.split(rf"^#{{1,{len(level)}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def _tables(text: str) -> list[str]:
    return re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)


def _column(text: str, number: int = 0) -> list[str]:
    """Return the cells of a column of the first table, without header and backquotes."""
    rows = _tables(text)[0].splitlines()[2:]
    return [row.split("|")[number + 1].strip().strip("`") for row in rows]


@cache
def _docstrings(module: ModuleType) -> dict[str, str]:
    """Return the docstrings of fields and aliases, by `Class.field` and `Alias`."""
    docstrings: dict[str, str] = {}
    tree = ast.parse(inspect.getsource(module))
    for scope in (tree, *(node for node in tree.body if isinstance(node, ast.ClassDef))):
        prefix = f"{scope.name}." if isinstance(scope, ast.ClassDef) else ""
        for node, after in zip(scope.body, scope.body[1:], strict=False):
            target = getattr(node, "target", None) or getattr(node, "targets", [None])[0]
            if isinstance(target, ast.Name) and isinstance(after, ast.Expr):
                assert isinstance(after.value, ast.Constant)
                docstrings[f"{prefix}{target.id}"] = " ".join(str(after.value.value).split())
    return docstrings


def fields_table(cls: type[Any]) -> str:
    """Return the table of a class that the page must show."""
    is_argument = cls in COMMANDS.values()
    rows = [_row(cls, field, is_argument) for field in fields(cls)]
    head = "argument" if is_argument else "field"
    return "".join([f"| {head} | value | meaning |\n|---|---|---|\n", *rows])


def _row(cls: type[Any], field: Any, is_argument: bool) -> str:
    docstrings = _docstrings(sys.modules[cls.__module__])
    meaning = docstrings.get(f"{cls.__name__}.{field.name}") or docstrings[field.type]
    if field.type == "State":
        states = ", ".join(f"`{state}`" for state in notifications.State.__args__)  # type: ignore[attr-defined]
        meaning = f"{states}. {meaning}"
    name = field.name if is_argument else camel(field.name)
    return f"| `{name}` | {_value(field, is_argument)} | {meaning} |\n"


def _value(field: Any, is_argument: bool) -> str:
    whole = str(field.type)
    kinds = [_VALUES[kind] for kind in ([whole] if whole in _VALUES else whole.split(" | "))]
    if not is_argument:
        return " or ".join(kinds)
    kinds = [kind for kind in kinds if kind != "null"]
    required = field.default is MISSING and field.default_factory is MISSING
    return " or ".join(kinds) + (", required" if required else "")


@pytest.mark.parametrize("heading", _SECTIONS)
def test_tables_of_fields_are_those_of_the_code(heading: str) -> None:
    assert _tables(_section(heading)) == [fields_table(cls) for cls in _SECTIONS[heading]]


def test_no_command_result_or_notification_is_left_out() -> None:
    """So nothing can be added to the protocol without documentation."""
    named = set(re.findall(r"`(pollard\.\w+)`", " ".join(_SECTIONS)))
    assert named == set(COMMANDS)
    shown = {cls for classes in _SECTIONS.values() for cls in classes}
    sent = [*_classes(results), *_classes(notifications), *_classes(requests)]
    assert shown == {*COMMANDS.values(), *sent}
    for command, cls in COMMANDS.items():
        assert any(f"`{command}`" in heading and cls in _SECTIONS[heading] for heading in _SECTIONS)
    own = (notifications.PROGRESS, notifications.CHECKED, requests.DIAGNOSE, DID_CHANGE_TRUST)
    for message in own:
        assert f"### `{message}`\n" in _text()


def _classes(module: ModuleType) -> set[type[Any]]:
    own = (value for value in vars(module).values() if inspect.isclass(value))
    return {cls for cls in own if is_dataclass(cls) and cls.__module__ == module.__name__}


def test_the_notification_about_trust_has_one_field() -> None:
    assert _column(_section(f"`{DID_CHANGE_TRUST}`")) == ["trusted"]


def _offered() -> dict[str, str]:
    """Return all titles of code actions with their commands; NAME stands for an oracle's name."""
    start, end = lsp.Position(0, 0), lsp.Position(1, 0)
    idle = dict.fromkeys(
        ("can_restore", "can_step_back", "can_continue", "can_reduce_others", "can_report"), True
    )
    shown = lsp.Diagnostic(lsp.Range(start, end), "")
    diagnostics = (OfferedDiagnostic("", "TOOL CODE", shown),)
    situations = [
        Situation(
            uri="u",
            selection=selection,
            oracles=oracles,
            diagnostics=diagnostics,
            running=running,
            **idle,
        )
        for selection in (None, lsp.Range(start, end))
        for oracles in (("NAME",), ("NAME", "OTHER"))
        for running in (None, "running", "paused")
    ]
    offered = [action for situation in situations for action in actions(situation)]
    return {
        action.title: action.command.command
        for action in offered
        if isinstance(action, lsp.CodeAction) and action.command and "OTHER" not in action.title
    }


def test_code_actions_have_the_titles_and_commands_of_the_code() -> None:
    section = _section("The code actions")
    assert dict(zip(_column(section), _column(section, 1), strict=True)) == _offered()
    assert f"`{KIND}`" in section
    assert f"`{DIAGNOSTIC_KIND}`" in section


def test_buttons_are_those_of_the_code() -> None:
    assert _column(_section("What is asked")) == [ONCE, ALWAYS, NO]
    assert _column(_section("If you type meanwhile")) == [each.value for each in Decision]


def test_error_codes_are_those_of_the_protocol() -> None:
    codes = [lsp.ErrorCodes.InvalidParams, lsp.LSPErrorCodes.RequestFailed]
    assert _column(_section("Errors")) == [str(code.value) for code in codes]


def test_keys_that_the_server_leaves_to_extensions_are_named() -> None:
    section = _section("Settings")
    assert all(f"`{key}`" in section for key in EXTENSION_KEYS)


def _examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", _text(), re.DOTALL)


def test_examples_of_settings_files_are_valid(tmp_path: Path) -> None:
    """The examples that are not an editor's own settings."""
    examples = [example for example in _examples("toml") if "[oracles." in example]
    assert examples
    for example in examples:
        file = tmp_path / "pollard.toml"
        file.write_text(example, encoding="utf-8")
        assert read_settings(file).oracles


def test_examples_of_messages_are_valid() -> None:
    options, request = map(json.loads, _examples("json"))
    assert options.pop("trusted") is True
    assert Settings().merge(options).oracles
    wish = parse(request["command"], request["arguments"], COMMANDS[request["command"]])
    assert isinstance(wish, arguments.ReduceArguments)


if __name__ == "__main__":
    for _heading, _shown in _SECTIONS.items():
        print(f"### {_heading}\n")
        for _cls in _shown:
            print(f"{_cls.__name__}:\n\n{fields_table(_cls)}")
