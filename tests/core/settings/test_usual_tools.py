"""The usual command for a diagnostic: the project's own program, its configuration, its flags."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.errors import OracleError
from pollard.executors import Runner
from pollard.oracle.diagnostics.surroundings import Surroundings
from pollard.settings.schema import OracleSettings
from pollard.settings.usual_tools import (
    is_diagnostic,
    oracle_for_diagnostics,
    oracle_for_server,
)


@pytest.fixture
def project(tmp_path):
    """A project with a file in a package."""
    (tmp_path / ".git").mkdir()
    package = tmp_path / "src" / "package"
    package.mkdir(parents=True)
    (package / "wrong.py").write_text("import os\n")
    return tmp_path


def _program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def _seen(oracle, text=b"", filename="wrong.py") -> str:
    with Runner(oracle, filename) as runner:
        return runner.run(text, capture=True).stdout.decode()


def test_configuration_is_copied_to_the_same_places_up_to_the_project(project):
    file = project / "src" / "package" / "wrong.py"
    for folder in (project.parent, project, project / "src"):
        (folder / "ruff.toml").write_text("")
    oracle = oracle_for_diagnostics(["ruff:F401"], file)
    listing = ("/bin/sh", "-c", "find . -type f | sort; cat {file}", "{file}")
    found = _seen(_replaced(oracle, project, listing), b"text\n")
    expected = ["./ruff.toml", "./src/package/wrong.py", "./src/ruff.toml", "text"]
    assert found.splitlines() == expected


def test_every_run_has_the_configuration_and_nothing_of_the_last_one(project):
    (project / "ruff.toml").write_text("")
    oracle = oracle_for_diagnostics(["ruff"], project / "src" / "package" / "wrong.py")
    listing = ("/bin/sh", "-c", "find . -type f | sort; touch src/left ruff.toml", "{file}")
    with Runner(_replaced(oracle, project, listing), "wrong.py") as runner:
        seen = {runner.run(text, capture=True).stdout for text in (b"1", b"2", b"3")}
    assert seen == {b"./ruff.toml\n./src/package/wrong.py\n"}


def test_further_files_keep_their_places_too(project):
    (project / "ruff.toml").write_text("")
    (project / "src" / "other.py").write_text("")
    outside = project.parent / "outside.txt"
    outside.write_text("")
    oracle = oracle_for_diagnostics(["ruff"], project / "src" / "package" / "wrong.py")
    listing = ("/bin/sh", "-c", "find . -type f | sort", "{file}")
    files = (*oracle.files, str(project / "src" / "other.py"), str(outside))
    found = _seen(_replaced(oracle, project, listing, files=files))
    assert found.split() == [
        "./ruff.toml",
        "./src/other.py",
        "./src/package/outside.txt",
        "./src/package/wrong.py",
    ]


def test_a_folder_of_packages_is_linked_and_cannot_be_changed_through_the_link(project):
    (project / "node_modules" / "plugin").mkdir(parents=True)
    (project / "node_modules" / "plugin" / "index.js").write_text("plugin")
    oracle = oracle_for_diagnostics(["eslint"], project / "src" / "package" / "wrong.js")
    script = "cat node_modules/plugin/index.js; rm -r node_modules; ls; true"
    command = ("/bin/sh", "-c", script, "{file}")
    assert _seen(_replaced(oracle, project, command), filename="wrong.js") == "pluginsrc\n"
    assert (project / "node_modules" / "plugin" / "index.js").exists()


def test_modules_around_the_file_are_linked_for_tools_that_read_imports(project):
    (project / "mypy.ini").write_text("")
    for place in ("src/other/module.py", "src/package/beside.py", "top.py", ".hidden/file"):
        (project / place).parent.mkdir(exist_ok=True)
        (project / place).write_text(place)
    oracle = oracle_for_diagnostics(["mypy:attr-defined"], project / "src" / "package" / "wrong.py")
    script = "find -L . -type f | sort; cat src/package/wrong.py; rm -r *"
    listing = ("/bin/sh", "-c", script, "{file}")
    with Runner(_replaced(oracle, project, listing), "wrong.py") as runner:
        seen = [runner.run(text, capture=True).stdout.decode() for text in (b"new", b"new")]
    assert seen[0] == seen[1]
    assert seen[0].split() == [
        "./mypy.ini",
        "./src/other/module.py",
        "./src/package/beside.py",
        "./src/package/wrong.py",
        "./top.py",
        "new",
    ]
    assert (project / "src" / "other" / "module.py").read_text() == "src/other/module.py"


def test_a_file_in_a_neighbour_can_be_copied_and_the_rest_of_it_is_left_out(project):
    """A copy must not go through a link into the project."""
    other = project / "src" / "other"
    other.mkdir()
    (other / "one.py").write_text("1")
    (other / "two.py").write_text("2")
    oracle = oracle_for_diagnostics(["mypy:attr-defined"], project / "src" / "package" / "wrong.py")
    listing = ("/bin/sh", "-c", "echo changed > src/other/one.py; ls src/other", "{file}")
    files = (str(other / "one.py"),)
    assert _seen(_replaced(oracle, project, listing, files=files)) == "one.py\n"
    assert (other / "one.py").read_text() == "1"


def test_a_verdict_is_not_remembered_when_a_neighbour_has_changed(project):
    (project / "src" / "other").mkdir()
    module = project / "src" / "other" / "module.py"
    module.write_text("a = 1")
    oracle = oracle_for_diagnostics(["mypy:attr-defined"], project / "src" / "package" / "wrong.py")
    before = oracle.to_oracle(project).fingerprint()
    assert oracle.to_oracle(project).fingerprint() == before
    module.write_text("a = 1000")
    assert oracle.to_oracle(project).fingerprint() != before


def test_without_a_project_nothing_is_linked(tmp_path):
    """A folder such as /tmp is nobody's project."""
    oracle = oracle_for_diagnostics(["mypy:attr-defined"], tmp_path / "wrong.py")
    assert oracle.surroundings == Surroundings(tmp_path, Path())


