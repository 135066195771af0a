"""What each pass, heuristic and number of the default is worth: docs/ablation.md and its outcomes.

Each variation is measured on each case, in several processes. Verdicts are shared, so that only texts
that no other variation tried are run.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from pathlib import Path

from tests.bench.cases import SETS, case_named
from tests.bench.measure import engine, measure
from tests.bench.memory import Memory
from tests.bench.variations import UNCHANGED, Variation, kinds_found, variations

_INTRODUCTION = """\
# What each part of the default is worth

Made by

```
python -m tests.bench --ablation --remember verdicts.sqlite3
```

The default strategy without each of its passes, without each heuristic, and with each number at half
and at twice its value. Each line compares the sums of the sizes, in bytes without white space, and of
the oracle's runs with those of the default as it is: +2.0 % means that the result is larger, or takes
more runs, without that part. *cases* are those in which anything changes, *languages* theirs.

A part *pays* if without it the size or the runs of the first two columns grow by at least {worth:g} %,
in at least {languages} languages, and by more than the other figure shrinks. The half of the second set
that only reports has no say in that. The columns *small* are of small programs with constructs that
the other files lack. An empty cell was not measured.

A part that does not pay by this rule stays for the reason in the last column. A number that makes no
difference at half and at twice its value is a limit: it bounds the time or the memory that a large file
takes, and few of these files are large enough to meet it.

Rows marked {mark} were measured with an earlier version of the code, and are compared with the default
of then.

