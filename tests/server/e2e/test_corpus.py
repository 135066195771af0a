"""Real failing files and programs: the editor and the command line give the same result."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.bench import cases
from tests.examples import rarely
from tests.server.editor import EMACS, NEOVIM, VSCODE, Editor, Temperament, Workspace

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.corpus]

TOML = """
checks = 1
[stream]
interval = 0.05
[oracles.case]
command = ["/bin/sh", "{workspace}/oracle.sh", "{file}"]
"""
WHOLE = {
    "lua51-pattern-overflow": VSCODE,
    "py-black-walrus-annotation": NEOVIM,
    "js-esbuild-staticblock": EMACS,
    "html-minifier-style-type": VSCODE,
    "css-lightningcss-calc": NEOVIM,
    "ts-prettier-conditional-comment": EMACS,
}
USUAL = ("html-minifier-style-type", "js-esbuild-staticblock", "css-lightningcss-calc")


def copy_case(workspace: Workspace, corpus: Path, name: str) -> cases.Case:
    """Copy a case into the workspace, with settings for it."""
    shutil.copytree(corpus / name, workspace.folder, dirs_exist_ok=True)
    workspace.configure(TOML, top="")
    (case,) = (case for case in cases.corpus(corpus) if case.name == name)
    return case


@pytest.mark.parametrize("name", [*USUAL, *rarely(*(name for name in WHOLE if name not in USUAL))])
async def test_a_whole_file(start, workspace: Workspace, corpus: Path, name: str) -> None:
    case = copy_case(workspace, corpus, name)
    editor = await begin(start, WHOLE[name])
    buffer = editor.open(case.path.name, case.text.decode(), case.language.lower())
    job = await editor.reduce(buffer)
    end = await editor.until(lambda: editor.seen.end(job), seconds=300)
    assert end["state"] == "done"
    assert buffer.text.encode() == by_command_line(workspace, case)
    assert len(buffer.from_server) > 1
    few = buffer.from_server[:: max(1, len(buffer.from_server) // 5)]
    assert all(case.holds(text.encode()) for text in [*few, buffer.text])


async def test_a_selection_of_a_c_file(start, workspace: Workspace, corpus: Path) -> None:
    """The compiler crashes on a line after 3000; the lines before stay as they are."""
    case = copy_case(workspace, corpus, "prop-c-gcc12-warning")
    text = case.text.decode()
    first, last = 1, 400
    editor = await begin(start, VSCODE)
    buffer = editor.open(case.path.name, text, "c")
    where = lsp.Range(lsp.Position(first - 1, 0), lsp.Position(last, 0))
    job = await editor.reduce(buffer, where)
    end = await editor.until(lambda: editor.seen.end(job), seconds=300)
    assert end["state"] == "done"
    assert buffer.text.encode() == by_command_line(workspace, case, "--lines", f"{first}:{last}")
    assert buffer.text.endswith("".join(text.splitlines(keepends=True)[last:]))


async def begin(start, temperament: Temperament) -> Editor:
    return await start(temperament=temperament)


def by_command_line(workspace: Workspace, case: cases.Case, *options: str) -> bytes:
    """Return the result of `pollard reduce` for the file in the workspace."""
    file, out = workspace.folder / case.path.name, workspace.outside / "out"
    command = [sys.executable, "-m", "pollard", "reduce", str(file), "-o", str(out), "-q"]
    subprocess.run([*command, *options], check=True)
    return out.read_bytes()