def _replaced(oracle, workspace, command, **changes):
    return replace(oracle, command=command, diagnostic=(), **changes).to_oracle(workspace)


@pytest.mark.parametrize("place", [".venv/bin/ruff", "src/venv/bin/ruff"])
def test_the_projects_own_program_is_preferred(project, place):
    own = _program(project / place, "true")
    oracle = oracle_for_diagnostics(["ruff"], project / "src" / "package" / "wrong.py")
    assert oracle.command[0] == str(own)


def test_without_one_of_its_own_the_program_on_path_is_used(project):
    oracle = oracle_for_diagnostics(["gcc"], project / "wrong.c")
    assert oracle.command[0] == str(Path(shutil.which("gcc")).absolute())


def test_a_project_of_typescript_is_checked_as_one_that_consists_of_the_file(project):
    (project / "tsconfig.base.json").write_text("{}")
    (project / "src" / "tsconfig.json").write_text("{}")
    _program(project / "node_modules" / ".bin" / "tsc", "echo $@; cat src/tsconfig.pollard.json")
    file = project / "src" / "package" / "wrong.ts"
    oracle = oracle_for_diagnostics(["typescript:2304"], file)
    assert [Path(path).name for path in oracle.files] == ["tsconfig.json", "tsconfig.base.json"]
    printed = _seen(replace(oracle, diagnostic=()).to_oracle(project), filename="wrong.ts")
    words, written = printed.split("\n", 1)
    assert words == "--noEmit --pretty false --project src/tsconfig.pollard.json"
    settings = json.loads(written)
    assert (settings["extends"], settings["files"]) == ("./tsconfig.json", ["package/wrong.ts"])
    assert not (project / "src" / "tsconfig.pollard.json").exists()
    alone = oracle_for_diagnostics(["typescript:2304"], project / "wrong.ts")
    assert alone.command[1:] == ("--noEmit", "--pretty", "false", "{file}")


