"""Which oracle a file gets, and its limits."""

from __future__ import annotations

import math
import signal
from pathlib import Path

import pytest

from pollard.settings import Settings, SettingsError, read_settings
from tests.core.settings.support import FULL, write


def oracles(**languages):
    return {name: {"command": "x", "languages": ids} for name, ids in languages.items()}


@pytest.mark.parametrize(
    ("top", "language", "name", "chosen"),
    [
        ({}, "c", "b", "b"),
        ({"oracle": "a"}, "c", None, "a"),
        ({"oracle": "a", "languages": {"c": {"oracle": "b"}}}, "c", None, "b"),
        ({"oracle": "a", "languages": {"bash": {"oracle": "b"}}}, "shellscript", None, "b"),
        ({"oracle": "a", "languages": {"c": {"oracle": "b"}}}, "rust", None, "a"),
        ({"oracle": "a", "languages": {"c": {}}}, "c", None, "a"),
        ({"oracles": oracles(a=["c"], b=["rust"])}, "rust", None, "b"),
        ({"oracle": "a", "oracles": oracles(a=["c"], b=["rust"])}, "rust", None, "b"),
        ({"oracles": oracles(a=["c"], b=[])}, None, None, "b"),
        ({"oracles": oracles(a=["c"])}, None, "a", "a"),
        ({"oracles": oracles(a=["sh"], b=["c++"])}, "cpp", None, "b"),
        (
            {"oracle": "a", "oracles": oracles(a=["c"]), "languages": {"d": {"oracle": "a"}}},
            "d",
            None,
            "a",
        ),
    ],
)
def test_oracle_for_a_file(top, language, name, chosen):
    settings = Settings.from_mapping({"oracles": oracles(a=[], b=[]), **top})
    assert settings.oracle_for(language, name).name == chosen


@pytest.mark.parametrize(
    ("top", "language", "name", "message"),
    [
        ({}, "c", None, "no oracle is set; give a command, set one up with `pollard init`, or add"),
        ({"oracles": oracles(a=[], b=[])}, "c", None, "several oracles fit: a, b; name one"),
        ({"oracles": oracles(a=["c"])}, "d", None, "no oracle is for files in d; .*: a"),
        ({"oracles": oracles(a=["c"])}, None, None, "files of an unknown language"),
        ({"oracles": oracles(black=[])}, "c", "blak", "called 'blak'; did you mean 'black'?"),
        ({}, "c", "x", "called 'x'; add a table"),
    ],
)
def test_the_error_without_an_oracle_says_what_to_do(top, language, name, message):
    with pytest.raises(SettingsError, match=message):
        Settings.from_mapping(top).oracle_for(language, name)


def test_an_oracle_inherits_the_workspaces_limits_but_keeps_its_own(tmp_path):
    settings = read_settings(write(tmp_path, FULL))
    assert (settings.oracle_for("c").timeout, settings.oracle_for("c").memory) == (0.5, 2 * 2**30)
    assert (settings.oracle_for("python").timeout, settings.oracle_for("python").memory) == (10, 0)


def test_all_keys_reach_the_engines_oracle(tmp_path):
    settings = read_settings(write(tmp_path, FULL))
    oracle = settings.oracle_for("c").to_oracle(tmp_path)
    assert oracle.command == ("gcc", "-O2", "{file}")
    assert oracle.name == "gcc-ice"
    assert oracle.criteria.output == "internal compiler error: .* at tree-ssa"
    assert oracle.criteria.not_exit_code == (0,)
    assert oracle.criteria.signal == (signal.SIGSEGV, signal.SIGABRT, 9)
    assert oracle.invalid is not None
    assert oracle.invalid.stderr == "cannot find"
    assert (oracle.timeout, oracle.memory, oracle.output_limit) == (0.5, 2 * 2**30, 10**6)
    assert oracle.files == (tmp_path / "config.h",)
    assert oracle.languages == ("c", "cpp")
    assert (oracle.runs_required, oracle.workspace, oracle.stdin) == ((2, 3), tmp_path, False)
    assert settings.oracle_for("python").to_oracle(tmp_path).memory is None


def test_timeout_none_is_long_but_fits_into_poll(tmp_path):
    settings = Settings.from_mapping({"oracles": {"a": {"command": "x", "timeout": "none"}}})
    assert settings.oracle_for().timeout == math.inf
    assert 86400 < settings.oracle_for().to_oracle(Path("/")).timeout * 1000 < 2**31


def test_the_engine_sets_defaults_for_absent_keys():
    from_settings = Settings.from_mapping({"oracles": {"a": {"command": "x"}}}).oracle_for()
    oracle = from_settings.to_oracle(Path("/"))
    assert oracle.timeout is None
    assert oracle.invalid is None
    assert oracle.runs_required == (1, 1)
    assert oracle.criteria.empty
