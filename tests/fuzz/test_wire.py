"""Whatever an editor sends, the server answers, goes on, and ends when the editor is gone."""

from __future__ import annotations

import contextlib
import json
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard_server.protocol.arguments import COMMANDS
from tests.examples import examples, rarely
from tests.server.wire import Client, Server

URI = "file:///nowhere/a.c"
_METHODS = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didSave",
    "textDocument/didClose",
    "textDocument/codeAction",
    "workspace/executeCommand",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "window/workDoneProgress/cancel",
    "pollard/didChangeTrust",
    "$/cancelRequest",
    "$/setTrace",
    "initialized",
    "initialize",
    "no/such/method",
    "$/no/such/method",
    "",
]
# Each command but those that would run something.
_COMMANDS = [*sorted(COMMANDS), "pollard.none", "", 3]
_POSITION = st.fixed_dictionaries(
    {
        "line": st.sampled_from([0, 1, -1, 2**31 - 1, 2**40, 1.5, "0", None]),
        "character": st.integers(),
    }
)
_RANGE = st.fixed_dictionaries({"start": _POSITION, "end": _POSITION})
_DOCUMENT = st.fixed_dictionaries(
    {"uri": st.sampled_from([URI, "", "::", "file:///%ff%00", "untitled:1", 5, None])},
    optional={
        "languageId": st.sampled_from(["c", "", "\ud800", 1]),
        "version": st.sampled_from([0, 1, -5, 2**40, "1", None]),
        "text": st.sampled_from(["int a;\n", "", "\0", "\ud83d", "é\r\n\r", 7, None]),
    },
)
_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "uri": st.sampled_from([URI, "", 5, None]),
        "range": _RANGE | _JUNK,
        "version": _JUNK,
        "oracle": _JUNK,
        "id": st.sampled_from(["reduction-1", "", 3, None]),
        "record": _JUNK,
        "number": st.sampled_from([0, -1, 2**70, "1", None]),
    },
)
_PARAMETERS = st.one_of(
    _JUNK,
    st.fixed_dictionaries(
        {},
        optional={
            "textDocument": _DOCUMENT | _JUNK,
            "contentChanges": st.lists(st.fixed_dictionaries({"text": _JUNK}), max_size=2) | _JUNK,
            "range": _RANGE | _JUNK,
            "context": st.just({"diagnostics": []}) | _JUNK,
            "command": st.sampled_from(_COMMANDS),
            "arguments": st.lists(_ARGUMENTS | _JUNK, max_size=2) | _JUNK,
            "settings": _JUNK,
            "event": _JUNK,
            "token": _JUNK,
            "trusted": _JUNK,
            "id": _JUNK,
            "capabilities": _JUNK,
            "processId": st.none(),
        },
    ),
)
_MESSAGE = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0", 2, None])},
    optional={
        "id": st.sampled_from([10**6, "ten", 1.5, True, None, [1]]),
        "method": st.sampled_from(_METHODS) | _JUNK,
        "params": _PARAMETERS,
        "result": _JUNK,
        "error": _JUNK,
    },
)


def _framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def _encoded(message: object) -> bytes:
    return json.dumps(message).encode()


_BODY = st.one_of(
    _MESSAGE.map(_encoded),
    _MESSAGE.map(_encoded).flatmap(lambda body: st.integers(1, len(body)).map(lambda n: body[:n])),
    _JUNK.map(_encoded),
    st.binary(min_size=1, max_size=30),
    st.sampled_from(
        [b"[" * 100_000, b'{"a":' * 100_000, b"\xff", b"[]", b"{}", b'{"jsonrpc": "2.0"}']
    ),
)
_HEADERS = st.sampled_from(
    [b"", b"X: y\r\n", b"Content-Type: text\r\n", b"\r\n", b"X" * 70_000 + b"\r\n", b"\xff\0:\r\n"]
)


class Session:
    """A server with an open editor, which has to answer after whatever it got."""

    def __init__(self, server: Server) -> None:
        self.server = server
        assert server.process.stderr is not None
        self.log: list[bytes] = []
        threading.Thread(target=self.log.extend, args=(server.process.stderr,), daemon=True).start()
        self.client: Client = server.connect()
        self.client.initialize()

    def survives(self, garbage: bytes) -> None:
        assert self.server.process.stdin is not None
        self.server.process.stdin.write(garbage)
        self.client.notifications.clear()
        status: Any = self.client.request(
            "workspace/executeCommand", {"command": "pollard.status", "arguments": [{}]}
        )
        assert status["reductions"] == []
        for message in self.client.notifications:
            assert "Traceback" not in json.dumps(message.get("error")), message


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Server() as server:
        yield Session(server)


def test_a_second_initialize_is_refused(session: Session) -> None:
    """It would begin another session, and the jobs of the first one would never end."""
    body = {"jsonrpc": "2.0", "id": 77, "method": "initialize", "params": {"capabilities": {}}}
    session.survives(_framed(_encoded(body)))
    (refused,) = [each for each in session.client.notifications if each.get("id") == 77]
    assert "only be sent once" in refused["error"]["message"]


@given(_HEADERS, _BODY)
@examples(450)
def test_garbage_is_survived(session: Session, headers: bytes, body: bytes) -> None:
    session.survives(headers + _framed(body))


@pytest.mark.exhaustive
@given(_HEADERS, _BODY)
@examples(10_000)
def test_thousands_of_kinds_of_garbage_are_survived(
    session: Session, headers: bytes, body: bytes
) -> None:
    session.survives(headers + _framed(body))


_OPENED = {"uri": URI, "languageId": "c", "version": 1, "text": "int a;\n"}
_CONVERSATION = b"".join(
    _framed(_encoded({"jsonrpc": "2.0", **message}))
    for message in (
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": _OPENED}},
    )
)


def _ended(sent: bytes) -> tuple[int, str]:
    with Server() as server:
        assert server.process.stdin is not None
        assert server.process.stderr is not None
        with contextlib.suppress(BrokenPipeError):  # it may have ended already
            server.process.stdin.write(sent)
            server.process.stdin.close()
        log = server.process.stderr.read().decode()
        return server.wait(), log


def assert_ends_quietly(sent: bytes) -> None:
    """The exit code is that of a session without `shutdown`, and the log has no traceback."""
    code, log = _ended(sent)
    assert (code, "Traceback" in log) == (1, False), log


@pytest.mark.parametrize("length", [19, len(_CONVERSATION) - 1, *rarely(0, 1, 30, 100)])
def test_the_end_of_input_at_any_moment_ends_the_server(length: int) -> None:
    assert_ends_quietly(_CONVERSATION[:length])


@pytest.mark.exhaustive
@pytest.mark.parametrize("length", range(2, len(_CONVERSATION), 7))
def test_the_end_of_input_at_every_moment_ends_the_server(length: int) -> None:
    assert_ends_quietly(_CONVERSATION[:length])


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nx",
        *rarely(b"Content-Length: 99999999999999999999\r\n\r\nx", b"X" * (1 << 22)),
    ],
    ids=["longer than a number", "long", "endless"],
)
def test_impossible_headers_end_the_session_with_a_sentence(header: bytes) -> None:
    code, log = _ended(_CONVERSATION + header)
    assert (code, "Traceback" in log) == (1, False), log
    assert re.search("The editor sent .*; the session ends", log)
