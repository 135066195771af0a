"""Settings: what is written is what is used, and every mistake is reported with its line."""

from __future__ import annotations

import math
import signal
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.settings import (
    CriteriaSettings,
    LanguageSettings,
    OracleSettings,
    PreprocessingSettings,
    Problem,
    Settings,
    SettingsError,
    StreamSettings,
    find_settings,
    read_settings,
    settings_for,
)
from pollard.settings.locate import key_lines
from pollard.syntax.branches import Preprocessing

FULL = """\
oracle = "gcc-ice"
strategy = ["coarse-hdd", "hddh*"]
jobs = 2
timeout = "10s"
memory = "2GiB"
output_limit = "1MB"
guard = false
cache = false
checks = 5
learn_invalid = true
renaming = false
formatter = ["clang-format", "--assume-filename={file}"]

[preprocessing]
squeeze = false
hide = true

[stream]
mode = "final"
interval = "1s"

[languages.python]
oracle = "black"
formatter = "black -q -"

[oracles.gcc-ice]
command = ["gcc", "-O2", "{file}"]
output = "internal compiler error: .* at tree-ssa"
not_exit_code = 0
signal = ["SIGSEGV", "abrt", 9]
timeout = "500ms"
languages = ["c", "cpp"]
files = ["config.h"]
runs_required = "2 of 3"
invalid = { stderr = "cannot find" }

[oracles.black]
command = "black - | grep -q x"
stdin = true
exit_code = [123, 1]
memory = "none"
languages = "py"
"""


def write(folder, text, name="pollard.toml"):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def problems(folder, text, name="pollard.toml"):
    """Return "line: message" of each problem that reading `text` reports."""
    with pytest.raises(SettingsError) as caught:
        read_settings(write(folder, text, name))
    found = caught.value.problems
    assert {problem.file for problem in found} == {str(folder / name)}
    assert str(caught.value) == "\n".join(map(str, found))
    return [f"{problem.line}: {problem.message}" for problem in found]


def test_every_key_is_read(tmp_path):
    settings = read_settings(write(tmp_path, FULL))
    assert (settings.oracle, settings.strategy) == ("gcc-ice", ("coarse-hdd", "hddh*"))
    assert (settings.jobs, settings.workers, settings.checks) == (2, 2, 5)
    assert (settings.timeout, settings.memory, settings.output_limit) == (10, 2 * 2**30, 10**6)
    assert (settings.guard, settings.cache) == (False, False)
    assert settings.learn_invalid
    assert not settings.renaming
    assert settings.formatter == ("clang-format", "--assume-filename={file}")
    assert settings.preprocessing == PreprocessingSettings(squeeze=False)
    assert settings.stream == StreamSettings(mode="final", interval=1.0)
    assert settings.languages == {
        "python": LanguageSettings(oracle="black", formatter="black -q -")
    }
    assert settings.workspace == tmp_path.resolve()
    assert settings.oracles["gcc-ice"] == OracleSettings(
        name="gcc-ice",
        command=("gcc", "-O2", "{file}"),
        output="internal compiler error: .* at tree-ssa",
        not_exit_code=(0,),
        signal=(signal.SIGSEGV, signal.SIGABRT, 9),
        timeout=0.5,
        languages=("c", "cpp"),
        files=("config.h",),
        runs_required=(2, 3),
        invalid=CriteriaSettings(stderr="cannot find"),
    )
    black = settings.oracles["black"]
    assert (black.command, black.stdin) == ("black - | grep -q x", True)
    assert (black.exit_code, black.memory, black.languages) == ((123, 1), 0, ("py",))


def test_pyproject_has_the_same_keys(tmp_path):
    lines = FULL.replace("[oracles.", "[tool.pollard.oracles.").replace(
        "[languages.", "[tool.pollard.languages."
    )
    for table in ("stream", "preprocessing"):
        lines = lines.replace(f"[{table}]", f"[tool.pollard.{table}]")
    shared = write(tmp_path / "a", "[tool.pollard]\n" + lines, "pyproject.toml")
    own = write(tmp_path / "b", FULL)
    assert read_settings(shared).oracles == read_settings(own).oracles
    assert read_settings(shared).stream == read_settings(own).stream
    assert read_settings(shared).preprocessing == read_settings(own).preprocessing


