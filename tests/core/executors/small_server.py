"""A language server that does what its arguments and the text say; run as a program.

It reports `W1 the word needle` about each line with "needle". Arguments: `push` (diagnostics with
versions), `steps` (none at first, then all), `bare` (without versions), `broken` (no diagnostics, but a
word) or `pull`; and a file in which it writes down what it receives.
Words in the text make it do other things: see `_obey`, and "remember" and "late", which let diagnostics
of one version leak into the next ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

_MODE, _LOG = sys.argv[1:3]
_LATE = 8  # versions after which the word "late" makes the server remember a needle
_remembered: list[str] = []


def _read():
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    body = sys.stdin.buffer.read(length)
    return json.loads(body) if body else None


def _send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def _note(text):
    with Path(_LOG).open("a") as log:
        log.write(f"{os.getpid()} {text}\n")


def _obey(text):
    """Crash, abort, hang, wait, use a processor, or leave a process behind, if the text says so."""
    if "print" in text:
        print("said on standard error", file=sys.stderr)
    if "crash" in text:
        raise ValueError("a bug in the server")
    if "abort" in text:
        os.abort()
    if "leave" in text:
        child = subprocess.Popen(["sleep", "600"], start_new_session=True)
        _note(f"child {child.pid}")
    if "hang" in text:
        time.sleep(600)
    if "pause" in text:
        time.sleep(0.4)
    while "burn" in text:
        pass


def _diagnostics(text):
    if "remember" in text:
        _remembered.append("needle")
    lines = [*text.split("\n"), *_remembered]
    return [
        {
            "range": {"start": {"line": n, "character": 0}, "end": {"line": n, "character": 1}},
            "message": "the word needle",
            "code": "W1",
            "source": "small",
        }
        for n, line in enumerate(lines)
        if "needle" in line
    ]


def _hover(id_, position, text):
    """Answer with the word at the position, unless the word says something else."""
    line = text.split("\n")[position["line"]].encode("utf-16-le")
    word = line[2 * position["character"] :].decode("utf-16-le").split()[0]
    if word == "burst":
        os.abort()
    if word == "stall":
        time.sleep(600)
    if word == "deny":
        _send(id=id_, error={"code": -32603, "message": f"no idea about {text!r}"})
    else:
        _send(id=id_, result={"contents": word})


def _publish(document, text):
    version = {} if _MODE == "bare" else {"version": document["version"]}
    found = "none" if _MODE == "broken" else _diagnostics(text)
    for diagnostics in ([], found) if _MODE == "steps" else (found,):
        params = {"uri": document["uri"], **version, "diagnostics": diagnostics}
        _send(method="textDocument/publishDiagnostics", params=params)


def _serve():
    text = ""
    while (message := _read()) is not None:
        method, params = message.get("method"), message.get("params") or {}
        if method == "initialize":
            provider = {"diagnosticProvider": {}} if _MODE == "pull" else {}
            _send(id=message["id"], result={"capabilities": {"textDocumentSync": 1, **provider}})
            _send(id="s1", method="workspace/configuration", params={"items": [{}, {}]})
            _send(id="s2", method="client/registerCapability", params={"registrations": []})
            _send(method="small/unknown", params={})
        elif method in ("textDocument/didOpen", "textDocument/didChange"):
            document = params["textDocument"]
            changes = params.get("contentChanges")
            text = changes[0]["text"] if changes else document["text"]
            if "late" in text and document["version"] > _LATE:
                _remembered.append("needle")
            language = f" {document['languageId']}" if "languageId" in document else ""
            _note(f"{method.rpartition('/')[2]} {document['version']}{language}")
            _obey(text)
            if _MODE != "pull":
                _publish(document, text)
        elif method == "textDocument/hover":
            _hover(message["id"], params["position"], text)
        elif method == "textDocument/diagnostic":
            if "refuse" in text:
                error = {"code": -32603, "message": "an internal error"}
                _send(id=message["id"], error=error)
            else:
                report = {"kind": "full", "items": _diagnostics(text)}
                _send(id=message["id"], result=report)
        elif "result" in message:
            _note(f"answer {message['id']} {message['result']}")


if __name__ == "__main__":
    _serve()