def test_a_c_file_is_checked_with_the_flags_of_its_compilation(project):
    (project / "include").mkdir()
    file = project / "src" / "a.c"
    file.write_text("")
    database = project / "build" / "compile_commands.json"
    database.parent.mkdir()
    command = "cc -O2 -DX='a b' -I../include -isystem sys -MD -MF a.d -o a.o -c ../src/a.c"
    other = {
        "directory": str(database.parent),
        "file": "../src/b.c",
        "command": "cc -DB ../src/b.c",
    }
    ours = {"directory": str(database.parent), "file": "../src/a.c", "command": command}
    database.write_text(json.dumps([other, ours]))
    oracle = oracle_for_diagnostics(["gcc"], file)
    build, words = database.parent, oracle.command
    begin = words.index("-O2")
    assert words[begin:] == (
        "-O2",
        "-DX=a b",
        f"-I{build}/../include",
        "-isystem",
        f"{build}/sys",
        "-iquote",
        str(project / "src"),
        "{file}",
    )


@pytest.mark.parametrize("text", ["", "[]", "{}", "[1]", '[{"file": "a.c", "command": "\'"}]', "["])
def test_a_database_without_the_file_adds_no_flags(project, text):
    (project / "compile_commands.json").write_text(text)
    words = oracle_for_diagnostics(["gcc"], project / "a.c").command
    assert words[-3:] == ("-iquote", str(project), "{file}")
    assert words[-4] == "-fno-diagnostics-show-caret"


def test_what_pollard_cannot_run_is_said(project):
    with pytest.raises(OracleError, match="check-jsonschema is to be called; give its command"):
        oracle_for_diagnostics(["check-jsonschema"], project / "a.json")
    with pytest.raises(OracleError, match="by the same tool"):
        oracle_for_diagnostics(["ruff:F401", "mypy:attr"], project / "a.py")


def test_a_language_server_gets_the_configuration_of_all_tools(project):
    (project / "ruff.toml").write_text("")
    (project / "pyrightconfig.json").write_text("{}")
    own = _program(project / ".venv" / "bin" / "some-server", "true")
    file = project / "src" / "package" / "wrong.py"
    oracle = replace(oracle_for_server(("some-server", "--stdio"), file), diagnostic=("ruff:F821",))
    assert oracle.command == (str(own), "--stdio")
    assert sorted(Path(path).name for path in oracle.files) == ["pyrightconfig.json", "ruff.toml"]
    engine = oracle.to_oracle(project)
    assert engine.is_server
    assert engine.criteria.diagnostic == ("lsp:F821",)
    assert engine.inside == Path("src/package")


def test_a_language_server_must_do_something():
    oracle = OracleSettings(command=("pylsp",), name="pylsp", kind="lsp")
    with pytest.raises(OracleError, match="must do: give a diagnostic, or crashes = true"):
        oracle.to_oracle(Path())
    assert replace(oracle, crashes=True).to_oracle(Path()).criteria.not_exit_code == (0,)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ruff:F821 Undefined name …", True), ("gcc-ice", False), ("a:b", False), ("ruff", False)],
)
def test_the_names_of_such_oracles_are_recognised(name, expected):
    assert is_diagnostic(name) is expected


def test_a_compiler_gets_the_flag_of_the_warning_that_it_must_report(tmp_path):
    for text in ("gcc:-Wimplicit-fallthrough", "gcc:-Wimplicit-fallthrough="):
        oracle = oracle_for_diagnostics([text], tmp_path / "a.c")
        assert oracle.command[-2:] == ("-Wimplicit-fallthrough", "{file}")
    assert oracle_for_diagnostics(["gcc"], tmp_path / "a.c").command[-2] == str(tmp_path)
