"""*Reduce to this diagnostic* with the real Ruff, Pyright and ESLint, from their language servers.

The servers are those that the extensions of the tools start; `servers` connects them.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.steps import accept_diagnostic, consent, wait_done
from tests.editors.vscode.waiting import wait_for
from tests.tools import tools_folder

pytestmark = pytest.mark.editors


@dataclass(frozen=True)
class Squiggle:
    """A file with a diagnostic at the word `cause`, and the tool and its language server."""

    title: str
    filename: str
    text: str
    cause: str
    wanted: str
    server: tuple[str, ...]
    settings: dict[str, object] | None = None
    files: dict[str, str] = field(default_factory=dict)


RUFF = Squiggle(
    title="Ruff F821",
    filename="orders.py",
    text="""\
import sys


def load(path: str) -> list[str]:
    with open(path) as file:
        return [line.strip() for line in file][:limit]


for order in load(sys.argv[1]):
    print(order)
""",
    cause="limit",
    wanted="ruff:F821 Undefined name …",
    server=(".venv/bin/ruff", "server"),
    files={"ruff.toml": ""},
)
# Pyright takes seconds for each run, so there is little to try.
PYRIGHT = Squiggle(
    title="Pyright reportUndefinedVariable",
    filename="orders.py",
    text="""\
import sys

print(sys.argv[limit])
""",
    cause="limit",
    wanted="pyright:reportUndefinedVariable … is not defined",
    server=("node_modules/.bin/pyright-langserver", "--stdio"),
)
ESLINT = Squiggle(
    title="ESLint no-undef",
    filename="orders.js",
    text="""\
const prices = [3, 5];

function total(items) {
  return items.reduce((sum, item) => sum + item * factor, 0);
}

export default total(prices);
""",
    cause="factor",
    wanted="eslint:no-undef … is not defined.",
    server=("node_modules/.bin/vscode-eslint-language-server", "--stdio"),
    # All that the server asks for, as ESLint's extension answers where nothing is set.
    settings={
        "validate": "on",
        "packageManager": "npm",
        "useESLintClass": True,
        "useFlatConfig": True,
        "experimental": {"useFlatConfig": False},
        "workingDirectory": {"mode": "location"},
        "nodePath": None,
        "options": {},
        "run": "onType",
        "quiet": False,
        "onIgnoredFiles": "off",
        "format": False,
        "rulesCustomizations": [],
        "problems": {"shortenToSingleLine": False},
        "codeActionOnSave": {"mode": "all"},
        "codeAction": {
            "disableRuleComment": {"enable": True, "location": "separateLine"},
            "showDocumentation": {"enable": True},
        },
    },
    files={"eslint.config.mjs": 'export default [{ rules: { "no-undef": "error" } }];\n'},
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project with its tools; a single run checks the original, to save time."""
    folder = tmp_path / "orders"
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "ruff").symlink_to(Path(sys.executable).with_name("ruff"))
    (folder / "node_modules").symlink_to(tools_folder() / "node_modules")
    (folder / "pollard.toml").write_text("checks = 1\n")
    return folder


def write_project(folder: Path, squiggle: Squiggle) -> Path:
    """Write the project's files, and what connects VS Code to the language server."""
    connection = {
        "tools": str(tools_folder()),
        "name": squiggle.title.split()[0],
        "command": [str(folder / squiggle.server[0]), *squiggle.server[1:]],
        "language": "javascript" if squiggle.filename.endswith(".js") else "python",
        "settings": squiggle.settings,
    }
    (folder / "language-server.json").write_text(json.dumps(connection))
    for name, text in {**squiggle.files, squiggle.filename: squiggle.text}.items():
        (folder / name).write_text(text)
    return folder / squiggle.filename


@pytest.mark.parametrize("squiggle", [RUFF, PYRIGHT, ESLINT], ids=["ruff", "pyright", "eslint"])
def test_a_squiggle_shrinks_to_its_cause_in_three_interactions(
    open_window: Opener, folder: Path, squiggle: Squiggle, pictures: Pictures
) -> None:
    """The action, the message, which could be edited, and the consent."""
    window = open_window(write_project(folder, squiggle), own=True)
    line = next(n for n, text in enumerate(squiggle.text.splitlines()) if squiggle.cause in text)
    column = squiggle.text.splitlines()[line].rindex(squiggle.cause) + 1
    window.select((line, column), (line, column))
    name = squiggle.title.split()[0].lower()
    window.act(
        f"Reduce to this diagnostic: {squiggle.title}",
        before=lambda: pictures.take(window.page, f"squiggle-{name}"),
    )
    accept_diagnostic(window, squiggle.wanted)
    consent(window)
    wait_done(window)
    assert window.text.strip().rstrip(";").isidentifier()
    wait_for("the squiggle about what is left", window.squiggles)
    pictures.take(window.page, f"shrunk-{name}")
