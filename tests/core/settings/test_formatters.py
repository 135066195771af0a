"""Which formatter a file gets."""

from __future__ import annotations

import pytest

from pollard.settings import LanguageSettings, read_settings
from tests.core.settings.support import write

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
def test_an_oracle_has_the_formatter_of_the_language_or_else_the_workspace(
    tmp_path, language, expected
):
    settings = read_settings(write(tmp_path, FORMATTERS))
    for chosen in (settings.oracle_for(language, "a"), *settings.oracles_for(language)):
        assert chosen.to_oracle(tmp_path).formatter == expected


def test_the_command_lines_formatter_replaces_those_of_languages(tmp_path):
    settings = read_settings(write(tmp_path, FORMATTERS))

    def formatter(given):
        return settings.override({"formatter": given}).oracle_for("python").formatter

    assert formatter(("mine", "{file}")) == ("mine", "{file}")
    assert formatter("none") == ()
    assert formatter(None) == ("black", "-")


def test_languages_are_merged_key_by_key(tmp_path):
    settings = read_settings(write(tmp_path, FORMATTERS))
    over = settings.merge({"languages": {"json": {"formatter": "jq ."}, "c": {"oracle": "a"}}})
    assert over.languages["json"] == LanguageSettings(oracle="a", formatter="jq .")
    assert over.languages["c"] == LanguageSettings(oracle="a", formatter=())
    assert over.languages["python"] == settings.languages["python"]


def test_a_later_layer_can_switch_off_the_formatter(tmp_path):
    settings = read_settings(write(tmp_path, FORMATTERS)).merge({"formatter": "none"})
    assert settings.oracle_for(None).to_oracle(tmp_path).formatter is None
