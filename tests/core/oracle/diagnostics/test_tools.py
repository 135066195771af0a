"""What tools print is read as the diagnostics that they report."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from pollard.oracle import Outcome
from pollard.oracle.diagnostics.reported import reported_diagnostics
from pollard.oracle.diagnostics.tools import known_tools
from tests.core.oracle.diagnostics.recorded import EXPECTED, recorded_outcome, run_tool, write_files
from tests.tools import tool_path

TOOLS = [each.tool for each in EXPECTED]
# CI installs all tools but the editor; the everyday tests have their outputs.
REAL = [each for each in EXPECTED if each.tool != "editor"]
# Those whose command only the user knows.
_WITHOUT_COMMAND = {"lsp": "ruff", "check-jsonschema": "check-jsonschema"}


def test_every_tool_has_a_recorded_output():
    assert sorted(TOOLS) == sorted(known_tools())


@pytest.mark.parametrize("expected", EXPECTED, ids=TOOLS)
def test_a_recorded_output_is_read(expected):
    check_shows(expected, recorded_outcome(expected.tool))


@pytest.mark.recipes
@pytest.mark.parametrize("expected", REAL, ids=lambda each: each.tool)
def test_the_real_tool_reports_it_in_a_run_directory(expected, tmp_path, monkeypatch):
    own = Path(sys.executable).parent  # the environment of the tests has ruff and mypy
    monkeypatch.setenv("PATH", os.pathsep.join([str(own), tool_path()]))
    program = _WITHOUT_COMMAND.get(expected.tool) or known_tools()[expected.tool].command[0]
    assert shutil.which(program), f"{program} is not installed"
    write_files(tmp_path)
    check_shows(expected, run_tool(expected, tmp_path))


@pytest.mark.parametrize("expected", EXPECTED, ids=TOOLS)
def test_a_tool_that_fails_has_reported_nothing_that_counts(expected):
    seen = recorded_outcome(expected.tool)
    tool = known_tools()[expected.tool]
    failed = Outcome(exit_code=99, signal=None, stdout=seen.stdout, stderr=seen.stderr)
    killed = Outcome(exit_code=None, signal=11, stdout=seen.stdout, stderr=seen.stderr)
    assert reported_diagnostics(tool, failed) is None
    assert reported_diagnostics(tool, killed) is None


@pytest.mark.parametrize(
    "tool",
    [each for each in known_tools().values() if each.format != "lines"],
    ids=lambda t: t.name,
)
def test_output_that_is_not_json_is_not_read(tool):
    crashed = b"Traceback (most recent call last):\nValueError: x\n"
    outcome = Outcome(exit_code=0, signal=None, stdout=crashed, stderr=crashed)
    assert reported_diagnostics(tool, outcome) is None


def check_shows(expected, outcome):
    reported = reported_diagnostics(known_tools()[expected.tool], outcome)
    assert reported is not None
    seen = [(each.code, each.message, str(each.line or "")) for each in reported]
    wanted = (expected.code, expected.message, expected.line)
    assert wanted in seen
