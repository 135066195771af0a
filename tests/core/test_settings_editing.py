"""Adding an oracle to a settings file changes nothing else in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from pollard.settings import Settings, SettingsError
from pollard.settings.editing import name_for, with_oracle

OWN = Path("pollard.toml")
SHARED = Path("pyproject.toml")
GCC = {
    "command": ["gcc", "-c", "{file}"],
    "stderr": r"internal compiler error: \S+",
    "signal": "SIGSEGV",
}
FILES = {
    "empty": (OWN, ""),
    "comments and tables": (
        OWN,
        '# mine\njobs = 2  # two\n\n[oracles.a]\ncommand = "x"\n\n[stream]\nmode = "final"\n',
    ),
    "inline": (OWN, 'oracles = {a = {command = "x"}}\n'),
    "no end of line": (OWN, "jobs = 2"),
    "shared": (SHARED, '[project]\nname = "x"\n\n[tool.ruff]\nline-length = 100\n'),
    "shared with a table": (SHARED, "[tool.pollard]\njobs = 3\n\n[tool.z]\na = 1\n"),
    "a comment above the next table": (
        OWN,
        '[oracles.a]\ncommand = "x"\n\n# How editors show it\n[stream]\nmode = "final"\n# end\n',
    ),
    "dotted": (OWN, 'oracles.a.command = "x"  # dots\njobs = 1\n'),
    "CRLF and LF": (OWN, "# one\njobs = 2\r\n# two\r\n"),
    "CRLF": (OWN, 'jobs = 2\r\n\r\n[oracles.a]\r\ncommand = "x"\r\n'),
}


def own(file: Path, text: str) -> dict:
    table = tomlkit.parse(text).unwrap()
    return table.get("tool", {}).get("pollard", {}) if file == SHARED else table


@pytest.mark.parametrize(("file", "text"), FILES.values(), ids=FILES)
def test_the_oracle_is_added_and_everything_else_stays(file: Path, text: str) -> None:
    edited = with_oracle(file, text, "gcc", GCC)
    before, after = own(file, text), own(file, edited)
    assert after.pop("oracles") == {**before.pop("oracles", {}), "gcc": GCC}
    assert after == before
    Settings.from_mapping(own(file, edited))
    lines = [line for line in text.splitlines() if not line.startswith("oracles =")]
    position = 0
    for line in lines:  # all lines are still there, in order, with their comments
        position = edited.index(line, position)
    assert ("\r\n" in edited) == ("\r\n" in text)
    bare = text.count("\n") - text.count("\r\n") if "\r\n" in text else edited.count("\n")
    assert edited.count("\n") - edited.count("\r\n") == bare
    assert edited.endswith("\n")
    if "oracles =" not in text and text.endswith("\n"):  # nothing comes between other lines
        assert edited.startswith(text)


def test_an_oracle_of_the_same_name_is_replaced() -> None:
    edited = with_oracle(OWN, with_oracle(OWN, "", "a", GCC), "a", {"command": "x"})
    assert own(OWN, edited) == {"oracles": {"a": {"command": "x"}}}


def test_comments_about_what_follows_a_replaced_oracle_stay() -> None:
    text = (
        '# top\n[oracles.a]\n# about a\ncommand = "x"\n[oracles.a.sandbox]\nlevel = "off"\n\n'
        '# about b\n[oracles.b]\ncommand = "y"\n# end\n'
    )
    edited = with_oracle(OWN, text, "a", {"command": "z"})
    rest = '\n# about b\n[oracles.b]\ncommand = "y"\n# end\n'
    assert edited == f'# top\n[oracles.a]\ncommand = "z"\n{rest}'
    assert with_oracle(OWN, edited, "b", {"command": "z"}) == edited.replace('"y"', '"z"')


def test_an_oracle_that_no_table_can_replace_stays() -> None:
    """A table in its place would take the keys that follow."""
    with pytest.raises(SettingsError, match="oracle a cannot be replaced; first give it a header"):
        with_oracle(OWN, FILES["dotted"][1], "a", GCC)


def test_regular_expressions_become_literal_strings() -> None:
    assert r"stderr = 'internal compiler error: \S+'" in with_oracle(OWN, "", "a", GCC)


@pytest.mark.parametrize("name", ["empty", "inline", "CRLF"])
def test_a_command_of_several_lines_has_them_in_the_file_too(name: str) -> None:
    """So that people can read and change it."""
    command = "(\ngcc '{file}'\n) >.first\n[ \"$?\" = 0 ]\n"
    file, text = FILES[name]
    edited = with_oracle(file, text, "both", {"command": command})
    assert own(file, edited)["oracles"]["both"]["command"].replace("\r\n", "\n") == command
    assert "gcc '{file}'" in edited.splitlines()


@given(
    st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip),
    st.from_regex(r"[A-Za-z0-9_. '\"-]{1,20}", fullmatch=True),
)
def test_any_command_and_name_survive_a_round_trip(command: str, name: str) -> None:
    edited = with_oracle(OWN, FILES["comments and tables"][1], name, {"command": command})
    assert own(OWN, edited)["oracles"][name] == {"command": command}


@pytest.mark.parametrize(
    ("text", "definition", "message"),
    [
        ("jobs = ", GCC, "cannot be put in"),
        ("oracles = 3", GCC, "'oracles' is not a table"),
        ("", {"exit_code": 1}, "needs a 'command'"),
        ("", {"command": "x", "signal": "SIGNO"}, "SIGNO"),
    ],
    ids=["broken", "no table", "no command", "no such signal"],
)
def test_unusable_texts_and_definitions_raise(text: str, definition, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        with_oracle(OWN, text, "gcc", definition)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("gcc -c {file}", "gcc-2"),
        (("/usr/bin/python3.11", "{file}"), "python3"),
        ("env A=1 timeout 5 node {file}", "node"),
        ("{workspace}/check.sh {file}", "check"),
        ('"C:\\\\Tools\\\\cl.exe" /c {file}', "cl"),
        ("sh", "sh"),
        ("%%", "oracle"),
    ],
)
def test_an_oracle_is_named_after_its_program(command, name: str) -> None:
    assert name_for(command, ["gcc"]) == name
