"""docs/diagnostics.md lists the tools as `tools.toml` has them; run this file to print the table."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from pollard.oracle.diagnostics.tools import known_tools

_ROOT = Path(__file__).resolve().parents[4]
_PAGE = _ROOT / "docs" / "diagnostics.md"
_EXTENSION = _ROOT / "editors" / "vscode" / "src" / "squiggles.ts"


def tools_table() -> str:
    return "".join(
        f"| {tool.title} | `{tool.name}` | {_command(tool.command)} | {_config(tool)} |\n"
        for tool in known_tools().values()
    )


def _command(command) -> str:
    return f"`{shlex.join(command)}`".replace("'", "") if command else "yours"


def _config(tool) -> str:
    names = [*tool.config, *(f"{name}/" for name in tool.links)]
    names += ["compile_commands.json"] if tool.flags else []
    return ", ".join(f"`{name}`" for name in names)


def test_the_page_lists_every_tool():
    assert tools_table() in _PAGE.read_text(encoding="utf-8")


def test_the_extension_starts_the_server_for_the_sources_of_every_tool_that_can_be_run():
    """The rules of `go vet`, which are sources too, are left out: `tests` and `assign` say little."""
    listed = re.search(r"SOURCES = new Set\(\[(.*?)\]\)", _EXTENSION.read_text(), re.DOTALL)
    assert listed
    known = {source for tool in known_tools().values() if tool.command for source in tool.sources}
    assert set(re.findall(r"'(.*)'", listed[1])) == known


if __name__ == "__main__":
    print(tools_table(), end="")
