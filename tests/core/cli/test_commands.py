"""The commands other than reduce and check, and what all commands share."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata

import pytest

import pollard as package
from pollard.cli import inspection
from pollard.cli.main import run
from pollard.passes.catalogue import PASSES
from pollard.passes.strategy import PRESETS
from pollard.search.registry import FAMILIES, summaries
from tests.core.cli.helpers import JSON, NEEDLE, POLLARD, on_terminal, pollard, pollard_process

COMMANDS = ["reduce", "check", "init", "report", "demo", "languages", "strategies", "tree", "serve"]


def test_the_version_is_that_of_the_package(tmp_path):
    done = pollard_process("--version", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert package.__version__ in done.stdout


def test_the_help_names_every_command(tmp_path):
    done = pollard("-h", cwd=tmp_path)
    assert done.returncode == 0
    for name in COMMANDS:
        assert f"\n  {name} " in done.stdout
    assert pollard(cwd=tmp_path).returncode == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capsys):
    assert run([name, "--help"]) == 0
    assert f"Usage: pollard {name}" in capsys.readouterr().out


def test_help_and_version_load_no_heavy_module(tmp_path):
    """The time that `--help` takes is that of its imports."""
    code = (
        "import sys; from pollard.cli.main import run; run(['--help']); run(['reduce', '--help']); "
        "run(['--version']); print([m for m in ('rich', 'tree_sitter', 'sqlite3', 'cattrs', "
        "'pygls', 'psutil', 'pollard.reduction') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_an_unknown_command_is_one_line(tmp_path):
    done = pollard("reduc", cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "reduc" in done.stderr


def test_a_file_instead_of_a_command_gets_a_hint(tmp_path):
    (tmp_path / "bug.c").write_text("")
    assert "pollard reduce bug.c" in pollard("bug.c", cwd=tmp_path).stderr


def test_an_unexpected_error_is_one_sentence_without_debug(monkeypatch, capsys):
    def boom():
        raise ValueError("boom")

    monkeypatch.setattr(inspection, "_language_rows", boom)
    assert run(["languages"]) == 70
    errors = capsys.readouterr().err
    assert len(errors.splitlines()) == 1
    assert "boom" in errors
    assert "report" in errors
    assert run(["--debug", "languages"]) == 70
    assert "Traceback" in capsys.readouterr().err
    monkeypatch.setenv("POLLARD_DEBUG", "1")
    assert run(["languages"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_a_system_error_is_one_sentence(monkeypatch, capsys):
    def full():
        raise OSError(28, "No space left on device", "/there")

    monkeypatch.setattr(inspection, "_language_rows", full)
    assert run(["languages"]) == 2
    assert capsys.readouterr().err.startswith("pollard: /there: No space left on device")


def _shell(script, folder):
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_closed_pipe_ends_a_command_quietly(tmp_path):
    pipe = f"{' '.join(POLLARD)} languages | head -n 1"
    done = _shell(pipe, tmp_path)
    assert done.stderr == ""
    assert done.stdout.startswith("language\t")


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_standard_streams_may_be_closed(tmp_path, closed):
    (tmp_path / "case.json").write_text("[1, [2, 3]]")
    reduce = f"{' '.join(POLLARD)} reduce case.json -o small.json -- grep -q 2"
    done = _shell(f"exec {closed}; {reduce}", tmp_path)
    assert (done.returncode, "fault in Pollard" in done.stderr) == (0, False)
    assert (tmp_path / "small.json").read_text().strip() == "2"


def test_a_current_directory_that_was_removed_is_one_sentence(tmp_path):
    (tmp_path / "case.json").write_text("2")
    script = f"mkdir gone; cd gone; rmdir ../gone; {' '.join(POLLARD)} reduce ../case.json -- true"
    done = _shell(script, tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "current directory was removed" in done.stderr


def test_languages_lists_sources_and_packages(tmp_path):
    done = pollard("languages", cwd=tmp_path)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert {len(row) for row in rows} == {5}
    assert len(rows) > 100
    python = next(row for row in rows if row[0] == "python")
    assert "py3" in python[1]
    assert ".py" in python[2]
    assert "tree-sitter" in python[4]


def test_languages_finds_a_language_by_any_name(tmp_path):
    done = pollard("languages", "c++", "--json", cwd=tmp_path)
    (row,) = json.loads(done.stdout)
    assert row["name"] == "cpp"
    assert set(row) == {"name", "aliases", "extensions", "source", "package", "version"}
    done = pollard("languages", "bison", "--json", cwd=tmp_path)
    (row,) = json.loads(done.stdout)
    assert (row["name"], "yacc" in row["aliases"]) == ("cpp", True)
    done = pollard("languages", "klingon", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "klingon" in done.stderr


def test_languages_are_a_table_on_a_terminal(tmp_path):
    code, drawn = on_terminal("languages", "python", cwd=tmp_path)
    assert code == 0
    assert "python" in drawn
    assert "\t" not in drawn


def test_strategies_describe_every_pass_preset_and_list_minimiser(tmp_path):
    done = pollard("strategies", cwd=tmp_path)
    assert done.returncode == 0
    lines = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    rows = [re.split(r"  +", line, maxsplit=1) for line in lines]
    minimisers = [name.strip() for name, _ in summaries()]
    assert {family.name for family in FAMILIES} <= set(minimisers)
    assert [name for name, _ in rows] == [*PASSES, *PRESETS, *minimisers]
    assert all(len(text) > 3 for _, text in rows)


def test_tree_shows_levels_kinds_sizes_and_removable_nodes(tmp_path):
    (tmp_path / "x.json").write_text('{"a": [1, 22]}')
    done = pollard("tree", "x.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no syntax errors" in done.stdout
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["0", "document", "14", "B", '\'{"a":', "[1,", "22]}'"] in lines
    assert [",-", "4", "number", "2", "B", "'22'"] in lines
    done = pollard("tree", "x.json", "--depth", "1", cwd=tmp_path)
    assert {line.split()[0] for line in done.stdout.splitlines()[1:]} == {"0", "-"}


def test_tree_shows_islands(tmp_path):
    (tmp_path / "x.html").write_text("<style>p { top: 0 } b {}</style>")
    done = pollard("tree", "x.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    kinds = [line.split()[2] for line in done.stdout.splitlines() if line.startswith("-")]
    assert kinds.count("rule_set") == 2
    assert "declaration" in kinds


def test_tree_handles_deep_nesting(tmp_path):
    (tmp_path / "deep.json").write_text("[" * 2_000 + "]" * 2_000)
    done = pollard("tree", "deep.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1999" in done.stdout


def test_tree_of_an_unknown_language_uses_the_best_fitting_grammar(tmp_path):
    (tmp_path / "x.txt").write_text("(words 'and more [of them])")
    done = pollard("tree", "x.txt", cwd=tmp_path)
    assert done.returncode == 0
    assert "[of them]" in done.stdout
    assert "No grammar knows x.txt" in done.stderr


def test_plain_text_has_no_tree(tmp_path):
    (tmp_path / "x.txt").write_text("words")
    done = pollard("tree", "x.txt", "--language", "none", cwd=tmp_path)
    assert done.returncode == 2
    assert "--language" in done.stderr


def test_demo_passes_on_its_options(monkeypatch):
    seen = []

    def demo(console, *, plain, jobs):
        seen.append((plain, jobs))
        return 7

    monkeypatch.setattr("pollard_server.demo.run", demo)
    assert run(["demo", "--plain", "-j", "3"]) == 7
    assert seen == [(True, 3)]


def test_serve_ends_with_its_client(tmp_path):
    done = pollard_process("serve", cwd=tmp_path)
    assert done.returncode == 1, "the client left without a shutdown request"
    done = pollard_process("serve", "--tcp", "nonsense", cwd=tmp_path)
    assert done.returncode == 2
    assert "nonsense" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_installed_script_calls_main():
    (script,) = metadata.entry_points(group="console_scripts", name="pollard")
    assert script.value == "pollard.__main__:main"


def test_the_command_can_be_given_without_two_hyphens(tmp_path):
    (tmp_path / "bug.json").write_text(JSON)
    assert pollard("reduce", "bug.json", *NEEDLE[:1], "needle", cwd=tmp_path).returncode == 0


def test_the_sandbox_names_a_program_that_is_missing(tmp_path):
    done = pollard("sandbox", "--", "no-such-program", cwd=tmp_path)
    assert done.returncode == 2
    assert "'no-such-program' was not found on PATH" in done.stderr
