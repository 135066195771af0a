"""Every recipe ends as the failure that its user meant, small, and in few runs."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.recipes.recipe import CASES, SEARCH_PATH, Recipe, cook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Among the everyday tests; together they take a few seconds.
_EVERYDAY = {"python-value-error", "json-tool"}
# Much like another recipe of the same language; 35 others are tried in each run of CI.
_SIMILAR = {
    "c-exit-139",
    "c-not-stderr",
    "c-warning-and-grep",
    "cpp-terminate",
    "go-goroutine",
    "go-unused",
    "javac-types",
    "json-stdin-strict",
    "node-regex",
    "node-rejection",
    "perl-method",
    "perl-warning",
    "python-abort",
    "python-assert-unittest",
    "python-chained-exceptions",
    "python-exit-code-1",
    "python-grep-no-q",
    "python-nan",
    "python-not-exit-code-0",
    "python-own-exception",
    "python-regex",
    "python-timeout",
    "rust-borrow",
    "xml-minidom",
}


def _recipes() -> list[Any]:
    return [
        pytest.param(
            Recipe.read(path),
            id=path.stem,
            marks=_marks(path.stem),
        )
        for path in sorted(CASES.glob("*.toml"))
    ]


def _marks(name: str) -> list[pytest.MarkDecorator]:
    if name in _EVERYDAY:
        return []
    return [pytest.mark.recipes, *([pytest.mark.exhaustive] if name in _SIMILAR else [])]


@pytest.fixture
def core_of_its_own() -> Iterator[None]:
    """A core for each process of the tests, so that no oracle runs ahead and takes another's core."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if not worker or not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {sorted(cores)[int(worker) % len(cores)]})
    yield
    os.sched_setaffinity(0, cores)


@pytest.mark.usefixtures("core_of_its_own")
@pytest.mark.parametrize("recipe", _recipes())
def test_the_result_shows_the_failure(recipe: Recipe, tmp_path: Path) -> None:
    missing = [
        program for program in recipe.needs if shutil.which(program, path=SEARCH_PATH) is None
    ]
    assert not missing, f"programs that the recipe needs are not installed: {missing}"
    result = cook(recipe, tmp_path)
    assert not result.problems, f"\n{result}"