"""
# Of these, only their sum was measured.
_CSMITH = "with levels, headers and brackets: fifteen programs of Csmith, 624 bytes instead of 470"
_RUST = "with wrapped types and declarations: five programs in Rust, 886 bytes instead of 635"
_XML = "with all of these: six documents of XML, 1,086 bytes instead of 763"
_OBJECTS = (
    "with all of these: thirteen programs in JavaScript, 2,528 bytes instead of 2,284, -2 % runs"
)
_REASONS = {
    "without reach": "files of megabytes, see [Large files](large.md)",
    "without named": "the oracles of these files hide what failed; most of the recipes do not",
    "without heaviest": "smaller results",
    "without heaviest*": "smaller results",
    "without coupled (number 1)": "smaller results",
    "without inline (number 2)": "57 scripts and data files: 2,919 bytes instead of 2,844, -2 % runs",
    "without values": "smaller results",
    "without polish": "smaller results",
    "without unparsed": "a guarantee: what the grammar does not understand is reduced, too",
    "without: one heavy token": "a guarantee: one long token keeps no pass from a large file",
    "without: what an edit leaves unused": "four programs in Go: 631 bytes instead of 290, +27 % runs",
    "without: placeholders with values": "a program in Rust: 393 bytes instead of 188",
    "without: tagged blocks": "with those of `heavy`, six templates: 414 bytes instead of 248",
    "without: unwrapped": "directives around several declarations, as in headers",
    "without: closed elements": "two XML files: 119 bytes instead of 113",
    "without: here documents": "Perl and Ruby: a script of 34 bytes instead of 27",
    "without: columns": "tables with rows of one length: 23 bytes of CSV instead of 16",
    "without: unboxed": "a list in C of 49 bytes instead of 36, a program in Go of 53 instead of 42",
    "without: spelled out": "five programs in Rust and C++: +2 % bytes",
    "without: without results": "the same: +25 %",
    "without: with fewer results": "six programs in Go: 915 bytes instead of 823",
    "without: instantiated": "the same: +7 %",
    "without: loosened": "the same: +8 %",
    "without: with single elements": "four scripts of a fuzzer and in Ruby: 194 bytes instead of 123",
    "without: with single objects": "73 scripts and data files: 3,639 bytes instead of 3,563",
    "without: without tables": "a program in Lua of 124 bytes instead of 13, +11 % runs",
    "without: with fewer levels": _CSMITH,
    "without: without headers": _CSMITH,
    "without: without brackets": _CSMITH,
    "without: without tables read": "three scripts in SQL: 342 bytes instead of 276, +5 % runs",
    "without: with unwrapped types": _RUST,
    "without: with declarations": _RUST,
    "without: without prefixes": _XML,
    "without: dissolved": _XML,
    "without: with referred elements": _XML,
    "without: some joined neighbours": "Solidity and Vue: 231 bytes instead of 190",
    "without: with assigned members": _OBJECTS,
    "without: with loose values": _OBJECTS,
    "without: with object literals": _OBJECTS,
    "without: with merged bases": "four programs with classes: 834 bytes instead of 739",
    "without: without thin classes": "a program in JavaScript: 151 bytes instead of 64",
    "without: with made members": "a program in JavaScript: 101 bytes instead of 64",
    "without: without modules": "a program in C++: 94 bytes instead of 83",
    "without alone": "programs in C++ and JavaScript: 144 bytes instead of 65, +34 % runs",
    "without: with plain assignments": "small programs",
    "without: with stored elements": "a script in Python: 66 bytes instead of 26, -14 % runs",
    "without: equal attributes": "two style sheets of XSLT: 532 bytes instead of 412, +9 % runs",
    "without: with parts of last values": "a borrow error in Rust: 75 bytes instead of 38, +4 % runs",
    "without: phrases": "a schema in SQL: 121 bytes instead of 106, -4 % runs",
    "without: with inner queries": "a report in SQL: 237 bytes instead of 50, +67 % runs",
    "without: with expanded macros": "an assertion of macros in C: 195 bytes instead of 65",
    "without: without private names": "a program in JavaScript: 109 bytes instead of 94, -7 % runs",
    "without: with single rounds": "a program in JavaScript: 46 bytes instead of 33, +5 % runs",
    "without: with plain conditions": "a lexer in C: 60 bytes instead of 31, +4 % runs",
    "without: with prototypes as objects": "a program in JavaScript: 149 bytes instead of 122",
    "without: with typed variables": "a program in C++: 82 bytes instead of 64",
    "without: suspicion by failed groups": (
        "39 of 70 files take more runs; but for one in LLVM, +3 % bytes, +1 % runs"
    ),
    "without: the rest of a list": "40 files that take at most 100 runs: +5 % runs",
    "without: with listed arguments": "a test of pytest: 115 bytes instead of 35, +11 % runs",
    "without: unkeyed": "a program in JavaScript: 59 bytes instead of 53, -7 % runs",
    "without: with initial values": (
        "with members of classes that are used once: two programs in Java, 926 bytes instead of 693"
    ),
    "without: with chosen elements": "a program in JavaScript: 100 bytes instead of 93",
    "without: with taken values": "a script of a fuzzer: 68 bytes instead of 43, +18 % runs",
    "without: with short functions": "three in JavaScript: 145 bytes instead of 120, -7 % runs",
}
_GROUPS = {"pass": "Passes", "heuristic": "Heuristics", "number": "Numbers"}
_FORMER_MARK = "†"
_MIN_WORTH_PERCENT = 1.0
_MIN_LANGUAGES = 3


@dataclass(frozen=True)
class Outcome:
    """One case under one variation: bytes without white space, runs, and seconds of both programs.

    `engine` is the digest of the code that was varied.
    """

    variation: str
    case: str
    size: int
    runs: int
    seconds: float
    engine: str


def measured(
    wanted: Mapping[str, Sequence[str]], remember: Path | None, processes: int | None = None
) -> Iterator[list[Outcome]]:
    """Measure variations on cases, given by name: the variations of each case; yield case by case."""
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        futures = [pool.submit(_outcomes, *one, remember) for one in wanted.items()]
        for future in as_completed(futures):
            yield future.result()


def _outcomes(case_name: str, names: Sequence[str], remember: Path | None) -> list[Outcome]:
    """Measure the default and some variations of it on one case.

    A variation without changes of a kind of which the default finds none is the default.
    """
    known = variations()
    with kinds_found() as found:
        unchanged = _outcome(known[UNCHANGED], case_name, remember)
    outcomes = [unchanged]
    for variation in (known[name] for name in names if name != UNCHANGED):
        if variation.kind and variation.kind not in found:
            outcomes.append(replace(unchanged, variation=variation.name))
        else:
            outcomes.append(_outcome(variation, case_name, remember))
    return outcomes


def _outcome(variation: Variation, case_name: str, remember: Path | None) -> Outcome:
    with variation.applied():
        result = measure(case_named(case_name), variation.strategy, memory=Memory(remember))
    return Outcome(
        variation.name,
        case_name,
        size=result.size,
        runs=result.result.counts.runs,
        seconds=round(result.cpu_seconds + result.result.counts.oracle_seconds, 1),
        engine=engine(),
    )


def read(file: Path) -> list[Outcome]:
    """Return the outcomes in a file, also those that were measured with earlier code."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as stream:
        return [_row(row) for row in csv.DictReader(stream, delimiter="\t")]


