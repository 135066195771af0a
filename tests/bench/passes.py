"""Generated from the declarations of the passes: a table in the docs, a schema in the extension.

`python -m tests.bench.passes` updates both; tests/core/test_docs.py fails if they are out of date.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pollard.engine.declaration import Pass
from pollard.passes.catalogue import PASSES
from pollard.passes.strategy import PRESETS
from tests.bench import blocks

_ROOT = Path(__file__).resolve().parents[2]
PAGE = _ROOT / "docs" / "algorithms.md"
MANIFEST = _ROOT / "editors" / "vscode" / "package.json"


def table() -> str:
    """Return the table for the docs: one row for each pass."""
    return "\n".join(_rows())


def _rows() -> Iterator[str]:
    yield _row("pass", "what it does", "guarantee", "runs", "needs", "source")
    yield "|---|---|---|---|---|---|"
    for one in PASSES.values():
        needs, source = one.needs.value, one.source or "own"
        yield _row(_name(one), one.summary, one.guarantee, one.runs, needs, source)


def _name(one: Pass) -> str:
    return f"`{one.name}`{' `:`' * one.minimises_lists}{' (renames)' * one.renames}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def schema() -> list[dict[str, Any]]:
    """Return the schema of the setting `strategy`: any text, with presets and passes suggested."""
    listed = {"anyOf": [{"enum": list(PASSES)}, {"type": "string"}]}
    return [
        {"enum": list(PRESETS)},
        {"type": ["string", "null"]},
        {"type": "array", "items": listed},
    ]


def strategy_setting(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the setting `strategy` of the extension's manifest, wherever it is."""
    parts = manifest["contributes"]["configuration"]
    found = (part["properties"] for part in (parts if isinstance(parts, list) else [parts]))
    return next(keys["pollard.strategy"] for keys in found if "pollard.strategy" in keys)


if __name__ == "__main__":
    blocks.rewrite(PAGE, "passes", table())
    manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
    strategy_setting(manifest)["anyOf"] = schema()
    MANIFEST.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
