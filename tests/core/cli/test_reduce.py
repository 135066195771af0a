"""`pollard reduce`: its results, where they are written, and what is preserved."""

from __future__ import annotations

import json
import re
import stat
import sys

import pytest

from pollard.cli.main import run
from tests.core.cli.helpers import (
    JSON,
    MANY,
    NEEDLE,
    PYTHON,
    SCRIPT,
    TEXT,
    pollard,
    pollard_process,
    script,
)


@pytest.fixture
def file(tmp_path):
    file = tmp_path / "bug.json"
    file.write_text(JSON)
    return file


def test_the_result_is_beside_the_unchanged_file(file, no_leftovers):
    done = pollard_process("reduce", file.name, "--", *NEEDLE, cwd=file.parent)
    assert done.returncode == 0, done.stderr
    result = (file.parent / "bug.reduced.json").read_text()
    assert "needle" in result
    assert len(result) < 25
    assert file.read_text() == JSON
    assert sorted(path.name for path in file.parent.iterdir()) == ["bug.json", "bug.reduced.json"]


def test_python_is_reduced_too(tmp_path):
    (tmp_path / "bug.py").write_text(PYTHON)
    done = pollard("reduce", "bug.py", "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 0
    assert len((tmp_path / "bug.reduced.py").read_text()) < 30


@pytest.mark.parametrize("name", ["notes.txt", "notes"])
@pytest.mark.parametrize("options", [[], ["--language", "none"], ["-l", "plaintext"]])
def test_a_text_without_a_grammar_is_reduced(tmp_path, name, options):
    (tmp_path / name).write_text(TEXT)
    done = pollard("reduce", name, *options, "-o", "out", "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out").read_text().strip() == "needle"
    assert ("by lines and characters" in done.stderr) == bool(options)


def test_the_mode_of_the_file_is_kept(file):
    file.chmod(0o751)
    assert pollard("reduce", file, "--", *NEEDLE, cwd=file.parent).returncode == 0
    assert stat.S_IMODE((file.parent / "bug.reduced.json").stat().st_mode) == 0o751


def test_out_names_another_place_and_an_older_result_is_replaced(file):
    out = file.parent / "small"
    out.write_text("something longer than the result will be, from the last time")
    done = pollard("reduce", file, "-o", out, "--", *NEEDLE, cwd=file.parent)
    assert done.returncode == 0
    assert "small" in done.stderr
    assert len(out.read_text()) < 25
    assert not (file.parent / "bug.reduced.json").exists()


def test_a_symbolic_link_as_out_stays_one(file):
    (file.parent / "real").write_text("")
    (file.parent / "link").symlink_to("real")
    pollard("reduce", file, "-o", "link", "--", *NEEDLE, cwd=file.parent)
    assert (file.parent / "link").is_symlink()
    assert "needle" in (file.parent / "real").read_text()


def test_a_hyphen_as_out_is_standard_output(file):
    done = pollard("reduce", file, "-o", "-", "--", *NEEDLE, cwd=file.parent)
    assert done.returncode == 0
    assert "needle" in done.stdout
    assert len(done.stdout) < 25
    assert [path.name for path in file.parent.iterdir()] == ["bug.json"]


def test_a_pipe_as_out_gets_the_result_and_is_not_replaced(file):
    done = pollard_process("reduce", file, "-o", "/dev/stdout", "--", *NEEDLE, cwd=file.parent)
    assert done.returncode == 0
    assert "needle" in done.stdout
    assert len(done.stdout) < 25


def test_in_place_keeps_the_original_beside(file):
    file.chmod(0o640)
    done = pollard("reduce", file, "--in-place", "--", *NEEDLE, cwd=file.parent)
    assert done.returncode == 0
    assert "bug.orig.json" in done.stderr
    assert "needle" in file.read_text()
    assert len(file.read_text()) < 25
    assert (file.parent / "bug.orig.json").read_text() == JSON
    assert {stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()} == {0o640}


def test_in_place_never_overwrites_another_original(file):
    (file.parent / "bug.orig.json").write_text("precious")
    done = pollard("reduce", file, "--in-place", "--", *NEEDLE, cwd=file.parent)
    assert "bug.orig.1.json" in done.stderr
    assert (file.parent / "bug.orig.json").read_text() == "precious"
    assert (file.parent / "bug.orig.1.json").read_text() == JSON


def test_in_place_uses_an_equal_original_again(file):
    (file.parent / "bug.orig.json").write_text(JSON)
    pollard("reduce", file, "--in-place", "--", *NEEDLE, cwd=file.parent)
    assert not (file.parent / "bug.orig.1.json").exists()


def test_in_place_does_not_overwrite_changes_by_others(file):
    """Here the oracle changes the file during the search.

    It renames a file, since an obsolete run may be killed between two system calls.
    """
    change = f"echo mine > {file}.$$ && mv {file}.$$ {file}"
    text = f'#!/bin/sh\n[ $(wc -c < "$1") -lt {len(JSON)} ] && {change}\n' + SCRIPT
    done = pollard("reduce", file, "--in-place", "--", script(file.parent / "o"), cwd=file.parent)
    assert done.returncode == 0
    file.write_text(JSON)
    (file.parent / "bug.orig.json").unlink()
    oracle = script(file.parent / "meddling", text)
    done = pollard("reduce", file, "--in-place", "--", oracle, cwd=file.parent)
    assert done.returncode == 2
    assert "changed by somebody else" in done.stderr
    assert file.read_text() == "mine\n"
    assert (file.parent / "bug.orig.json").read_text() == JSON
    assert "needle" in (file.parent / "bug.reduced.json").read_text()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("2:3", "a d needle e"),
        (":3", "d needle e"),
        ("3:", "a b needle"),
        ("2", "a c d needle e"),
        ("5:6", "a b c d needle"),
    ],
)
def test_lines_limits_the_reduction_to_a_region(tmp_path, lines, expected, monkeypatch):
    (tmp_path / "x.txt").write_text("a\nb\nc\nd\nneedle\ne\n")
    monkeypatch.chdir(tmp_path)
    assert run(["reduce", "x.txt", "--lines", lines, "--", *NEEDLE]) == 0
    assert (tmp_path / "x.reduced.txt").read_text().split() == expected.split()


