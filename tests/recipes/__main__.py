"""`python -m tests.recipes [NAME...]`: cook recipes, and print what is left of each, and its table.

Those whose names begin with one of the NAMEs are cooked; without one, all.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.recipes.recipe import CASES, Recipe, cook


def main(names: list[str]) -> int:
    rows = []
    for path in sorted(CASES.glob("*.toml")):
        if names and not path.stem.startswith(tuple(names)):
            continue
        with tempfile.TemporaryDirectory() as folder:
            result = cook(Recipe.read(path), Path(folder))
        print(f"--- {path.stem}\n{result}", flush=True)
        problems = "; ".join(result.problems) or "holds"
        rows.append(f"{path.stem:<28} {result.size:>5} in {result.runs:>4}  {problems}")
    print("\n".join(rows))
    return sum(not row.endswith("holds") for row in rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
