"""docs/diagnostics.md lists the tools as `tools.toml` has them; run this file to print the table."""

from __future__ import annotations

import shlex
from pathlib import Path

from pollard.oracle.diagnostics.tools import EDITOR, known_tools

_ROOT = Path(__file__).resolve().parents[4]
_PAGE = _ROOT / "docs" / "diagnostics.md"


def tools_table() -> str:
    return "".join(
        f"| {tool.title} | `{tool.name}` | {_command(tool)} | {_config(tool)} |\n"
        for tool in known_tools().values()
    )


def _command(tool) -> str:
    if tool.command:
        return f"`{shlex.join(tool.command)}`".replace("'", "")
    return "none" if tool.name == EDITOR else "yours"


def _config(tool) -> str:
    names = [*tool.config, *(f"{name}/" for name in tool.links)]
    names += ["compile_commands.json"] if tool.flags else []
    return ", ".join(f"`{name}`" for name in names)


def test_the_page_lists_every_tool():
    assert tools_table() in _PAGE.read_text(encoding="utf-8")


if __name__ == "__main__":
    print(tools_table(), end="")