@pytest.mark.parametrize("codec", ["utf-16", "cp1251", "utf-8"])
def test_lines_are_those_of_the_text_in_any_encoding(tmp_path, codec, monkeypatch):
    """In UTF-16 also characters such as U+010A have the byte of a line end."""
    lines = ["# coding: cp1251", "а" if codec != "utf-16" else "\u010a", "б", "needle", "в", ""]
    (tmp_path / "x.txt").write_bytes("\n".join(lines).encode(codec))
    monkeypatch.chdir(tmp_path)
    script = f"import sys; sys.exit('needle' not in open(sys.argv[1], encoding='{codec}').read())"
    command = [sys.executable, "-c", script, "{file}"]
    assert run(["reduce", "x.txt", "--lines", "3:4", "--", *command]) == 0
    left = (tmp_path / "x.reduced.txt").read_bytes().decode(codec)
    assert left == f"{lines[0]}\n{lines[1]}\nneedleв\n"


def test_a_command_that_reads_standard_input_gets_the_encoding_of_the_file(tmp_path, monkeypatch):
    text = "eins\nzwei needle größer\ndrei\n".encode("utf-16-be")
    (tmp_path / "x.txt").write_bytes(text)
    monkeypatch.chdir(tmp_path)
    script = "import sys; sys.exit('größer' not in sys.stdin.buffer.read().decode('utf-16-be'))"
    assert run(["reduce", "x.txt", "--stdin", "--", sys.executable, "-c", script]) == 0
    assert (tmp_path / "x.reduced.txt").read_bytes().decode("utf-16-be") == "größer"


def test_an_irreducible_file_is_exit_code_1(tmp_path):
    (tmp_path / "x.txt").write_text("needle")
    done = pollard("reduce", "x.txt", "--", *NEEDLE, cwd=tmp_path)
    assert done.returncode == 1
    assert "nothing could be reduced" in done.stderr
    assert (tmp_path / "x.reduced.txt").read_text() == "needle"


