"""A request to a language server as the oracle, at a position that follows the text."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

import pollard
from pollard.errors import OracleError
from pollard.executors import check_oracle, open_executor
from pollard.oracle import Verdict
from pollard.oracle.diagnostics.server_request import ServerRequest
from pollard.settings.schema import OracleSettings

_SERVER = Path(__file__).with_name("small_server.py")


@pytest.fixture
def settings(tmp_path):
    """The oracle of a small server that is asked what is at the word after "a "."""
    command = (sys.executable, str(_SERVER), "push", str(tmp_path / "log"))
    return OracleSettings(
        command=command,
        name="small",
        kind="lsp",
        request="textDocument/hover",
        at="a <^>",
        sandbox=pollard.settings.schema.SandboxSettings(write=(str(tmp_path),)),
    )


@pytest.fixture
def opened(tmp_path):
    executors = []

    def open_one(oracle: OracleSettings):
        executors.append(open_executor(oracle.to_oracle(tmp_path), "case.txt"))
        executors[-1].is_warm = True
        return executors[-1]

    yield open_one
    for executor in executors:
        executor.close()


def sent(tmp_path):
    return [line for line in (tmp_path / "log").read_text().splitlines() if " did" in line]


def test_the_answer_is_standard_output(opened, settings):
    run = opened(replace(settings, stdout="needle")).run(b"hay\nsee \xf0\x9f\x98\x80 a needle here")
    assert run.stdout == b'{"contents": "needle"}\n'
    assert run.verdict is Verdict.INTERESTING


def test_the_position_is_where_the_text_of_its_place_is_now(opened, settings):
    executor = opened(replace(settings, stdout="needle"))
    texts = [b"hay\nand hay, a needle", b"a needle", b"hay\n\n\na needle", b"a straw, a needle"]
    verdicts = [executor.run(text).verdict is Verdict.INTERESTING for text in texts]
    assert verdicts == [True, True, True, False]


def test_a_candidate_without_the_place_is_not_sent(opened, settings, tmp_path):
    """Whatever the criteria are; of an original, a sentence says so."""
    executor = opened(replace(settings, not_stdout="straw"))
    assert executor.run(b"a needle").verdict is Verdict.INTERESTING
    assert executor.run(b"needle").verdict is Verdict.UNINTERESTING
    assert len(sent(tmp_path)) == 1
    checked = check_oracle(executor.oracle, "case.txt", b"needle", runs=1)
    assert checked.error == (
        "The file does not have the place of the request (textDocument/hover at a <^>); correct at."
    )


@pytest.mark.parametrize(
    ("word", "criteria"),
    [
        (b"deny", {"fails": True}),
        (b"burst", {"crashes": True}),
        (b"stall", {"exceeds": "timeout", "timeout": 0.5}),
    ],
)
def test_a_request_that_fails_crashes_the_server_or_hangs(
    opened, settings, tmp_path, word, criteria
):
    """A refusal leaves the server as it is; after the others the next candidate gets a new one."""
    executor = opened(replace(settings, **criteria))
    texts = [b"a needle", b"a " + word, b"a needle"]
    verdicts = [executor.run(text).verdict for text in texts]
    assert verdicts == [Verdict.UNINTERESTING, Verdict.INTERESTING, Verdict.UNINTERESTING]
    servers = {line.split()[0] for line in sent(tmp_path)}
    assert (len(servers) == 1) == (word == b"deny")


def test_a_file_is_reduced_to_what_the_request_needs(settings, tmp_path):
    """The place stays, wherever it moves."""
    oracle = pollard.Oracle(
        settings.command,
        kind="lsp",
        request=settings.request,
        at=settings.at,
        fails=True,
        sandbox={"write": [str(tmp_path)]},
    )
    text = b"".join(b"line %d of hay\n" % n for n in range(9)) + b"this is a deny of it\nmore\n"
    assert pollard.reduce(text, oracle, filename="case.txt").text.strip() == b"a deny"


def test_no_such_diagnostic_is_a_criterion_too(opened, settings, tmp_path):
    """A server that crashed, or was stopped, has not refrained from reporting it."""
    oracle = replace(settings, request=None, at=None, not_diagnostic=("W1",), timeout=0.5)
    executor = opened(oracle)
    texts = [b"hay", b"a needle", b"crash", b"hang"]
    assert [executor.run(text).verdict for text in texts] == [
        Verdict.INTERESTING,
        Verdict.UNINTERESTING,
        Verdict.UNINTERESTING,
        Verdict.TIMEOUT,
    ]
    shown = check_oracle(executor.oracle, "case.txt", b"a needle", runs=1).describe()
    assert "FAILED: the diagnostic lsp:W1 must not be reported; it did" in shown


@pytest.mark.parametrize("at", ["no mark", "<^>", "two <^> marks <^>"])
def test_a_place_needs_one_mark_and_some_text(at):
    with pytest.raises(OracleError, match=r"a text of the file with <\^> at the position"):
        ServerRequest("textDocument/hover", at)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"request": None, "fails": True}, "does not say which request to make; set request, too"),
        (
            {"request": None, "kind": "command", "crashes": True},
            "which is only for language servers",
        ),
        ({"kind": "command"}, "makes a request, which is only for language servers"),
        ({"diagnostic": ("W1",)}, "and instead of a diagnostic"),
        ({}, "does not say what the language server must do"),
    ],
)
def test_keys_that_need_each_other_are_named(settings, tmp_path, changes, sentence):
    with pytest.raises(OracleError, match=sentence):
        replace(settings, **changes).to_oracle(tmp_path)


def test_positions_count_units_of_utf_16():
    params = ServerRequest("textDocument/hover", "x<^>y").params("file:///a", "\n😀é xy\nz")
    assert params["position"] == {"line": 1, "character": 5}
    assert params["range"]["end"] == {"line": 2, "character": 1}
    assert ServerRequest("textDocument/documentSymbol").params("file:///a", "")["position"] == {
        "line": 0,
        "character": 0,
    }
