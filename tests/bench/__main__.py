"""`python -m tests.bench`: measure and write docs/benchmarks.md, .tsv and plots."""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields
from pathlib import Path

from pollard.passes.strategy import Strategy
from pollard.syntax.branches import Preprocessing
from tests.bench import page, plots, table
from tests.bench.cases import Case, bundled, corpus, corpus_folder
from tests.bench.measure import STRATEGIES, measure
from tests.bench.memory import Memory

_QUICK_BYTES = 40_000
_QUICK = ("default", "hdd*", "hddh*")


def main(arguments: list[str]) -> int:
    """Measure what was asked for, each row written as soon as it is known; 1 if one went wrong."""
    options = _parser().parse_args(arguments)
    cases = _chosen(options)
    order = [case.name for case in [*bundled(), *corpus()]]
    options.out.joinpath("plots").mkdir(parents=True, exist_ok=True)
    file = options.out / "benchmarks.tsv"
    rows = table.read(file)
    memory = Memory(options.remember) if options.remember else None
    good = True
    for case in cases:
        for strategy in options.strategy or (_QUICK if options.quick else STRATEGIES):
            new = _measured(case, strategy, options, memory)
            good = good and new.interesting
            print(_told(new), flush=True)
            rows = table.merged(rows, [new], order)
            table.write(file, rows)
    _publish(options.out, rows)
    return 0 if good else 1


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
    return table.row(measured, options.time_limit)


def _publish(out: Path, rows: list[table.Row]) -> None:
    rivals = corpus_folder() / "rivals.tsv"
    text = page.page(rows, "python -m tests.bench --remember verdicts.sqlite3", rivals)
    out.joinpath("benchmarks.md").write_text(text, encoding="utf-8")
    for case in {row.case for row in rows}:
        own = [row for row in rows if row.case == case and row.is_usual]
        if own:
            drawn = plots.plot(case, sorted(own, key=_place))
            out.joinpath("plots", f"{case}.svg").write_text(drawn, encoding="utf-8")


def _place(row: table.Row) -> tuple[int, str]:
    known = row.strategy in STRATEGIES
    return (STRATEGIES.index(row.strategy) if known else len(STRATEGIES)), row.strategy


def _told(row: table.Row) -> str:
    ended = f"cut off after {row.cut_off} s" if row.cut_off else ""
    bad = "" if row.interesting else "NOT INTERESTING"
    without = f"without {row.without} " if row.without else ""
    return (
        f"{row.case:32} {row.strategy:14} {row.before_size:>7} -> {row.size:<6} "
        f"{row.runs:>6} runs {row.guarded:>6} guarded ({row.share:.0%}) "
        f"{row.oracle_seconds:>7} s oracle {row.own_ms:>6} ms own {without}{ended}{bad}"
    )


def _chosen(options: argparse.Namespace) -> list[Case]:
    known = {case.name: case for case in [*bundled(), *corpus()]}
    unknown = [name for name in options.case if name not in known]
    if unknown:
        sys.exit(f"no case {', '.join(unknown)}; there are: {', '.join(known)}")
    cases = [known[name] for name in options.case] or list(known.values())
    small = [case for case in cases if len(case.text) < _QUICK_BYTES]
    return small if options.quick and not options.case else cases


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("case", nargs="*", help="cases to measure (all)")
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
        "--remember", type=Path, metavar="FILE", help="share verdicts between strategies in FILE"
    )
    return parser


def _strategy(name: str) -> str:
    Strategy.parse(name)
    return name


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
