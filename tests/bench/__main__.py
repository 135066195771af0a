"""Measure strategies on the cases and write docs/benchmarks.md, its tables and its plots.

`python -m tests.bench --remember FILE` makes every figure of that page and of docs/comparison.md. The
file keeps verdicts for the next time, which saves time and changes no figure.
`python -m tests.bench.trees` makes only the pictures of the trees. `--rivals` measures other reducers
instead, `--ablation` variations of the default (docs/ablation.md), and `--targets` nothing. The second
set has tables of its own, and only a section of docs/comparison.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from pollard.passes.strategy import Strategy
from pollard.syntax.branches.branches import Preprocessing
from tests.bench import (
    ablation,
    blocks,
    page,
    papers,
    plots,
    rivals,
    second,
    table,
    targets,
    trees,
)
from tests.bench.cases import SETS, Case, by_name, corpus_folder, small
from tests.bench.measure import STRATEGIES, Measurement, engine, measure
from tests.bench.memory import Memory
from tests.bench.trial import trial
from tests.bench.variations import variations

_QUICK_BYTES = 40_000
_QUICK = ("default", "hdd*", "hddh*")
_RIVAL_SECONDS = 240.0
_TABLE = "benchmarks.tsv"
_OTHERS = "rivals.tsv"
_OUTCOMES = "ablation.tsv"
_SMALL = "small-programs.tsv"


def main(arguments: list[str]) -> int:
    """Run the command; return 1 if something went wrong."""
    options = _parser().parse_args(arguments)
    cases = _chosen(options)
    if options.targets:
        return _judge(cases, options)
    if options.ablation is not None:
        return _vary(cases, options)
    options.out.joinpath("plots").mkdir(parents=True, exist_ok=True)
    good = _measure(cases, options) if options.rivals is None else _compare(cases, options)
    if _table_of(cases) == _TABLE:
        _publish(options.out)
    elif second.has(cases) and (options.out / "comparison.md").is_file():
        second.rewrite(options.out)
    return 0 if good else 1


def _measure(cases: list[Case], options: argparse.Namespace) -> bool:
    """Measure strategies and write each row at once; return whether all results are interesting."""
    file = options.out / _table_of(cases)
    rows = table.read(file)
    memory = Memory(options.remember) if options.remember else None
    good = True
    for case in cases:
        for strategy in options.strategy or (_QUICK if options.quick else STRATEGIES):
            new = _measured(case, strategy, options, memory)
            good = good and new.interesting
            print(_line(new), flush=True)
            rows = table.merged(rows, [new], _order())
            table.write(file, rows)
    return good


def _table_of(cases: list[Case]) -> str:
    """Return the name of the table for cases, which must all be of one set."""
    if second.has(cases):
        return second.OURS
    return _SMALL if {case.name for case in cases} <= {case.name for case in small()} else _TABLE


def _compare(cases: list[Case], options: argparse.Namespace) -> bool:
    """Measure the installed rivals one after the other; return whether there is one."""
    chosen = rivals.named(options.rivals)
    file = options.out / (second.THEIRS if second.has(cases) else _OTHERS)
    known = rivals.read(file)
    there = [rival for rival in chosen if rival.path is not None]
    for case in cases:
        for rival in there:
            new = trial(rival, case, options.time_limit or _RIVAL_SECONDS)
            print(_rival_line(new), flush=True)
            known = rivals.merged(known, [new], _order())
            rivals.write(file, known)
    print(rivals.missing(chosen))
    return bool(there)


def _vary(cases: list[Case], options: argparse.Namespace) -> int:
    """Measure what was not measured yet with the present code, and write the page; return 0."""
    file = options.out / _OUTCOMES
    wanted = [name for name in variations() if all(part in name for part in options.ablation)]
    outcomes = ablation.read(file)
    done = {(one.variation, one.case) for one in outcomes if one.engine == engine()}
    lacking = {each.name: [one for one in wanted if (one, each.name) not in done] for each in cases}
    lacking = {case: names for case, names in lacking.items() if names}
    for found in ablation.measured(lacking, options.remember):
        for outcome in found:
            print(
                f"{outcome.case:32} {outcome.variation:48} {outcome.size:>6} {outcome.runs:>6} runs",
                flush=True,
            )
        outcomes += (one for one in found if (one.variation, one.case) not in done)
        ablation.write(file, outcomes)
    outcomes = ablation.current(outcomes)
    ablation.write(file, outcomes)
    options.out.joinpath("ablation.md").write_text(ablation.page(outcomes), encoding="utf-8")
    return 0


def _judge(cases: list[Case], options: argparse.Namespace) -> int:
    """Print how far the strategies are from their targets; return 1 if a case was not measured."""
    rows = table.read(options.out / _TABLE)
    order = [case.name for case in cases]
    incomplete = False
    for strategy in options.strategy or ("default",):
        print(f"{strategy}, from {options.out / _TABLE}:\n")
        shown = table.aligned(list(targets.lines(rows, _all_rivals(options.out), strategy, order)))
        print("\n".join(shown))
        if lacking := targets.unmeasured(rows, strategy, order):
            incomplete = True
            print(f"\nNot measured with the code as it is: {', '.join(lacking)}.")
    return 1 if incomplete else 0


def _measured(
    case: Case, strategy: str, options: argparse.Namespace, memory: Memory | None
) -> table.Row:
    measured = measure(
        case,
        strategy,
        jobs=options.jobs,
        guard=options.guard,
        without=options.without,
        memory=memory,
        time_limit=options.time_limit,
    )
    if options.passes:
        print("\n".join(table.aligned(list(_passes(measured)))))
    return table.row(measured, options.time_limit)


def _passes(measured: Measurement) -> Iterator[tuple[str, ...]]:
    """Yield a line for each pass, below their headings."""
    shown = ("name", "rounds", "candidates", "guarded", "runs", "accepted", "bytes_saved")
    yield tuple(key.replace("_", " ") for key in shown)
    for one in measured.result.passes:
        yield tuple(str(getattr(one, key)) for key in shown)


def _publish(out: Path) -> None:
    rows, known = table.read(out / _TABLE), _all_rivals(out)
    text = page.page(rows, "python -m tests.bench --remember verdicts.sqlite3", known)
    out.joinpath("benchmarks.md").write_text(text, encoding="utf-8")
    if (comparison := out / "comparison.md").is_file():
        blocks.rewrite(comparison, "papers", papers.section(rows))
        trees.write(out)
    for case in {row.case for row in rows}:
        own = [row for row in rows if row.case == case and row.is_usual]
        theirs = [other for other in known if other.case == case]
        if own:
            drawn = plots.plot(case, sorted(own, key=_place), theirs)
            out.joinpath("plots", f"{case}.svg").write_text(drawn, encoding="utf-8")


def _all_rivals(out: Path) -> list[rivals.RivalResult]:
    recorded = rivals.read(corpus_folder() / "rivals.tsv")
    return rivals.merged(recorded, rivals.read(out / _OTHERS), _order())


def _order() -> list[str]:
    return list(by_name())


def _place(row: table.Row) -> tuple[int, str]:
    known = row.strategy in STRATEGIES
    return (STRATEGIES.index(row.strategy) if known else len(STRATEGIES)), row.strategy


def _line(row: table.Row) -> str:
    ended = f"cut off after {row.cut_off} s" if row.cut_off else ""
    bad = "" if row.interesting else "NOT INTERESTING"
    without = f"without {row.without} " if row.without else ""
    return (
        f"{row.case:32} {row.strategy:14} {row.before_size:>7} -> {row.size:<6} "
        f"{row.runs:>6} runs {row.guarded:>6} guarded ({row.share:.0%}) "
        f"{row.oracle_seconds:>7} s oracle {row.own_ms:>6} ms own {without}{ended}{bad}"
    )


def _rival_line(other: rivals.RivalResult) -> str:
    return (
        f"{other.case:32} {other.tool:20} {other.input_non_whitespace:>7} -> "
        f"{other.output_non_whitespace:<6} {other.oracle_runs:>6} runs {other.seconds:>5} s "
        f"{other.ended}"
    )


def _chosen(options: argparse.Namespace) -> list[Case]:
    try:
        known = by_name()
    except FileNotFoundError:
        sys.exit(f"no corpus in {corpus_folder()}; set POLLARD_CORPUS to its folder")
    unknown = [name for name in options.case if name not in known]
    if unknown:
        sys.exit(f"no case {', '.join(unknown)}; there are: {', '.join(known)}")
    cases = [known[name] for name in options.case] or SETS[options.set or _usual_set(options)]()
    small = [case for case in cases if len(case.text) < _QUICK_BYTES]
    return small if options.quick and not options.case else cases


def _usual_set(options: argparse.Namespace) -> str:
    return "corpus" if options.ablation is None else "all"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("case", nargs="*", help="cases to measure (all of the set)")
    parser.add_argument(
        "--set",
        choices=SETS,
        help="the corpus (default), the second set (more), its halves (tune and report), small "
        "programs, or all",
    )
    parser.add_argument(
        "--strategy", action="append", type=_strategy, metavar="S", help="may be repeated"
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument("--no-guard", dest="guard", action="store_false")
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=[key.name for key in fields(Preprocessing)],
        help="switch off a part of the preprocessing; may be repeated",
    )
    parser.add_argument("--out", type=Path, default=Path("docs"), metavar="DIR")
    parser.add_argument("--quick", action="store_true", help="small inputs, three strategies")
    parser.add_argument("--time-limit", type=float, metavar="S", help="seconds for each reduction")
    parser.add_argument(
        "--rivals",
        nargs="*",
        choices=[rival.program for rival in rivals.RIVALS],
        metavar="NAME",
        help="measure other reducers (all that are installed), at most --time-limit seconds (240) each",
    )
    parser.add_argument("--passes", action="store_true", help="also print the figures of each pass")
    parser.add_argument(
        "--ablation",
        nargs="*",
        metavar="WORD",
        help="measure the default without each of its parts (those with all WORDs in their names)",
    )
    parser.add_argument("--targets", action="store_true", help="compare the table with the targets")
    parser.add_argument(
        "--remember", type=Path, metavar="FILE", help="share verdicts between strategies in FILE"
    )
    return parser


def _strategy(name: str) -> str:
    Strategy.parse(name)
    return name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
