"""Which settings file applies to a file."""

from __future__ import annotations

import pytest

from pollard.settings import SettingsError, find_settings, settings_for
from tests.core.settings.support import write


def test_the_nearest_settings_file_wins_and_its_folder_is_the_workspace(tmp_path):
    write(tmp_path, "jobs = 1")
    write(tmp_path / "a", "jobs = 2")
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    settings = settings_for(deep / "x.c")
    assert settings.jobs == 2
    assert settings.workspace == (tmp_path / "a").resolve()


def test_pyproject_needs_our_table_and_pollard_toml_wins_over_it(tmp_path):
    own = write(tmp_path, "jobs = 1")
    write(tmp_path / "a", "[tool.other]\nx = 'tool.pollard'\n", "pyproject.toml")
    assert find_settings(tmp_path / "a") == own.resolve()
    ours = write(tmp_path / "a" / "b", "[tool.pollard]\njobs = 3\n", "pyproject.toml")
    assert find_settings(tmp_path / "a" / "b") == ours.resolve()
    assert settings_for(tmp_path / "a" / "b" / "x.c").jobs == 3
    nearer = write(tmp_path / "a" / "b", "jobs = 4")
    assert find_settings(tmp_path / "a" / "b") == nearer.resolve()


def test_a_broken_pyproject_is_reported_only_if_it_mentions_our_table(tmp_path):
    write(tmp_path / "a", "[project\n", "pyproject.toml")
    assert settings_for(tmp_path / "a" / "x.c").jobs == "auto"
    write(tmp_path / "b", "[tool.pollard]\njobs = \n", "pyproject.toml")
    with pytest.raises(SettingsError, match=r"pyproject\.toml:2: not valid TOML"):
        settings_for(tmp_path / "b" / "x.c")


def test_without_settings_the_workspace_is_the_files_folder(tmp_path):
    assert settings_for(tmp_path / "x.c").workspace == tmp_path.resolve()
