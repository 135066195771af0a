"""Which diagnostics are meant by what users write, and by what editors show."""

from __future__ import annotations

import pytest

from pollard.errors import OracleError
from pollard.oracle import CommandOracle, Criteria
from pollard.oracle.diagnostics.wanted import wanted_from, wanted_like
from pollard.oracle.failures.selection import read_signature
from tests.core.oracle.diagnostics.recorded import recorded_outcome
from tests.core.oracle.helpers import outcome


@pytest.mark.parametrize(
    ("tool", "text", "holds"),
    [
        ("ruff", "ruff", True),
        ("ruff", "ruff:F821", True),
        ("ruff", "Ruff:f821", True),
        ("ruff", "ruff:undefined-name", True),
        ("ruff", "ruff:E501", False),
        ("ruff", "ruff:F821 Undefined name `missing`", True),
        ("ruff", "ruff:F821 undefined name `anything`", True),
        ("ruff", "ruff: Undefined name …", True),
        ("ruff", "ruff:F401 Undefined name …", False),
        ("typescript", "typescript:2322", True),
        ("typescript", "typescript:TS2322", True),
        ("typescript", "typescript:322", False),
        ("shellcheck", "shellcheck:2086", True),
        ("luacheck", "luacheck:113", True),
        ("luacheck", "luacheck:E113", False),
        ("pylint", "pylint:E0602:undefined-variable", True),
        ("pylint", "pylint:E0602", True),
    ],
)
def test_codes_and_messages_are_compared_as_tools_and_editors_write_them(tool, text, holds):
    assert Criteria(diagnostic=(text,)).holds(recorded_outcome(tool)) is holds


@pytest.mark.parametrize("told", ["-Wimplicit-fallthrough=", "-Wimplicit-fallthrough=3"])
def test_the_value_of_a_flag_for_a_warning_does_not_matter(told):
    line = f"a.c:4:9: warning: this statement may fall through [{told}]\n"
    seen = outcome(stderr=line.encode())
    for code in ("-Wimplicit-fallthrough", "-Wimplicit-fallthrough=", "-Wimplicit-fallthrough=5"):
        assert Criteria(diagnostic=(f"gcc:{code}",)).holds(seen)
    assert not Criteria(diagnostic=("gcc:-Wimplicit",)).holds(seen)


def test_all_diagnostics_must_be_reported():
    seen = recorded_outcome("ruff")
    assert Criteria(diagnostic=("ruff:F821", "ruff:F401")).holds(seen)
    assert not Criteria(diagnostic=("ruff:F821", "ruff:E501")).holds(seen)


def test_other_criteria_must_hold_as_well():
    seen = recorded_outcome("ruff")
    assert not Criteria(diagnostic=("ruff:F821",), exit_code=(0,)).holds(seen)


def test_what_is_missing_is_explained_by_what_is_reported():
    line = Criteria(diagnostic=("ruff:E501",)).explain(recorded_outcome("ruff"))[0]
    assert line == (
        "FAILED: the diagnostic ruff:E501 must be reported; it reported F401 … imported but unused; "
        "F821 Undefined name …"
    )


def test_the_failure_of_a_run_is_the_diagnostic():
    """So `same_failure` keeps its code, or in the degree "strict" its message too."""
    criteria = Criteria(diagnostic=("ruff:F821",))
    signature = read_signature(recorded_outcome("ruff"), criteria)
    assert signature is not None
    assert (signature.kind, signature.message, signature.where, signature.ending) == (
        "ruff F821",
        "Undefined name …",
        "line 6",
        "exit code 1",
    )


@pytest.mark.parametrize(
    ("text", "holds"),
    [("F821", True), ("lsp:F821 undefined name `x`", True), ("F401 other", False), ("E9", False)],
)
def test_a_code_alone_is_that_of_a_language_server(text, holds):
    assert Criteria(diagnostic=(text,)).holds(recorded_outcome("lsp")) is holds


def test_a_code_alone_is_not_enough_for_a_command():
    with pytest.raises(
        OracleError, match=r"'F821' names no tool .* ruff, .* name a language server"
    ):
        CommandOracle("ruff", criteria=Criteria(diagnostic=("F821",)))


def test_an_unknown_tool_is_answered_with_the_known_ones():
    with pytest.raises(OracleError, match=r"'lint'.* ruff, mypy, .*-- COMMAND"):
        wanted_from("lint:E1")


@pytest.mark.parametrize(
    ("source", "code", "message", "text"),
    [
        ("Ruff", "F821", "Undefined name `x`", "ruff:F821 Undefined name …"),
        (
            "Pylance",
            "reportUndefinedVariable",
            '"x" is not defined',
            "pyright:reportUndefinedVariable … is not defined",
        ),
        ("eslint", "no-undef", "'x' is not defined.", "eslint:no-undef … is not defined."),
        ("ts", "2304", "Cannot find name 'x'.", "typescript:2304 Cannot find name …."),
        # clangd has codes of its own, capitals, and notes about what it could repair.
        (
            "clang",
            "undeclared_var_use",
            "Use of undeclared identifier 'x' (fix available)",
            "clang: Use of undeclared identifier …",
        ),
        (
            "clang",
            "-Wunused-variable",
            "Unused variable 'x'",
            "clang:-Wunused-variable Unused variable …",
        ),
        (
            "printf",
            "default",
            "Printf format %d has arg x",
            "go-vet:printf Printf format %d has arg x",
        ),
        ("rustc", "E0425", "cannot find value `x`\nnot found", "rustc:E0425 cannot find value …"),
    ],
)
def test_a_diagnostic_of_an_editor_is_asked_for_by_its_tool(source, code, message, text):
    assert str(wanted_like(source, code, message)) == text


@pytest.mark.parametrize("source", ["", "spell", "check-jsonschema"])
def test_a_source_that_pollard_cannot_run_is_not_asked_for(source):
    assert wanted_like(source, "x", "y") is None


def test_what_an_editor_shows_is_found_in_what_the_command_prints():
    found = wanted_like("clang", "undeclared_var_use", "Use of undeclared identifier 'a'")
    assert found is not None
    assert found.found(recorded_outcome("clang")) is not None
    assert wanted_from(str(found)) == found
