"""`--diagnostic`, with a real ruff and a real compiler."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.core.cli.helpers import pollard

WRONG = """\
import os
import sys


def load(path):
    return undefined_thing(path)


print(load(sys.argv[1]))
"""


@pytest.fixture(autouse=True)
def _programs_of_this_environment(monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "tests" / "wrong.py").write_text(WRONG)
    return tmp_path


def test_a_file_is_reduced_to_a_diagnostic_without_a_command(folder):
    done = pollard("reduce", "wrong.py", "-o", "-", "--diagnostic", "ruff:F821", cwd=folder)
    assert (done.returncode, done.stdout.strip().isidentifier()) == (0, True)
    assert "ruff F821" in done.stderr


def test_the_message_can_be_asked_for(folder):
    """Names in it may change, as in the code that is reduced."""
    text = "ruff:F401 `os` imported but unused"
    done = pollard("reduce", "wrong.py", "-o", "-", "--diagnostic", text, cwd=folder)
    assert done.stdout.startswith("import ")
    assert len(done.stdout.strip()) == len("import a")


def test_a_type_checker_finds_the_modules_that_a_file_imports(folder):
    (folder / "models.py").write_text("class Order:\n    items: list[str] = []\n")
    (folder / "tests" / "total.py").write_text(
        "from models import Order\n\ndef total(order: Order) -> str:\n    return len(order.items)\n"
    )
    name = 'mypy:return-value Incompatible return value type (got "int", expected "str")'
    done = pollard("check", "tests/total.py", "--diagnostic", name, "--checks", "1", cwd=folder)
    assert done.returncode == 0, done.stdout


def test_several_diagnostics_are_kept_together(folder):
    names = ["--diagnostic", "ruff:F821", "--diagnostic", "ruff:F401"]
    done = pollard("reduce", "wrong.py", "-o", "-", *names, cwd=folder)
    lines = done.stdout.split("\n")
    assert lines[0].startswith("import ")
    assert lines[1].isidentifier()


def test_configuration_for_paths_holds_for_candidates(folder):
    (folder / "ruff.toml").write_text('[lint.per-file-ignores]\n"tests/*" = ["F821"]\n')
    inside = pollard("check", "tests/wrong.py", "--diagnostic", "ruff:F821", cwd=folder)
    assert inside.returncode == 3
    assert "it reported F401 … imported but unused" in inside.stdout
    assert pollard("check", "wrong.py", "--diagnostic", "ruff:F821", cwd=folder).returncode == 0


def test_a_tool_alone_means_its_only_diagnostic(folder):
    (folder / "one.py").write_text("print(1)\nprint(missing)\n")
    done = pollard("check", "one.py", "--diagnostic", "ruff", cwd=folder)
    assert "held: the diagnostic ruff:F821 Undefined name … must be reported; it did" in done.stdout


def test_a_tool_alone_is_not_enough_for_a_file_with_several_diagnostics(folder):
    done = pollard("reduce", "wrong.py", "--diagnostic", "ruff", cwd=folder)
    assert done.returncode == 2
    assert done.stderr == (
        "pollard: Ruff reports 2 diagnostics; name one of them:\n"
        '  --diagnostic "ruff:F401 … imported but unused"\n'
        '  --diagnostic "ruff:F821 Undefined name …"\n'
    )


def test_a_file_without_the_diagnostic_is_not_reduced(folder):
    done = pollard("reduce", "wrong.py", "--diagnostic", "ruff:E999", cwd=folder)
    assert done.returncode == 3
    assert "the diagnostic ruff:E999 must be reported; it reported F401" in done.stderr


def test_a_command_of_ones_own_is_read_as_the_tools_output(folder):
    command = ["--diagnostic", "ruff:E501", "--", "ruff", "check", "--output-format=json"]
    (folder / "long.py").write_text(f"x = '{'a' * 100}'\n")
    assert pollard("check", "long.py", *command, cwd=folder).returncode == 3
    selected = [*command, "--isolated", "--select=E501"]
    assert pollard("check", "long.py", *selected, cwd=folder).returncode == 0


def test_a_tool_that_is_not_installed_is_named(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    done = pollard("check", "wrong.py", "--diagnostic", "basedpyright:reportAny", cwd=folder)
    assert done.returncode == 2
    assert "'basedpyright' was not found on PATH; install it" in done.stdout


def test_an_unknown_tool_is_answered_with_the_known_ones(folder):
    done = pollard("check", "wrong.py", "--diagnostic", "lint:E1", cwd=folder)
    assert done.returncode == 2
    assert "'lint'" in done.stderr
    assert "ruff, mypy, pyright" in done.stderr


def test_a_compilers_diagnostic_needs_no_flags_to_find_headers_beside_the_file(folder):
    (folder / "own.h").write_text("int known(int);\n")
    (folder / "wrong.c").write_text('#include "own.h"\nint f(void) { return known(unknown); }\n')
    name = "gcc: 'x' undeclared (first use in this function)"
    done = pollard("reduce", "wrong.c", "-o", "-", "--diagnostic", name, cwd=folder)
    assert done.returncode == 0
    assert len(done.stdout) < 30


def test_a_language_server_is_asked_about_every_candidate(folder):
    asked = ["--lsp", "ruff server", "--diagnostic", "F821"]
    done = pollard("reduce", "wrong.py", "-o", "-", *asked, cwd=folder)
    assert (done.returncode, done.stdout.strip().isidentifier()) == (0, True)
    assert "lsp F821" in done.stderr


def test_a_language_server_has_the_configuration_of_the_project(folder):
    (folder / "ruff.toml").write_text('[lint.per-file-ignores]\n"tests/*" = ["F821"]\n')
    asked = ["--lsp", "ruff server", "--diagnostic", "F821"]
    inside = pollard("check", "tests/wrong.py", *asked, cwd=folder)
    assert inside.returncode == 3
    assert "it reported F401 … imported but unused" in inside.stdout


def test_a_language_server_of_the_settings_is_asked(folder):
    (folder / "pollard.toml").write_text(
        '[oracles.undefined]\nkind = "lsp"\ncommand = ["ruff", "server"]\ndiagnostic = "F821"\n'
    )
    done = pollard("reduce", "wrong.py", "-o", "-", cwd=folder)
    assert (done.returncode, done.stdout.strip().isidentifier()) == (0, True)


def test_a_crash_of_a_language_server_is_reduced(folder):
    server = Path(__file__).parents[1] / "executors" / "small_server.py"
    (folder / "bug.txt").write_text("first line\nthe crash is here\nlast line\n")
    asked = ["--lsp", f"{sys.executable} {server} push log", "--crashes"]
    done = pollard("reduce", "bug.txt", "-o", "-", *asked, cwd=folder)
    assert (done.returncode, done.stdout.strip()) == (0, "crash")
    assert "ValueError" in done.stderr


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--lsp", "ruff server"], "must do: give a diagnostic, or crashes = true"),
        (["--lsp", "", "--diagnostic", "F821"], "--lsp is empty"),
        (["--lsp", "'", "--diagnostic", "F821"], "--lsp is no command"),
        (["--lsp", "ruff server", "--diagnostic", "F821", "--", "ruff"], "without another COMMAND"),
        (["--diagnostic", "F821"], "'F821' names no tool that Pollard knows"),
    ],
)
def test_what_cannot_be_asked_of_a_language_server_is_said(folder, options, problem):
    done = pollard("check", "wrong.py", *options, cwd=folder)
    assert done.returncode == 2
    assert problem in done.stderr


def test_a_request_to_a_language_server_is_made_at_a_place_of_the_file(tmp_path):
    """The server answers with the word there; the place itself stays."""
    server = Path(__file__).parents[1] / "executors" / "small_server.py"
    file = tmp_path / "case.txt"
    file.write_text("some hay\nthen a deny of hay\nmore hay\n")
    command = f"{sys.executable} {server} push {tmp_path / 'log'}"
    options = ["--request", "textDocument/hover", "--at", "a <^>", "--fails"]
    done = pollard(
        "reduce", "case.txt", "-o", "-", "--lsp", command, *options, "--allow-write", ".",
        cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "a deny"), done.stderr
