"""Reading all keys of a settings file, and the defaults."""

from __future__ import annotations

import signal
from dataclasses import fields

from pollard.settings import (
    CriteriaSettings,
    ExecutorSettings,
    LanguageSettings,
    OracleSettings,
    PreprocessingSettings,
    Settings,
    StreamSettings,
    read_settings,
)
from pollard.syntax.branches.branches import Preprocessing
from tests.core.settings.support import FULL, write


def test_every_key_is_read(tmp_path):
    settings = read_settings(write(tmp_path, FULL))
    assert (settings.oracle, settings.strategy) == ("gcc-ice", ("coarse-hdd", "hddh*"))
    assert (settings.jobs, settings.workers, settings.checks) == (2, 2, 5)
    assert (settings.timeout, settings.memory, settings.output_limit) == (10, 2 * 2**30, 10**6)
    assert (settings.guard, settings.cache) == (False, False)
    assert (settings.max_runs, settings.max_time) == (200, 300.0)
    assert settings.learn_invalid
    assert settings.speculation == "frugal"
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
        reduce_files=True,
        around=True,
        runs_required=(2, 3),
        invalid=CriteriaSettings(stderr="cannot find"),
    )
    black = settings.oracles["black"]
    assert (black.command, black.stdin) == ("black - | grep -q x", True)
    assert (black.exit_code, black.memory, black.languages) == ((123, 1), 0, ("py",))


def test_a_byte_order_mark_is_not_a_mistake(tmp_path):
    file = write(tmp_path, FULL)
    expected = read_settings(file)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_settings(file) == expected


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
    assert (settings.max_runs, settings.max_time) == (None, None)
    assert settings.renaming
    assert settings.speculation == "eager"
    assert settings.formatter is None
    assert settings.preprocessing.to_preprocessing() == Preprocessing()
    assert (settings.stream.mode, settings.stream.interval) == ("live", 0.25)
    assert settings.workers >= 1


def test_every_key_has_a_line_of_documentation():
    for table in (
        Settings,
        OracleSettings,
        CriteriaSettings,
        ExecutorSettings,
        LanguageSettings,
        PreprocessingSettings,
        StreamSettings,
    ):
        for key in fields(table):
            doc = key.metadata.get("doc")
            if doc is None:
                of_others = {"name", "formatter", "executor", "surroundings"}
                assert key.name in {*of_others, "origin", "workspace"}
            else:
                assert doc.endswith(".")
                assert "\n" not in doc
