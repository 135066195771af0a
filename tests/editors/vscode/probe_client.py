"""Asks the probe in the editor for the exact texts of documents and for their changes."""

from __future__ import annotations

import json
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from tests.editors.vscode.code_server import CodeServer
from tests.editors.vscode.waiting import wait_for

EXTENSION = "pollard.pollard"


@dataclass(frozen=True)
class Probe:
    """The probe of one window; `pid` is the process of its extension host."""

    port: int
    pid: int

    def ask(self, question: str, **arguments: object) -> Any:
        """Send one of the questions of probe/extension.js."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{question}", json.dumps(arguments).encode()
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def text(self, uri: str) -> str:
        """Return the whole text of a document, with its line ends."""
        found = self.ask("document", uri=uri)
        assert found is not None, f"{uri} is not open in the editor"
        return str(found["text"])

    def texts_seen(self, uri: str) -> list[str]:
        """Return the document's text after each change."""
        return [change["text"] for change in self.ask("changes", uri=uri)]

    def activation(self) -> float | None:
        """Return the milliseconds to load and activate the extension, as the host measured them."""
        at = {
            m["name"].split("/")[2]: m["at"] for m in self.ask("extension", id=EXTENSION)["marks"]
        }
        if "didActivateExtension" not in at:
            return None
        loading = at["didLoadExtensionCode"] - at["willLoadExtensionCode"]
        return float(loading + at["didActivateExtension"] - at["willActivateExtension"])

    def servers(self) -> list[psutil.Process]:
        """Return this window's running language servers."""
        try:
            children = psutil.Process(self.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        return [one for one in children if _serves(one)]


def find_probe(server: CodeServer, folder: Path, last: Probe | None = None) -> Probe:
    """Wait for the probe of the window that has the folder open, other than `last`."""

    def look() -> Probe | None:
        for file in server.probes.glob("*.json"):
            found = json.loads(file.read_text())
            if found["folder"] == str(folder):
                return Probe(found["port"], found["pid"])
        return None

    if last is not None:
        (server.probes / f"{last.pid}.json").unlink()
    return wait_for(f"the extension host of {folder}", look, seen=lambda: server.log)


def _serves(process: psutil.Process) -> bool:
    """Return whether it is a running server, not one that only prints its version."""
    try:
        words = process.cmdline()
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return False
    return (
        words[-2:] == ["-m", "pollard_server"]
        or words[-1:] == ["serve"]
        or (bool(words) and words[-1].endswith("serve.py"))
    )