def test_an_empty_file_gives_the_defaults(tmp_path):
    settings = read_settings(write(tmp_path, ""))
    assert (settings.oracle, settings.strategy, settings.jobs) == (None, None, "auto")
    assert (settings.timeout, settings.memory, settings.checks) == (None, None, 3)
    assert (settings.guard, settings.cache, settings.learn_invalid) == (True, True, False)
    assert settings.renaming
    assert settings.formatter is None
    assert settings.preprocessing.to_preprocessing() == Preprocessing()
    assert (settings.stream.mode, settings.stream.interval) == ("live", 0.25)
    assert settings.workers >= 1


def test_every_key_has_a_line_of_documentation():
    for table in (
        Settings,
        OracleSettings,
        CriteriaSettings,
        LanguageSettings,
        PreprocessingSettings,
        StreamSettings,
    ):
        for key in fields(table):
            doc = key.metadata.get("doc")
            if doc is None:
                assert key.name in {"name", "formatter", "origin", "workspace"}
            else:
                assert doc.endswith(".")
                assert "\n" not in doc


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '\n\n[oracles.gcc-ice]\ncommand = "x"\ncomand = "x"\n',
            "5: unknown key 'comand' in [oracles.gcc-ice]; did you mean 'command'?",
        ),
        ("# c\n\njobs = [2]\n", "3: 'jobs' must be a whole number or \"auto\", not a list"),
        ("job = 2", "1: unknown key 'job'; did you mean 'jobs'?"),
        ("qqqqqq = 2", "1: unknown key 'qqqqqq'"),
        ("jobs = 0", "1: 'jobs' must be a whole number or \"auto\", not the number 0"),
        ("jobs = true", "1: 'jobs' must be a whole number or \"auto\", not true"),
        ("guard = 1", "1: 'guard' must be true or false, not the number 1"),
        ("checks = 1.5", "1: 'checks' must be a whole number, 1 or more, not the number 1.5"),
        ("strategy = []", "1: 'strategy' must be a preset's name or a list, not a list"),
        ("strategy = 1979-05-27", "1: 'strategy' must be a preset's name or a list, not a date"),
        ("timeout = '5 parsecs'", "1: 'timeout' must be a duration such as"),
        ("timeout = 0", "1: 'timeout' must be a duration above zero"),
        ("timeout = nan", "1: 'timeout' must be a duration above zero"),
        ("memory = '2 apples'", "1: 'memory' must be a size such as"),
        ("memory = -1", "1: 'memory' must be a size such as"),
        ("oracles = 3", "1: 'oracles' must be a table, not the number 3"),
        ("[oracles]\na = []", "2: 'a' in [oracles] must be a table, not a list"),
        ("\n[oracles.a]\n", "2: [oracles.a] needs a 'command'"),
        ("[oracles.a]\ncommand = []", "2: 'command' in [oracles.a] must be a list of texts"),
        ("[oracles.a]\ncommand = ['x', 1]", "2: 'command' in [oracles.a] must be a list of texts"),
        (
            "[oracles.a]\ncommand='x'\nstdout = '('",
            "3: 'stdout' in [oracles.a] is not a regular expression Python understands: missing )",
        ),
        (
            "[oracles.a]\ncommand='x'\nsignal = 'SIGSEG'",
            (
                "3: 'signal' in [oracles.a] names the signal 'SIGSEG', which this system has not; "
                "did you mean 'SIGSEGV'?"
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


def test_a_problem_reads_like_a_compilers():
    assert str(Problem("pollard.toml", 7, "unknown")) == "pollard.toml:7: unknown"
    assert str(Problem("editor", None, "unknown")) == "editor: unknown"


def test_an_unreadable_file_is_said_to_be(tmp_path):
    with pytest.raises(SettingsError, match=r"pollard\.toml: cannot be read"):
        read_settings(tmp_path / "pollard.toml")


def test_lines_are_found_in_every_way_to_write_a_key():
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
def test_no_value_of_any_type_is_worse_than_a_settings_error(value):
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


# Where settings are found


def test_the_nearest_file_upwards_wins_and_its_folder_is_the_workspace(tmp_path):
    write(tmp_path, "jobs = 1")
    write(tmp_path / "a", "jobs = 2")
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    settings = settings_for(deep / "x.c")
    assert settings.jobs == 2
    assert settings.workspace == (tmp_path / "a").resolve()


def test_pyproject_counts_only_with_our_table_and_our_own_file_goes_first(tmp_path):
    own = write(tmp_path, "jobs = 1")
    write(tmp_path / "a", "[tool.other]\nx = 'tool.pollard'\n", "pyproject.toml")
    assert find_settings(tmp_path / "a") == own.resolve()
    ours = write(tmp_path / "a" / "b", "[tool.pollard]\njobs = 3\n", "pyproject.toml")
    assert find_settings(tmp_path / "a" / "b") == ours.resolve()
    assert settings_for(tmp_path / "a" / "b" / "x.c").jobs == 3
    nearer = write(tmp_path / "a" / "b", "jobs = 4")
    assert find_settings(tmp_path / "a" / "b") == nearer.resolve()


def test_a_broken_pyproject_is_reported_only_if_it_speaks_of_us(tmp_path):
    write(tmp_path / "a", "[project\n", "pyproject.toml")
    assert settings_for(tmp_path / "a" / "x.c").jobs == "auto"
    write(tmp_path / "b", "[tool.pollard]\njobs = \n", "pyproject.toml")
    with pytest.raises(SettingsError, match=r"pyproject\.toml:2: not valid TOML"):
        settings_for(tmp_path / "b" / "x.c")


def test_without_a_file_the_defaults_hold_and_the_files_folder_is_the_workspace(tmp_path):
    assert settings_for(tmp_path / "x.c").workspace == tmp_path.resolve()


# Overlays


def test_an_overlay_wins_key_by_key_and_oracle_by_oracle(tmp_path):
    base = read_settings(write(tmp_path, FULL))
    merged = base.merge({"oracle": "black", "oracles": {"new": {"command": "x"}}}, "editor")
    assert merged.oracle == "black"
    assert list(merged.oracles) == ["gcc-ice", "black", "new"]
    assert (merged.jobs, merged.workspace) == (2, base.workspace)


def test_an_editors_interval_is_in_milliseconds_and_leaves_the_files_mode_alone(tmp_path):
    base = read_settings(write(tmp_path, "[stream]\nmode = 'final'\ninterval = '2s'"))
    for interval, seconds in ((250, 0.25), (0.5, 0.0005), (60_000, 60), ("1 s", 1), ("1m", 60)):
        merged = base.merge({"stream": {"interval": interval, "mode": None}}, "editor")
        assert merged.stream == StreamSettings(mode="final", interval=seconds)
    assert base.merge({"stream": None}).stream == base.stream
    assert base.merge({"stream": {"mode": "live"}}).stream.interval == 2


def test_parts_of_the_preprocessing_are_laid_over_one_by_one(tmp_path):
    base = read_settings(write(tmp_path, "[preprocessing]\nsqueeze = false"))
    merged = base.merge({"preprocessing": {"hide": False, "squeeze": None}}, "editor")
    assert merged.preprocessing.to_preprocessing() == Preprocessing(squeeze=False, hide=False)
    off = read_settings(write(tmp_path, "[preprocessing]\nislands = false")).preprocessing
    assert off.to_preprocessing() == Preprocessing(islands=False)
    assert base.override({"preprocessing": {}}).preprocessing == base.preprocessing


def test_the_engine_has_the_same_preprocessing_as_the_settings():
    """Both are written down, since settings are read without the engine."""
    assert PreprocessingSettings().to_preprocessing() == Preprocessing()
    names = [key.name for key in fields(PreprocessingSettings)]
    assert names == [key.name for key in fields(Preprocessing)]


def test_the_command_lines_limits_win_over_each_oracles_own(tmp_path):
    base = read_settings(write(tmp_path, FULL))
    changed = base.override({"timeout": "3s", "memory": None, "jobs": 7, "oracle": None})
    assert changed.oracle_for("c").timeout == 3
    assert (changed.jobs, changed.oracle) == (7, "gcc-ice")
    assert changed.oracle_for("python").memory == base.oracle_for("python").memory
    with pytest.raises(SettingsError, match="command line: 'timeout' must be a duration"):
        base.override({"timeout": "soon"})


def test_a_later_check_can_still_name_the_line(tmp_path):
    settings = read_settings(write(tmp_path, FULL))
    assert str(settings.error(("strategy",), "no pass is called 'x'")).endswith(
        "pollard.toml:2: no pass is called 'x'"
    )


# Which oracle


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
def test_the_oracle_for_a_file(top, language, name, chosen):
    settings = Settings.from_mapping({"oracles": oracles(a=[], b=[]), **top})
    assert settings.oracle_for(language, name).name == chosen


@pytest.mark.parametrize(
    ("top", "language", "name", "message"),
    [
        ({}, "c", None, "no oracle is set; give a command, or add to pollard.toml"),
        ({"oracles": oracles(a=[], b=[])}, "c", None, "several oracles fit: a, b; name one"),
        ({"oracles": oracles(a=["c"])}, "d", None, "no oracle is for files in d; .*: a"),
        ({"oracles": oracles(a=["c"])}, None, None, "files of an unknown language"),
        ({"oracles": oracles(black=[])}, "c", "blak", "called 'blak'; did you mean 'black'?"),
        ({}, "c", "x", "called 'x'; add a table"),
    ],
)
def test_no_oracle_for_a_file_says_what_to_do(top, language, name, message):
    with pytest.raises(SettingsError, match=message):
        Settings.from_mapping(top).oracle_for(language, name)


def test_an_oracle_inherits_the_workspaces_limits_but_keeps_its_own(tmp_path):
    settings = read_settings(write(tmp_path, FULL))
    assert (settings.oracle_for("c").timeout, settings.oracle_for("c").memory) == (0.5, 2 * 2**30)
    assert (settings.oracle_for("python").timeout, settings.oracle_for("python").memory) == (10, 0)


def test_the_engines_oracle_gets_everything(tmp_path):
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


def test_no_limit_is_a_time_that_system_calls_still_take(tmp_path):
    settings = Settings.from_mapping({"oracles": {"a": {"command": "x", "timeout": "none"}}})
    assert settings.oracle_for().timeout == math.inf
    assert 86400 < settings.oracle_for().to_oracle(Path("/")).timeout * 1000 < 2**31


def test_what_is_not_set_is_left_to_the_engine():
    from_settings = Settings.from_mapping({"oracles": {"a": {"command": "x"}}}).oracle_for()
    oracle = from_settings.to_oracle(Path("/"))
    assert oracle.timeout is None
    assert oracle.invalid is None
    assert oracle.runs_required == (1, 1)
    assert oracle.criteria.empty


FORMATTERS = """
formatter = "tidy"
[oracles.a]
command = "a"
[languages.python]
formatter = ["black", "-"]
[languages.c]
formatter = "none"
[languages.json]
oracle = "a"
"""


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("python", ("black", "-")),
        ("py", ("black", "-")),
        ("c", None),
        ("json", "tidy"),
        (None, "tidy"),
    ],
)
def test_an_oracle_brings_the_formatter_of_the_language_or_the_workspaces(
    tmp_path, language, expected
):
    settings = read_settings(write(tmp_path, FORMATTERS))
    for chosen in (settings.oracle_for(language, "a"), *settings.oracles_for(language)):
        assert chosen.to_oracle(tmp_path).formatter == expected


def test_the_command_lines_formatter_wins_over_each_languages_own(tmp_path):
    settings = read_settings(write(tmp_path, FORMATTERS))

    def formatter(given):
        return settings.override({"formatter": given}).oracle_for("python").formatter

    assert formatter(("mine", "{file}")) == ("mine", "{file}")
    assert formatter("none") == ()
    assert formatter(None) == ("black", "-")


def test_what_holds_for_a_language_is_laid_over_key_by_key(tmp_path):
    settings = read_settings(write(tmp_path, FORMATTERS))
    over = settings.merge({"languages": {"json": {"formatter": "jq ."}, "c": {"oracle": "a"}}})
    assert over.languages["json"] == LanguageSettings(oracle="a", formatter="jq .")
    assert over.languages["c"] == LanguageSettings(oracle="a", formatter=())
    assert over.languages["python"] == settings.languages["python"]


def test_a_workspaces_formatter_can_be_switched_off_from_above(tmp_path):
    settings = read_settings(write(tmp_path, FORMATTERS)).merge({"formatter": "none"})
    assert settings.oracle_for(None).to_oracle(tmp_path).formatter is None