def test_a_limit_ends_the_search_in_one_line_and_resume_goes_on(tmp_path):
    (tmp_path / "x.json").write_text(MANY)
    oracle = ["--", '[ "$(grep -c needle {file})" -ge 5 ]']
    command = ["reduce", "x.json", "-j", "1", "--stats", "stats.json"]
    limited = pollard(*command, "--max-runs", "30", *oracle, cwd=tmp_path)
    assert limited.returncode == 0, limited.stderr
    assert limited.stderr.count("The search ended at its limit of 30 runs.\n") == 1
    assert "written to x.reduced.json; go on with --resume\n" in limited.stderr
    assert json.loads((tmp_path / "stats.json").read_text())["ended_by"] == "max_runs"
    size = (tmp_path / "x.reduced.json").stat().st_size
    assert size < len(MANY)
    (tmp_path / "pollard.toml").write_text('max_runs = 30\nmax_time = "1ms"\n')
    endless = ["--max-runs", "none", "--max-time", "none"]
    resumed = pollard(*command, "--resume", *endless, *oracle, cwd=tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    assert "ended at its limit" not in resumed.stderr
    assert json.loads((tmp_path / "stats.json").read_text())["ended_by"] is None
    assert (tmp_path / "x.reduced.json").stat().st_size < size


def test_a_limit_before_the_first_success_is_not_the_end_of_the_search(tmp_path):
    (tmp_path / "x.json").write_text(MANY)
    (tmp_path / "pollard.toml").write_text("max_runs = 1\n")
    oracle = '[ "$(grep -c needle {file})" -ge 5 ]'
    done = pollard("reduce", "x.json", "-j", "1", "--", oracle, cwd=tmp_path)
    assert done.returncode == 1
    assert "nothing was reduced yet" in done.stderr
    assert "go on with --resume" in done.stderr


def test_jobs_do_not_change_the_result(file):
    for jobs in "12":
        pollard("reduce", file, "-j", jobs, "-o", f"out{jobs}", "--", *NEEDLE, cwd=file.parent)
    assert (file.parent / "out1").read_bytes() == (file.parent / "out2").read_bytes()


def test_options_override_the_oracle_of_the_settings(file):
    (file.parent / "pollard.toml").write_text(
        'strategy = "lines"\njobs = 1\n[oracles.cat]\ncommand = ["cat", "{file}"]\nstdout = "rest"\n'
    )
    done = pollard("reduce", file, "--stats", "1.json", cwd=file.parent)
    assert done.returncode == 0, done.stderr
    assert '"strategy": "lines"' in (file.parent / "1.json").read_text()
    assert "rest" in (file.parent / "bug.reduced.json").read_text()
    done = pollard("reduce", file, "--stdout", "needle", "--strategy", "hdd*", cwd=file.parent)
    assert done.returncode == 0, done.stderr
    result = (file.parent / "bug.reduced.json").read_text()
    assert "needle" in result
    assert "rest" not in result


def test_options_and_settings_switch_off_steps_of_preprocessing(file):
    """Without hiding, candidates with known verdicts come again, and the cache answers."""
    folder = file.parent

    def known(*options) -> int:
        command = ["reduce", file.name, "--no-cache", "-j1", "--stats", "s.json", *options]
        done = pollard(*command, "--strategy", "hddh*", "--", *NEEDLE, cwd=folder)
        assert done.returncode == 0, done.stderr
        return json.loads((folder / "s.json").read_text())["cache_hits"]

    hidden, shown = known(), known("--no-hide", "--no-squeeze", "--no-flatten")
    assert hidden < shown
    (folder / "pollard.toml").write_text("[preprocessing]\nhide = false\n")
    assert known("--learn-invalid") > hidden


def test_an_option_and_a_setting_keep_names(tmp_path):
    """By default the strategy shortens the names of functions to one letter."""
    program = (
        "int long_name(int argument) { return argument + 1; }\n"
        "int another_name = 2;\n"
        "int needle(void) { return long_name(another_name) + long_name(3); }\n"
    )
    (tmp_path / "x.c").write_text(program)
    oracle = ("--", "grep", "-q", "needle.*return.*(.*).*(", "{file}")

    def are_kept(*options) -> bool:
        done = pollard("reduce", "x.c", "-o", "-", *options, *oracle, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return {*re.findall("[a-z_]+", done.stdout)} <= {*re.findall("[a-z_]+", program)}

    assert not are_kept()
    assert are_kept("--no-renaming")
    (tmp_path / "pollard.toml").write_text("renaming = false\n")
    assert are_kept()
    assert not are_kept("--strategy", "rename")


def test_without_islands_a_script_is_one_piece(tmp_path):
    (tmp_path / "x.html").write_text("<script>first(1); needle(2); third(3)</script>\n")
    command = ["reduce", "x.html", "-o", "-", "--strategy", "hdd*"]
    parsed = pollard(*command, "--", *NEEDLE, cwd=tmp_path)
    assert "needle" in parsed.stdout
    assert "first" not in parsed.stdout
    whole = pollard(*command, "--no-islands", "--", *NEEDLE, cwd=tmp_path)
    assert "first(1); needle(2); third(3)" in whole.stdout


def test_resuming_requires_the_same_preprocessing(file):
    folder = file.parent
    command = ["reduce", file.name, "--", *NEEDLE]
    assert pollard(*command[:2], "--no-flatten", *command[2:], cwd=folder).returncode == 0
    other = pollard(*command[:2], "--resume", *command[2:], cwd=folder)
    assert other.returncode == 2
    assert "another preprocessing" in other.stderr
    same = pollard(*command[:2], "--resume", "--no-flatten", *command[2:], cwd=folder)
    assert same.returncode == 0


TIDY = "#!/bin/sh\nsed 's/\\[/[ /g'\n"
FORMATTED = '{"a": [1, "needle"], "b": 2}\n'


@pytest.fixture
def lists(tmp_path):
    (tmp_path / "x.json").write_text(FORMATTED)
    script(tmp_path / "tidy.sh", TIDY)
    return ("reduce", "x.json", "--strategy", "hdd*")


IN_A_LIST = ("--", "grep", "-q", r"\[.*needle", "{file}")


@pytest.mark.parametrize("formatter", ["./tidy.sh", "sed 's/\\[/[ /g'"])
def test_the_formatter_option_formats_the_result(tmp_path, lists, formatter):
    """A program is looked up in the current directory; one word with blanks is a shell command."""
    done = pollard(*lists, "--formatter", formatter, *IN_A_LIST, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "not formatted" not in done.stderr
    assert '[ "needle"' in (tmp_path / "x.reduced.json").read_text()


def test_the_formatter_option_overrides_the_settings(tmp_path, lists):
    (tmp_path / "pollard.toml").write_text("[languages.json]\nformatter = ['./tidy.sh']\n")

    def result(*options):
        done = pollard(*lists, "-o", "-", *options, *IN_A_LIST, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert '[ "' in result()
    assert '["' in result("--formatter", "none")
    assert '[\t"' in result("--formatter", "sed 's/\\[/[\t/g'")


def test_a_failing_formatter_is_a_warning(tmp_path, lists):
    plain = pollard(*lists, "-o", "-", *IN_A_LIST, cwd=tmp_path)
    for formatter, told in (
        ("no-such-formatter", "'no-such-formatter' was not found on PATH"),
        ("echo oops >&2; exit 2", "ended with exit code 2 (oops)"),
    ):
        options = ("-o", "-", "--formatter", formatter, "--stats", "stats.json")
        done = pollard(*lists, *options, *IN_A_LIST, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, plain.stdout)
        (line,) = (line for line in done.stderr.splitlines() if "not formatted" in line)
        assert told in line
        assert "Traceback" not in done.stderr
        assert line in json.loads((tmp_path / "stats.json").read_text())["notes"]


def test_an_empty_formatter_is_a_usage_error(tmp_path, lists):
    done = pollard(*lists, "--formatter", " ", *IN_A_LIST, cwd=tmp_path)
    assert done.returncode == 2
    assert "'formatter' names no program" in done.stderr
    assert not (tmp_path / "x.reduced.json").exists()
