"""Print "N passed, N failed" from JUnit reports: `tally.py FOLDER [FAILED_STEP ...]`."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree


def count(report: Path) -> tuple[int, int]:
    """Return how many tests passed and failed; a report cut short counts as nothing."""
    try:
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    except ElementTree.ParseError:
        return 0, 0
    outcomes = [{element.tag for element in case} for case in cases]
    bad = sum(bool(seen & {"failure", "error"}) for seen in outcomes)
    return sum(not seen & {"failure", "error", "skipped"} for seen in outcomes), bad


def main(folder: str, *failed_steps: str) -> None:
    """Sum up the reports; a failed step without a failed test of its own is one failure more."""
    counts = [count(report) for report in sorted(Path(folder).glob("*.xml"))]
    failed = sum(bad for _, bad in counts)
    explained = sum(bad > 0 for _, bad in counts)
    failed += max(len(failed_steps) - explained, 0)
    print(f"{sum(good for good, _ in counts)} passed, {failed} failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