def current(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes without those that later ones replace.

    A variation that was measured with the present code has no earlier outcomes. Another one has those
    of the last code that measured it, and the default is kept as it was then.
    """
    known, last = variations(), dict[str, str]()
    for outcome in outcomes:
        if last.get(outcome.variation) != engine() and outcome.variation in known:
            last[outcome.variation] = outcome.engine
    kept = {*last.items(), *((UNCHANGED, code) for code in last.values())}
    return [outcome for outcome in outcomes if (outcome.variation, outcome.engine) in kept]


def write(file: Path, outcomes: Iterable[Outcome]) -> None:
    """Write outcomes to a file of tab-separated values."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        names = [each.name for each in fields(Outcome)]
        writer = csv.DictWriter(stream, names, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(outcome) for outcome in outcomes)


def _row(row: Mapping[str, str]) -> Outcome:
    return Outcome(
        row["variation"],
        row["case"],
        int(row["size"]),
        int(row["runs"]),
        float(row["seconds"]),
        row["engine"],
    )


def page(outcomes: Sequence[Outcome]) -> str:
    """Return the text of docs/ablation.md; the outcomes are `current` ones."""
    known = variations()
    head = _INTRODUCTION.format(
        worth=_MIN_WORTH_PERCENT, languages=_MIN_LANGUAGES, mark=_FORMER_MARK
    )
    parts = [head, *_totals(outcomes)]
    measured = {outcome.variation for outcome in outcomes}
    for group, title in _GROUPS.items():
        varied = [one for one in known.values() if one.group == group and one.name in measured]
        if varied:
            parts += ["", f"## {title}", "", *_HEAD, *(_line(one, outcomes) for one in varied)]
    return "\n".join(parts) + "\n"


_COLUMNS = (
    *("variation", "size", "runs", "cases", "languages"),
    *("size, report", "runs, report", "size, small", "runs, small", "it pays"),
)
_HEAD = (f"| {' | '.join(_COLUMNS)} |", f"| --- |{' ---: |' * (len(_COLUMNS) - 2)} --- |")


def _totals(outcomes: Sequence[Outcome]) -> Iterator[str]:
    latest = {one.case: one for one in outcomes if one.variation == UNCHANGED}
    groups = (
        ("corpus and tuning half", _languages("corpus", "tune")),
        ("reporting half", _languages("report")),
        ("small programs", _languages("small")),
    )
    for title, cases in groups:
        if own := [latest[case] for case in cases if case in latest]:
            names = ", ".join(sorted(outcome.case for outcome in own))
            size, runs = sum(one.size for one in own), sum(one.runs for one in own)
            yield f"- {title}: the default leaves {size:,} bytes in {runs:,} runs of {names}"


@dataclass(frozen=True)
class Difference:
    """A variation compared with the default on the same cases; `size` and `runs` in per cent.

    `measured` is the number of these cases, and `cases` that of those in which anything changes.
    """

    size: float
    runs: float
    cases: int
    languages: int
    measured: int

    @property
    def pays(self) -> bool:
        """Whether what was left out or changed is worth having as it is."""
        less, more = sorted((self.size, self.runs))
        return more >= _MIN_WORTH_PERCENT and more > -less and self.languages >= _MIN_LANGUAGES


def difference(
    variation: str, outcomes: Iterable[Outcome], languages: Mapping[str, str]
) -> Difference:
    """Compare a variation with the default of the same code, on the cases that both were measured on.

    `languages` has the language of each case that counts.
    """
    by_key = {(one.variation, one.case, one.engine): one for one in outcomes}
    measured_by = {one.engine for one in outcomes if one.variation == variation}
    pairs = [
        (old, new)
        for code in measured_by
        for case in languages
        if (old := by_key.get((UNCHANGED, case, code)))
        and (new := by_key.get((variation, case, code)))
    ]
    changed = [old.case for old, new in pairs if (old.size, old.runs) != (new.size, new.runs)]
    return Difference(
        size=_percent(sum(old.size for old, _ in pairs), sum(new.size for _, new in pairs)),
        runs=_percent(sum(old.runs for old, _ in pairs), sum(new.runs for _, new in pairs)),
        cases=len(changed),
        languages=len({languages[case] for case in changed}),
        measured=len(pairs),
    )


def _line(variation: Variation, outcomes: Sequence[Outcome]) -> str:
    own = difference(variation.name, outcomes, _languages("corpus", "tune"))
    small = difference(variation.name, outcomes, _languages("small"))
    measured_by = {one.engine for one in outcomes if one.variation == variation.name}
    mark = "" if engine() in measured_by else _FORMER_MARK
    cells = (
        f"`{variation.name}`{mark}",
        f"{own.size:+.1f} %",
        f"{own.runs:+.1f} %",
        str(own.cases),
        str(own.languages),
        *_two_cells(difference(variation.name, outcomes, _languages("report"))),
        *_two_cells(small),
        "yes" if own.pays else _REASONS.get(variation.name) or _reason(small),
    )
    return f"| {' | '.join(cells)} |"


def _two_cells(found: Difference) -> tuple[str, str]:
    if not found.measured:
        return "", ""
    return f"{found.size:+.1f} %", f"{found.runs:+.1f} %"


def _reason(small: Difference) -> str:
    return "small programs" if max(small.size, small.runs) >= _MIN_WORTH_PERCENT else ""


def _percent(old: int, new: int) -> float:
    return 100 * (new - old) / old if old else 0.0


@cache
def _languages(*sets: str) -> dict[str, str]:
    """Return the language of each case of some sets."""
    return {case.name: case.language for name in sets for case in SETS[name]()}
