"""Print "N passed, N failed" from pytest's JUnit reports: `tally.py FOLDER [FAILED_STEP ...]`."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree


def count(report: Path) -> tuple[int, int]:
    """Return how many tests passed and failed; a report cut short counts as nothing."""
    try:
        suites = ElementTree.parse(report).getroot().iter("testsuite")
    except ElementTree.ParseError:
        return 0, 0
    total = bad = skipped = 0
    for suite in suites:
        total += int(suite.get("tests", 0))
        bad += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped += int(suite.get("skipped", 0))
    return max(total - bad - skipped, 0), bad


def main(folder: str, *failed_steps: str) -> None:
    """Sum up the reports; a failed step without a failed test of its own is one failure more."""
    counts = [count(report) for report in sorted(Path(folder).glob("*.xml"))]
    failed = sum(bad for _, bad in counts)
    explained = sum(bad > 0 for _, bad in counts)
    failed += max(len(failed_steps) - explained, 0)
    print(f"{sum(good for good, _ in counts)} passed, {failed} failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
