"""Settings of an editor or the command line are merged over those of a file."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from pollard.errors import OracleError
from pollard.oracle.command import Cluster
from pollard.settings import (
    PreprocessingSettings,
    Settings,
    SettingsError,
    StreamSettings,
    read_settings,
)
from pollard.syntax.branches.branches import Preprocessing
from tests.core.settings.support import FULL, write


def test_merging_replaces_keys_and_whole_oracles(tmp_path):
    base = read_settings(write(tmp_path, FULL))
    merged = base.merge({"oracle": "black", "oracles": {"new": {"command": "x"}}}, "editor")
    assert merged.oracle == "black"
    assert list(merged.oracles) == ["gcc-ice", "black", "new"]
    assert (merged.jobs, merged.workspace) == (2, base.workspace)


def test_the_stream_table_is_merged_and_numbers_are_milliseconds(tmp_path):
    base = read_settings(write(tmp_path, "[stream]\nmode = 'final'\ninterval = '2s'"))
    for interval, seconds in ((250, 0.25), (0.5, 0.0005), (60_000, 60), ("1 s", 1), ("1m", 60)):
        merged = base.merge({"stream": {"interval": interval, "mode": None}}, "editor")
        assert merged.stream == StreamSettings(mode="final", interval=seconds)
    assert base.merge({"stream": None}).stream == base.stream
    assert base.merge({"stream": {"mode": "live"}}).stream.interval == 2


def test_the_preprocessing_table_is_merged_key_by_key(tmp_path):
    base = read_settings(write(tmp_path, "[preprocessing]\nsqueeze = false"))
    merged = base.merge({"preprocessing": {"hide": False, "squeeze": None}}, "editor")
    assert merged.preprocessing.to_preprocessing() == Preprocessing(squeeze=False, hide=False)
    off = read_settings(write(tmp_path, "[preprocessing]\nislands = false")).preprocessing
    assert off.to_preprocessing() == Preprocessing(islands=False)
    assert base.override({"preprocessing": {}}).preprocessing == base.preprocessing


def cluster_of(settings):
    return settings.oracle_for().to_oracle(settings.workspace or Path("/work")).cluster


def test_the_cluster_of_the_command_line_replaces_that_of_the_file(tmp_path):
    table = "[executor]\nkind = 'dask'\nscheduler_file = 'cluster.json'\n"
    base = read_settings(write(tmp_path, table + "[oracles.a]\ncommand = 'x'"))
    assert cluster_of(base) == Cluster(scheduler_file=tmp_path / "cluster.json")
    given = base.override({"executor": {"kind": "dask", "scheduler": "tcp://a:1"}})
    assert cluster_of(given) == Cluster("tcp://a:1")
    assert cluster_of(base.override({"executor": None})) == cluster_of(base)
    assert cluster_of(base.override({"executor": {"kind": "local"}})) is None


def test_a_cluster_needs_one_scheduler():
    for scheduler in ({}, {"scheduler": "tcp://a:1", "scheduler_file": "b"}):
        table = {"executor": {"kind": "dask", **scheduler}, "oracles": {"a": {"command": "x"}}}
        with pytest.raises(OracleError, match="either a scheduler or a scheduler_file"):
            cluster_of(Settings.from_mapping(table))


def test_the_engine_has_the_same_preprocessing_as_the_settings():
    """Both are defined separately, because settings load without the engine."""
    assert PreprocessingSettings().to_preprocessing() == Preprocessing()
    names = [key.name for key in fields(PreprocessingSettings)]
    assert names == [key.name for key in fields(Preprocessing)]


def test_the_command_lines_limits_replace_those_of_oracles(tmp_path):
    base = read_settings(write(tmp_path, FULL))
    changed = base.override({"timeout": "3s", "memory": None, "jobs": 7, "oracle": None})
    assert changed.oracle_for("c").timeout == 3
    assert (changed.jobs, changed.oracle) == (7, "gcc-ice")
    assert changed.oracle_for("python").memory == base.oracle_for("python").memory
    with pytest.raises(SettingsError, match="command line: 'timeout' must be a duration"):
        base.override({"timeout": "soon"})


def test_errors_found_later_name_the_line_too(tmp_path):
    settings = read_settings(write(tmp_path, FULL))
    assert str(settings.error(("strategy",), "no pass is called 'x'")).endswith(
        "pollard.toml:2: no pass is called 'x'"
    )
