"""The tools whose diagnostics Pollard can read; `tools.toml` says how."""

from __future__ import annotations

import functools
import hashlib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from pollard.errors import OracleError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The name of the tool that stands for the editor itself.
EDITOR = "editor"
_TABLES = Path(__file__).parent / "tools.toml"


@dataclass(frozen=True, slots=True)
class ToolProject:
    """The table `project` of a tool, which the head of `tools.toml` explains."""

    arguments: tuple[str, ...]
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """One table of `tools.toml`, whose head explains the keys."""

    name: str
    title: str
    exit_codes: frozenset[int]
    format: str
    sources: tuple[str, ...] = ()
    rules: frozenset[str] = frozenset()
    command: tuple[str, ...] = ()
    flags: str = ""
    stream: str = "stdout"
    pattern: re.Pattern[str] | None = None
    items: str = ""
    code: tuple[str, ...] = ()
    prefix: str = ""
    message: str = ""
    line: str = ""
    first_line: int = 1
    skip: Mapping[str, list[object]] = field(default_factory=dict, hash=False)
    own_codes: bool = True
    added: re.Pattern[str] | None = None
    config: tuple[str, ...] = ()
    project: ToolProject | None = None
    links: tuple[str, ...] = ()
    neighbours: bool = False


@functools.lru_cache(maxsize=1)
def _definitions() -> str:
    return _TABLES.read_text(encoding="utf-8")


@functools.cache
def fingerprint_of_tools() -> str:
    """Return a hash of the tools, which changes when other diagnostics may be read."""
    return hashlib.blake2b(_definitions().encode(), digest_size=8).hexdigest()


@functools.cache
def known_tools() -> Mapping[str, Tool]:
    """Return all tools by name."""
    return {name: _tool(name, table) for name, table in tomllib.loads(_definitions()).items()}


def tool_called(name: str) -> Tool:
    """Return the tool that a user calls `name`. Raises `OracleError` if there is none."""
    tools, wanted = known_tools(), name.strip().lower()
    for tool in tools.values():
        if wanted in (tool.name, tool.title.lower()):
            return tool
    known = ", ".join(each for each in tools if each != EDITOR)
    message = (
        f"Pollard does not know how to read the diagnostics of {name!r}, only those of {known}. For "
        "another tool give its language server (--lsp COMMAND), or its command and a criterion "
        "(--output PATTERN -- COMMAND)."
    )
    raise OracleError(message)


def tool_of(source: str) -> Tool | None:
    """Return the tool whose diagnostics have this `source` in editors; None if it is unknown."""
    wanted = source.strip().lower()
    for tool in known_tools().values():
        if wanted in tool.sources or wanted in tool.rules:
            return tool
    return None


def _tool(name: str, table: dict[str, Any]) -> Tool:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
    }
    values = {"sources": (name,), **values, "exit_codes": frozenset(table["exit_codes"])}
    values["rules"] = frozenset(table.get("rules", ()))
    if project := table.get("project"):
        arguments = tuple(project["arguments"])
        values["project"] = ToolProject(arguments, project["name"], project["text"])
    values |= {key: re.compile(table[key]) for key in ("pattern", "added") if key in table}
    return Tool(name, **values)
