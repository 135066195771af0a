"""Checks a bill of materials: `sbom.py FILE PACKAGE...`; it must name each with a version."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def missing(text: str, packages: list[str]) -> list[str]:
    """Return the packages that a CycloneDX file does not name with a version."""
    bill = json.loads(text)
    if bill.get("bomFormat") != "CycloneDX":
        return packages
    known = {part["name"] for part in bill.get("components", ()) if part.get("version")}
    return [package for package in packages if package not in known]


def main() -> None:
    """Print the number of packages, or which ones are missing."""
    file, *packages = sys.argv[1:]
    text = Path(file).read_text(encoding="utf-8")
    if absent := missing(text, packages):
        sys.exit(f"{file} does not name {', '.join(absent)}")
    print(f"{Path(file).name}: {len(json.loads(text)['components'])} packages")


if __name__ == "__main__":
    main()
