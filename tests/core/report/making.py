"""Reports for tests: of a real reduction's journal, and of values that no reduction would give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pollard.engine.statistics import PassStatistics
from pollard.report.journal_report import report_of_journal
from pollard.report.report_model import FileInReport, OtherInReport, Report, ReportStep
from tests.core.reductions import plan, watched

#: What would run if a page did not escape it.
HOSTILE = "</script></pre><script>window.hit = 1</script><img src=x onerror='window.hit = 2'>"


def reduced(journal: Path, **options) -> Report:
    """Reduce a text with a journal, and return its report."""
    watched(plan(journal=journal, **options))
    return report_of_journal(journal)


def report(**changed) -> Report:
    """A report of a small file, with fields as given."""
    file = FileInReport(
        name="a.py", original=b"one = 1\ntwo = 2\nfor i in 0:\n    i\n", result=b"for i in 0: i\n"
    )
    known = Report(
        name="a.py",
        files=(replace(file, language="python"),),
        command="python3 a.py",
        failure="TypeError, raised on line 1",
        output="TypeError: 'int' object is not iterable",
        began="2024-02-03T04:05:06Z",
        strategy="default",
        versions=("Linux-6.1", "Python 3.11.2", "Pollard 0.1.0"),
        runs=30,
        seconds=1.5,
        passes=(
            PassStatistics("heavy", 1, 9, 0, 8, 2, 20, 0.5),
            PassStatistics("tidy", 1),
        ),
        others=(OtherInReport("SIGSEGV", 12, 3),),
        steps=(
            ReportStep(1, 26, 3, 0.1, "heavy level 1"),
            ReportStep(2, 14, 17, 0.9, "heaviest"),
        ),
        changes=lambda _: iter(["- one = 1", "- two = 2"]),
    )
    return replace(known, **changed)


def hostile_report() -> Report:
    """A report in which every text would run a script if it were not escaped."""

    def changes(_: int) -> Iterator[str]:
        return iter([f"- {HOSTILE}"])

    return Report(
        name=HOSTILE,
        files=(
            FileInReport(
                name=HOSTILE, original=f"a\n{HOSTILE}\n".encode(), result=HOSTILE.encode()
            ),
        ),
        command=HOSTILE,
        failure=HOSTILE,
        output=HOSTILE,
        strategy=HOSTILE,
        versions=(HOSTILE,),
        runs=3,
        seconds=0.5,
        passes=(PassStatistics(HOSTILE, 1, 1, 0, 1, 1, 2, 0.1),),
        others=(OtherInReport(HOSTILE, 3, 1),),
        notes=(HOSTILE,),
        steps=(ReportStep(1, len(HOSTILE), 2, 0.2, HOSTILE),),
        changes=changes,
    )
