"""Placeholders, standard input, environment, files, and commands that cannot be run."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from pollard.executors import Runner, check_oracle
from pollard.oracle import CommandOracle, Criteria, OracleError, Verdict
from tests.core.oracle.helpers import PYTHON, run_once, shell

NAMES = ["case.c", "with space.c", 'it\'s "quoted".c', "ünï-日本.c", "-dash.c", "a$HOME;b.c"]


@pytest.mark.parametrize("name", NAMES)
def test_a_list_gets_the_path_as_last_argument(name):
    run = run_once(CommandOracle(("cat",)), b"content", name)
    assert run.stdout == b"content"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["cat", "cat {file}", "cat '{file}'", 'cat "{file}"'])
def test_a_shell_string_gets_the_path_quoted(command, name):
    assert run_once(CommandOracle(command), b"content", name).stdout == b"content"


def test_placeholders_in_a_list_are_filled_in(tmp_path):
    oracle = CommandOracle(("echo", "f={file}", "{dir}", "w={workspace}"), workspace=tmp_path)
    file, directory, workspace = run_once(oracle).stdout.decode().split()
    assert file == f"f={directory}/case.c"
    assert workspace == f"w={tmp_path}"


def test_placeholders_in_a_shell_string_are_filled_in_and_quoted(tmp_path):
    oracle = CommandOracle("echo {file} {dir} {workspace}", workspace=tmp_path)
    file, directory, workspace = run_once(oracle).stdout.decode().split()
    assert (file, workspace) == (f"{directory}/case.c", str(tmp_path))


def test_other_braces_are_left_alone(monkeypatch):
    monkeypatch.setenv("file", "from-environment")
    oracle = CommandOracle("awk '{print}' {file}; echo ${file} ${HOME:+home}")
    assert run_once(oracle, b"line\n").stdout == b"line\nfrom-environment home\n"


def test_arguments_keep_carriage_returns_and_newlines():
    oracle = CommandOracle(("printf", "%s|", "a\r", "b\n", "{dir}x"))
    assert run_once(oracle).stdout.startswith(b"a\r|b\n|")


def test_the_candidate_can_come_on_standard_input():
    assert run_once(CommandOracle(("cat",), stdin=True), b"a\r\nb").stdout == b"a\r\nb"


def test_otherwise_standard_input_is_empty():
    assert run_once(CommandOracle("cat - && echo {file}")).stdout.endswith(b"/case.c\n")


def test_each_run_is_in_its_own_temporary_directory(monkeypatch):
    monkeypatch.setenv("OF_THE_USER", "kept")
    run = run_once(shell('pwd; echo "$TMPDIR" "$TMP" "$TEMP"; dirname "$1"; echo $OF_THE_USER; ls'))
    pwd, places, parent, kept, listing = run.stdout.decode().split("\n")[:5]
    temporary = str(Path(pwd).with_name("tmp"))
    assert places.split() == [temporary] * 3
    assert (parent, kept, listing) == (pwd, "kept", "case.c")


def test_temporary_files_are_gone_before_the_next_run():
    with Runner(
        shell('ls -A "$TMPDIR"; mkdir "$TMPDIR/a"; echo 1 > "$TMPDIR/a/b"; ls'), "a"
    ) as runner:
        seen = [runner.run(b"", capture=True).stdout for _ in range(2)]
    assert seen == [b"a\n"] * 2


def test_processes_are_marked_as_belonging_to_a_run():
    with Runner(shell("echo $POLLARD_RUN"), "a") as runner:
        seen = {runner.run(b"", capture=True).stdout for _ in range(2)}
    assert len(seen) == 2
    assert b"\n" not in seen


def test_files_are_copied_beside_the_candidate(tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/config.h").write_text("H")
    (tmp_path / "data").mkdir()
    (tmp_path / "data/inner").write_text("D")
    oracle = shell(
        "cat config.h data/inner; echo gone > config.h; rm -r data",
        files=(Path("sub/config.h"), tmp_path / "data"),
        workspace=tmp_path,
    )
    with Runner(oracle, "a.c") as runner:
        assert [runner.run(b"", capture=True).stdout for _ in range(3)] == [b"HD"] * 3
    assert (tmp_path / "sub/config.h").read_text() == "H"


def test_a_relative_program_is_taken_from_the_workspace(tmp_path):
    script = tmp_path / "check.sh"
    script.write_text("#!/bin/sh\necho ran\n")
    script.chmod(0o755)
    assert run_once(CommandOracle(("./check.sh",), workspace=tmp_path)).stdout == b"ran\n"


def _script(directory: Path, text: str, mode: int) -> str:
    path = directory / "oracle-script"
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_a_missing_command_is_an_error_that_names_it():
    with pytest.raises(OracleError, match="'gcc-99' was not found on PATH"):
        Runner(CommandOracle(("gcc-99", "{file}")), "a.c")


def test_a_script_named_without_its_directory_is_told_to_start_with_a_dot(tmp_path):
    _script(tmp_path, "", 0o755)
    with pytest.raises(OracleError, match=r"write \./oracle-script"):
        Runner(CommandOracle(("oracle-script",), workspace=tmp_path), "a.c")


def test_a_missing_path_is_an_error_that_names_it(tmp_path):
    with pytest.raises(OracleError, match="does not exist"):
        Runner(CommandOracle(("./nothing",), workspace=tmp_path), "a.c")


def test_a_command_that_is_not_executable_is_an_error(tmp_path):
    with pytest.raises(OracleError, match=r"not executable; run: chmod \+x"):
        Runner(CommandOracle((_script(tmp_path, "#!/bin/sh\n", 0o644),)), "a.c")


def test_a_script_without_an_interpreter_line_is_an_error(tmp_path):
    with pytest.raises(OracleError, match="#!/bin/sh"):
        run_once(CommandOracle((_script(tmp_path, "exit 0\n", 0o755),)))


def test_a_script_whose_interpreter_is_missing_is_an_error(tmp_path):
    with pytest.raises(OracleError, match="or its interpreter"):
        run_once(CommandOracle((_script(tmp_path, "#!/no/such/sh\n", 0o755),)))


def test_an_argument_with_a_zero_byte_is_an_error():
    with pytest.raises(OracleError, match="impossible argument"):
        run_once(CommandOracle(("echo", "a\0b")))


@pytest.mark.parametrize("command", [(), "", " ", ("",)])
def test_an_empty_command_is_an_error(command):
    with pytest.raises(OracleError, match="empty command"):
        CommandOracle(command)


def test_a_missing_companion_is_an_error(tmp_path):
    with pytest.raises(OracleError, match=r"config\.h.*cannot be copied"):
        Runner(CommandOracle(("true",), files=(Path("config.h"),), workspace=tmp_path), "a.c")


def test_a_companion_with_the_candidates_name_is_an_error(tmp_path):
    (tmp_path / "a.c").touch()
    with pytest.raises(OracleError, match=r"called 'a\.c'"):
        Runner(CommandOracle(("true",), files=(Path("a.c"),), workspace=tmp_path), "a.c")


def test_the_fingerprint_changes_with_all_that_can_change_a_verdict(tmp_path):
    script = tmp_path / "s.py"
    script.write_text("1")
    header = tmp_path / "h"
    header.write_text("1")

    def prints(**changes):
        settings = {"command": (PYTHON, str(script)), "files": (header,), "workspace": tmp_path}
        return CommandOracle(**{**settings, **changes}).fingerprint()

    seen = [prints(), prints(criteria=Criteria(exit_code=(1,))), prints(stdin=True)]
    seen += [prints(command=(PYTHON, str(script), "-x")), prints(workspace=tmp_path.parent)]
    seen.append(prints(command=f"{PYTHON} {script}"))
    header.write_text("2")
    seen.append(prints())
    script.write_text("22")
    seen += [prints(), prints(command=f"{PYTHON} {script}")]
    assert len(set(seen)) == len(seen)
    assert prints() == prints(timeout=5.0, languages=("c",))


@pytest.mark.parametrize(
    "command",
    [
        ("tool", "{file}"),
        ("env", "A=1", "tool", "{file}"),
        ("sh", "-c", "exec tool $1", "sh", "{file}"),
        "setarch -R sh -c 'tool {file}'",
    ],
)
def test_the_fingerprint_knows_a_program_behind_others(tmp_path, monkeypatch, command):
    """So the verdicts of a compiler that was rebuilt are not used."""
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    before = CommandOracle(command).fingerprint()
    assert CommandOracle(command).fingerprint() == before
    tool.write_text("#!/bin/sh\ntrue\n")
    assert CommandOracle(command).fingerprint() != before


def test_the_environment_of_the_host_is_not_changed():
    before = dict(os.environ)
    assert run_once(CommandOracle(("true",))).verdict is Verdict.INTERESTING
    assert dict(os.environ) == before


def test_a_word_that_is_too_long_for_a_file_is_no_file(tmp_path):
    """Code after `python -c` is such a word."""
    oracle = CommandOracle(("true", "x" * 5000), workspace=tmp_path)
    assert oracle.fingerprint() != CommandOracle(("true",), workspace=tmp_path).fingerprint()
    assert check_oracle(replace(oracle, command=("false", "x" * 5000)), "a.c", b"").describe()
