"""The table of all passes in docs/algorithms.md, written from their declarations.

`python -m tests.bench.passes` brings the page up to date; tests/core/test_docs.py says when it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pollard.engine.declaration import Pass
from pollard.passes.catalogue import PASSES
from tests.bench import blocks

PAGE = Path(__file__).resolve().parents[2] / "docs" / "algorithms.md"


def table() -> str:
    """Return the table: one row for each pass, a `:` after those that take a list minimiser."""
    return "\n".join(_rows())


def _rows() -> Iterator[str]:
    yield _row("pass", "what it does", "guarantee", "runs", "needs", "source")
    yield "|---|---|---|---|---|---|"
    for one in PASSES.values():
        yield _row(
            _name(one), one.summary, one.guarantee, one.runs, one.needs.value, one.source or "own"
        )


def _name(one: Pass) -> str:
    return f"`{one.name}`{' `:`' * one.minimises_lists}{' (renames)' * one.renames}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    blocks.rewrite(PAGE, "passes", table())
