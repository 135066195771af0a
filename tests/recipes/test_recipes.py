"""Every recipe ends as the failure that its user meant, small, and in few runs."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.recipes.recipe import CASES, Recipe, cook

if TYPE_CHECKING:
    from pathlib import Path

# Among the everyday tests; together they take a few seconds.
_EVERYDAY = {"python-value-error", "python-type-error", "json-tool", "python-grep-no-q"}


def _recipes() -> list[Any]:
    return [
        pytest.param(
            Recipe.read(path),
            id=path.stem,
            marks=[] if path.stem in _EVERYDAY else [pytest.mark.recipes],
        )
        for path in sorted(CASES.glob("*.toml"))
    ]


@pytest.mark.parametrize("recipe", _recipes())
def test_the_result_shows_the_failure(recipe: Recipe, tmp_path: Path) -> None:
    missing = [program for program in recipe.needs if shutil.which(program) is None]
    assert not missing, f"programs that the recipe needs are not installed: {missing}"
    result = cook(recipe, tmp_path)
    assert not result.problems, f"\n{result}"
