"""Running a formatter: its input, its output, and every way in which it can fail."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from pollard.errors import Cancelled, FormatterError
from pollard.executors import formatted
from pollard.executors import formatter as module
from pollard.oracle import CancelToken, CommandOracle, Criteria
from tests.core.oracle.helpers import gone, wait_for

pytestmark = pytest.mark.usefixtures("no_leftovers")


def python(script: str, *words: str, **settings) -> CommandOracle:
    """An oracle whose formatter is a Python script; its own command does not exist."""
    return CommandOracle(
        ("/no/such",), formatter=(sys.executable, "-c", script, *words), **settings
    )


def failure(oracle: CommandOracle, text: bytes = b"text") -> str:
    with pytest.raises(FormatterError) as failed:
        formatted(oracle, "case.c", text)
    assert "\n" not in str(failed.value)
    assert str(failed.value).startswith("The result was not formatted")
    return str(failed.value)


UPPER = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().upper())"


def test_the_text_is_standard_input_and_standard_output_is_the_result():
    text = b"\xff\r\na\n \0" * 100_000
    assert formatted(python(UPPER), "case.c", text) == text.upper()


def test_the_path_is_given_only_for_a_placeholder():
    script = "import sys; print(sys.argv[1:], open(sys.argv[1][7:]).read())"
    shown = formatted(python(script, "--name={file}"), "a case.c", b"text").decode()
    assert "a case.c'] text" in shown
    assert formatted(python("import sys; print(sys.argv[1:])"), "case.c", b"text") == b"[]\n"


def test_a_shell_command_gets_the_path_quoted():
    oracle = CommandOracle(
        ("/no/such",), formatter="printf %s {file} | sed 's#.*/run.##'; tr a-z A-Z"
    )
    assert formatted(oracle, 'it\'s "$HOME".c', b"text") == b'it\'s "$HOME".cTEXT'


def test_a_formatter_runs_beside_the_oracles_files(tmp_path: Path):
    (tmp_path / "style").write_text("two spaces")
    script = "import os; print(sorted(os.listdir()), open('style').read())"
    oracle = python(script, workspace=tmp_path, files=(Path("style"),))
    assert formatted(oracle, "case.c", b"x") == b"['case.c', 'style'] two spaces\n"


def test_a_relative_program_is_found_from_the_workspace(tmp_path: Path):
    program = tmp_path / "tidy.sh"
    program.write_text("#!/bin/sh\ntr a-z A-Z\n")
    program.chmod(0o755)
    oracle = CommandOracle(("/no/such",), formatter=("./tidy.sh",), workspace=tmp_path)
    assert formatted(oracle, "case.c", b"text") == b"TEXT"


def test_the_oracles_criteria_and_limits_do_not_apply():
    """A large formatter may need more than the oracle's limits."""
    small = python(
        UPPER, criteria=Criteria(exit_code=(7,)), memory=1 << 20, timeout=0.001, output_limit=2
    )
    assert formatted(small, "case.c", b"text") == b"TEXT"


def test_a_missing_formatter_raises():
    missing = CommandOracle(("/no/such",), formatter=("no-such-formatter", "-"))
    assert "formatter's command 'no-such-formatter' was not found on PATH" in failure(missing)
    elsewhere = CommandOracle(("/no/such",), formatter=("./no/such",))
    assert "formatter's command './no/such' does not exist" in failure(elsewhere)


def test_a_formatter_that_cannot_start_raises(tmp_path: Path):
    program = tmp_path / "tidy"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755)
    told = failure(CommandOracle(("/no/such",), formatter=(str(program),)))
    assert "formatter's command" in told
    assert "does not exist" in told


def test_a_failing_formatter_raises_with_its_first_line():
    script = "import sys; print('half'); sys.exit('\\n\x1b[31mno such option\\nusage')"
    told = failure(python(script))
    assert "ended with exit code 1 ([31mno such option)." in told


def test_a_killed_formatter_raises():
    assert "killed by signal 9" in failure(python("import os; os.kill(os.getpid(), 9)"))


@pytest.mark.parametrize("printed", ["", " \\n\\n"])
def test_a_silent_formatter_raises(printed: str):
    assert "printed nothing" in failure(python(f"print('{printed}', end='')"))


def test_endless_output_raises():
    assert "printed too much" in failure(python("print('x' * (2 << 20))"))


def test_a_hanging_formatter_is_killed_with_its_children(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "FORMATTER_TIMEOUT_SECONDS", 0.3)
    pid = tmp_path / "pid"
    hanging = CommandOracle(("/no/such",), formatter=f"sleep 60 & echo $! > {pid}; wait")
    assert "took longer than 0.3 s" in failure(hanging)
    assert gone(int(wait_for(pid)))


def test_cancelling_kills_the_formatter(tmp_path: Path):
    pid, token = tmp_path / "pid", CancelToken()
    hanging = CommandOracle(("/no/such",), formatter=f"echo $$ > {pid}; exec sleep 60")
    watcher = threading.Thread(target=lambda: (wait_for(pid), token.set()))
    watcher.start()
    with pytest.raises(Cancelled):
        formatted(hanging, "case.c", b"text", cancelled=token)
    watcher.join()
    assert gone(int(wait_for(pid)))
