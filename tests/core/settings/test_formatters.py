"""Which formatter a file gets."""

from __future__ import annotations

import pytest

import pollard
from pollard.settings import LanguageSettings, read_settings
from pollard.settings.usual_formatters import _COMMANDS
from pollard.syntax.grammars.language_facts import canonical
from pollard.syntax.grammars.languages import find
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


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """The only folder with programs; returns a function that installs one."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def install(name: str, script: str = "/bin/cat") -> str:
        program = folder / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        return str(program)

    return install


def auto(tmp_path, language: str | None = "python"):
    settings = read_settings(write(tmp_path, FORMATTERS)).override({"formatter": "auto"})
    return settings.oracle_for(language).to_oracle(tmp_path).formatter


def test_auto_is_the_first_usual_formatter_that_is_installed(tmp_path, programs):
    """By its path, so that a consent covers what runs."""
    ruff = programs("ruff")
    assert auto(tmp_path) == (ruff, "format", "--stdin-filename", "{file}", "-")
    black = programs("black")
    assert auto(tmp_path) == (black, "-q", "-")


def test_auto_is_none_where_no_usual_formatter_is_installed_or_known(tmp_path, programs):
    programs("gofmt")
    assert auto(tmp_path) == auto(tmp_path, "brainfuck") == auto(tmp_path, None) == ()


def test_a_language_can_have_the_usual_formatter(tmp_path, programs):
    black = programs("black")
    text = FORMATTERS.replace('["black", "-"]', '"auto"')
    chosen = read_settings(write(tmp_path, text)).oracle_for("python")
    assert chosen.to_oracle(tmp_path).formatter == (black, "-q", "-")


@pytest.mark.parametrize("language", [name for names, _ in _COMMANDS for name in names])
def test_usual_formatters_are_of_known_languages(language):
    assert find(language) or canonical(language) in ("less", "vue")


def test_a_reduction_says_which_usual_formatter_it_uses_or_which_to_install(programs):
    def notes() -> str:
        oracle = pollard.Oracle(["/bin/grep", "-q", "b"], formatter="auto")
        return " ".join(pollard.reduce("a\nb\n", oracle, language="python", cache=False).notes)

    assert "install black or ruff" in notes()
    black = programs("black")
    assert f"formatted by {black} -q -" in notes()
