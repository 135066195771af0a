"""Every mistake in settings is reported with its line."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.settings import (
    OracleSettings,
    Problem,
    Settings,
    SettingsError,
    read_settings,
)
from pollard.settings.settings_file import key_lines
from tests.core.settings.support import problems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '\n\n[oracles.gcc-ice]\ncommand = "x"\ncomand = "x"\n',
            "5: unknown key 'comand' in [oracles.gcc-ice]; did you mean 'command'?",
        ),
        (
            "# c\n\njobs = [2]\n",
            "3: 'jobs' must be a whole number, 1 or more, or \"auto\", not a list",
        ),
        ("job = 2", "1: unknown key 'job'; did you mean 'jobs'?"),
        ("qqqqqq = 2", "1: unknown key 'qqqqqq'"),
        ("jobs = 0", "1: 'jobs' must be a whole number, 1 or more, or \"auto\", not the number 0"),
        ("jobs = true", "1: 'jobs' must be a whole number, 1 or more, or \"auto\", not true"),
        ("guard = 1", "1: 'guard' must be true or false, not the number 1"),
        ("checks = 1.5", "1: 'checks' must be a whole number, 1 or more, not the number 1.5"),
        (
            "strategy = []",
            "1: 'strategy' must be a preset's name or a list of passes, not an empty list",
        ),
        (
            "strategy = 1979-05-27",
            "1: 'strategy' must be a preset's name or a list of passes, not a date",
        ),
        ("timeout = '5 parsecs'", "1: 'timeout' must be a duration such as"),
        ("timeout = 0", "1: 'timeout' must be a duration above zero"),
        ("timeout = nan", "1: 'timeout' must be a duration above zero"),
        ("memory = '2 apples'", "1: 'memory' must be a size such as"),
        ("memory = -1", "1: 'memory' must be a size such as"),
        ("oracles = 3", "1: 'oracles' must be a table, not the number 3"),
        ("[oracles]\na = []", "2: 'a' in [oracles] must be a table, not an empty list"),
        ("\n[oracles.a]\n", "2: [oracles.a] needs a 'command'"),
        ("[oracles.a]\ncommand = []", "2: 'command' in [oracles.a] must be a list of texts"),
        (
            "[oracles.a]\ncommand = ['x', 1]",
            (
                "2: 'command' in [oracles.a] must be a list of texts (the program and its arguments) "
                "or one text, not a list with the number 1"
            ),
        ),
        (
            "[oracles.a]\ncommand = 'x'\nexit_code = [1, 'b']",
            (
                "3: 'exit_code' in [oracles.a] must be an exit code or a list of them (a signal goes "
                "under 'signal'), not a list with \"b\""
            ),
        ),
        (
            "[oracles.a]\ncommand='x'\nstdout = '('",
            "3: 'stdout' in [oracles.a] is not a regular expression Python understands: missing )",
        ),
        (
            "[oracles.a]\ncommand='x'\nsignal = 'SIGSEG'",
            (
                "3: 'signal' in [oracles.a] names the signal 'SIGSEG', which this system does not "
                "have; did you mean 'SIGSEGV'?"
            ),
        ),
        ("[oracles.a]\ncommand='x'\nsignal = 500", "3: 'signal' in [oracles.a] must be a signal"),
        ("[oracles.a]\ncommand='x'\nexit_code = -11", "3: 'exit_code' in [oracles.a] must be an"),
        ("[oracles.a]\ncommand='x'\nexit_code = []", "3: 'exit_code' in [oracles.a] must be an"),
        ("[oracles.a]\ncommand='x'\nfiles = [1]", "3: 'files' in [oracles.a] must be a text or"),
        (
            "[oracles.a]\ncommand='x'\nruns_required = '3 of 2'",
            '3: \'runs_required\' in [oracles.a] must be "2 of 3" or [2, 3], not "3 of 2"',
        ),
        (
            "[oracles.a]\ncommand='x'\n[oracles.a.invalid]\nstdot = 'x'",
            "4: unknown key 'stdot' in [oracles.a.invalid]; did you mean 'stdout'?",
        ),
        (
            "[oracles.a]\ncommand='x'\ninvalid = { command = 'x' }",
            "3: unknown key 'command' in [oracles.a.invalid]",
        ),
        (
            "[oracles.a]\ncommand='x'\ninvalid = {}",
            "3: [oracles.a.invalid] is empty; give a criterion",
        ),
        ("[oracles.'a.b']\n", "1: [oracles.\"a.b\"] needs a 'command'"),
        (
            "oracle = 'gcc'\n[oracles.gcc-ice]\ncommand = 'x'",
            "1: no oracle is called 'gcc'; did you mean 'gcc-ice'?",
        ),
        ("oracle = 'zz'", "1: no oracle is called 'zz'; add a table [oracles.NAME]"),
        (
            "[oracles.a]\ncommand = 'x'\n[languages.c]\noracle = 'zzz'",
            "4: no oracle is called 'zzz'; there are: a",
        ),
        ("preprocessing = false", "1: 'preprocessing' must be a table, not false"),
        (
            "[preprocessing]\nflaten = false",
            "2: unknown key 'flaten' in [preprocessing]; did you mean 'flatten'?",
        ),
        (
            "[preprocessing]\nhide = 0",
            "2: 'hide' in [preprocessing] must be true or false, not the number 0",
        ),
        (
            "speculation = true",
            '1: \'speculation\' must be "eager", "frugal" or "off", not true',
        ),
        ("learn_invalid = 'yes'", "1: 'learn_invalid' must be true or false, not \"yes\""),
        ("renaming = 'no'", "1: 'renaming' must be true or false, not \"no\""),
        (
            "formatter = []",
            "1: 'formatter' must be a list of texts (the program and its arguments)",
        ),
        (
            "formatter = [' ', '-']",
            "1: 'formatter' names no program; its first text must be one",
        ),
        (
            "formatter = ' '",
            "1: 'formatter' must be a list of texts (the program and its arguments)",
        ),
        (
            "[languages.c]\nformatter = 3",
            "2: 'formatter' in [languages.c] must be a list of texts",
        ),
        (
            "[oracles.a]\ncommand = 'x'\nformatter = 'tidy'",
            "3: unknown key 'formatter' in [oracles.a]",
        ),
        ("stream = 'live'", "1: 'stream' must be a table, not \"live\""),
        (
            "[stream]\nmod = 'live'",
            "2: unknown key 'mod' in [stream]; did you mean 'mode'?",
        ),
        (
            "[stream]\nmode = 'fast'",
            '2: \'mode\' in [stream] must be "live" or "final", not "fast"',
        ),
        (
            "[stream]\ninterval = '250'",
            (
                "2: 'interval' in [stream] must be a time up to one minute such as \"250ms\", "
                'or in milliseconds, not "250"'
            ),
        ),
        ("[stream]\ninterval = '61s'", "2: 'interval' in [stream] must be a time up to"),
        ("[stream]\ninterval = 60_001", "2: 'interval' in [stream] must be a time up to"),
        ("[stream]\ninterval = 0", "2: 'interval' in [stream] must be a time up to"),
        ("[stream]\ninterval = nan", "2: 'interval' in [stream] must be a time up to"),
        ("[stream]\ninterval = true", "2: 'interval' in [stream] must be a time up to"),
        ("[stream]\ninterval = '5 parsecs'", "2: 'interval' in [stream] must be a duration"),
        ("a = 1\nb = = 2\n", "2: not valid TOML: invalid value"),
        ("a = [1,\n\n", "1: not valid TOML: "),
        ("a = 1\na = 2", "2: not valid TOML: cannot overwrite a value"),
        (b"a = 1\nb = '\xff'", "2: is not UTF-8 text"),
    ],
)
def test_a_mistake_is_reported_with_its_line(tmp_path, text, expected):
    (found,) = problems(tmp_path, text)
    assert found.startswith(expected)


def test_a_mistake_in_pyproject_names_the_whole_table(tmp_path):
    text = "[tool.other]\njobs = []\n[tool.pollard]\njob = 1\n[tool.pollard.oracles.a]\nx = 1\n"
    assert problems(tmp_path, text, "pyproject.toml") == [
        "4: unknown key 'job' in [tool.pollard]; did you mean 'jobs'?",
        "5: [tool.pollard.oracles.a] needs a 'command'",
        "6: unknown key 'x' in [tool.pollard.oracles.a]",
    ]


def test_all_mistakes_are_reported_together_in_order(tmp_path):
    text = "oracle = 'b'\njobs = []\nx = 1\n[oracles.a]\ncommand = 3\nstderr = '['\n"
    found = problems(tmp_path, text)
    assert [line.split(":")[0] for line in found] == ["1", "2", "3", "5", "6"]


def test_a_problem_is_printed_like_a_compiler_error():
    assert str(Problem("pollard.toml", 7, "unknown")) == "pollard.toml:7: unknown"
    assert str(Problem("editor", None, "unknown")) == "editor: unknown"


def test_an_unreadable_file_raises(tmp_path):
    with pytest.raises(SettingsError, match=r"pollard\.toml: cannot be read"):
        read_settings(tmp_path / "pollard.toml")


def test_key_lines_knows_every_way_to_write_a_key():
    text = (
        b'a = 1\n"b" . c = 2\n[d."e.f"]\ng = { h = 1,\ni.j = 2 }\n[[k]]\nl = [\n1]\n"\\u006d" = 1\n'
    )
    lines = key_lines(text)
    assert lines[("a",)] == 1
    assert lines[("b", "c")] == 2
    assert lines[("d", "e.f")] == 3
    assert lines[("d", "e.f", "g", "h")] == 4
    assert lines[("d", "e.f", "g", "i", "j")] == 5
    assert lines[("k", "l")] == 7
    assert lines[("k", "m")] == 9


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["oracle", "oracles", "languages", "a", "command", "invalid", "jobs"]
                )
                | st.sampled_from([key.name for key in fields(OracleSettings)]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_values_of_any_type_raise_nothing_but_settings_errors(value):
    found: list[object] = []
    try:
        found += Settings.from_mapping(
            {"oracles": {"a": value}, "languages": value, "stream": value}
        ).oracles
    except SettingsError as error:
        found += error.problems
    assert found or value is None


def test_an_editors_settings_have_no_lines_and_ignore_nulls():
    settings = Settings.from_mapping(
        {"jobs": None, "oracles": {"a": {"command": ["x"], "stdin": None}}}
    )
    assert settings.jobs == "auto"
    assert settings.oracles["a"].command == ("x",)
    with pytest.raises(SettingsError) as caught:
        Settings.from_mapping({"job": 1}, "the editor's settings")
    assert str(caught.value) == ("the editor's settings: unknown key 'job'; did you mean 'jobs'?")
