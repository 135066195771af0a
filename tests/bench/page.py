"""docs/benchmarks.md, made from the rows of the results."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version

from pollard.passes.strategy import Strategy
from tests.bench import targets
from tests.bench.cases import by_name, corpus
from tests.bench.measure import STRATEGIES, engine
from tests.bench.rivals import RivalResult
from tests.bench.table import Row

_INTRODUCTION = """\
# Benchmarks

Made by

```
{command}
```

from real failing files and the two examples of the HDDH paper (figures 3 and 5). The file keeps
verdicts for the next strategy and the next time; the figures are the same without it. Every reduction
begins with an empty cache of verdicts and runs one oracle at a time, so that sizes and counts are the
same on every machine. Sizes are non-whitespace bytes. To measure a strategy on a file of your own, run
`pollard reduce --strategy NAME --no-cache --stats FILE`.

- **runs**: executions of the oracle for candidates, without the checks of the original and the result
- **guarded**: candidates that the parser rejected without a run
- **reference**: the size in bytes, white space included, of a small file written by hand that passes
  the same oracle; it is not proved minimal
- **wasted**: runs that were started ahead and not needed; there are none with one job
- **half**: the size after half of the runs, which is what you have if you stop in the middle
- A star marks a reduction that a time limit cut off; it shows the best text until then.
- An empty cell was not measured.
"""

_DETAILS = """\
## Every figure

*own* is the wall time of Pollard itself for each candidate, without the oracle, in milliseconds, and
*CPU* the same in processor time. *ratio* is the result's bytes over the reference's. A wall time is
left out if verdicts were remembered from an earlier measurement of the case. They count as runs, but
no process was started for them, and *own* and *CPU* lack that time too.
"""


def page(rows: Sequence[Row], command: str, others: Sequence[RivalResult]) -> str:
    """Return the page's text."""
    kept = [row for row in rows if row.is_usual]
    parts = [
        _INTRODUCTION.format(command=command),
        *_settings(rows),
        "",
        *_strategies_used(kept),
        "",
    ]
    parts += ["## The cases", "", *_what_fails(rows), ""]
    parts += ["## Size and runs", "", "Size left / oracle runs.", "", *_overview(kept), ""]
    parts += ["## Guarded", "", *_guarded(kept), ""]
    without = [row for row in rows if row.guard and row.without]
    if without:
        parts += ["## Without parts of the preprocessing", "", *_without(kept, without), ""]
    unguarded = [row for row in rows if not row.guard]
    if unguarded:
        parts += ["## Without the guard", "", *_without_guard(kept, unguarded), ""]
    if others:
        parts += ["## Other reducers", "", *_rivals(others, kept), ""]
    parts += ["## Targets", "", *_targets(kept, others), ""]
    parts += [_DETAILS, *_details(rows), "", "## Size over runs", ""]
    parts += [f"![{case}](plots/{case}.svg)\n" for case in _cases(kept)]
    return "\n".join(parts).rstrip() + "\n"


def _settings(rows: Sequence[Row]) -> Iterator[str]:
    packages = ("tree-sitter", "tree-sitter-language-pack")
    named = ", ".join(f"{name} {version(name)}" for name in packages)
    jobs = ", ".join(map(str, sorted({row.jobs for row in rows}))) or "1"
    yield (
        f"Python {platform.python_version()}, {named}; engine {engine()} (a digest of the code that "
        f"searches). Jobs: {jobs}. Unless a row says otherwise, the guard and all preprocessing are "
        "on, nothing is learnt from invalid candidates, and there is no time limit."
    )
    if any(not row.is_current for row in rows):
        yield "\nRows marked † were measured with an earlier version of the code."


def _strategies_used(rows: Sequence[Row]) -> Iterator[str]:
    yield "The passes of the strategies:"
    yield ""
    for name in _strategies(rows):
        passes = ", ".join(str(step) for step in Strategy.parse(name).steps)
        yield f"- `{name}`: {passes}"


def _what_fails(rows: Sequence[Row]) -> Iterator[str]:
    known = by_name()
    yield from _head("case", "language", "grammar", "bytes", "tokens", "failure")
    for name in _cases(rows):
        row = next(row for row in rows if row.case == name)
        case = known[name]
        source = case.grammar.source
        size, tokens = f"{row.before_bytes:,}", f"{row.before_tokens:,}"
        yield _line(name, case.language, source, size, tokens, case.failure)


def _overview(rows: Sequence[Row]) -> Iterator[str]:
    strategies = _strategies(rows)
    cells = {(row.case, row.strategy): row for row in rows}
    yield from _head("case", "before", "reference", *strategies)
    for case in _cases(rows):
        first = next(row for row in rows if row.case == case)
        found = [cells.get((case, strategy)) for strategy in strategies]
        yield _line(
            case,
            f"{first.before_size:,}",
            first.reference_bytes,
            *(_result(row) if row else "" for row in found),
        )
    yield _line("**sum**", "", "", *(_sum(rows, strategy) for strategy in strategies))


def _result(row: Row) -> str:
    return f"{row.size:,} / {row.runs:,}{row.marks}"


def _sum(rows: Sequence[Row], strategy: str) -> str:
    """Sum up a column over the corpus, if it is complete."""
    known = {case.name for case in corpus()}
    own = [row for row in rows if row.strategy == strategy and row.case in known]
    if len(own) < len(known):
        return ""
    cut = "\\*" if any(row.cut_off for row in own) else ""
    cut += "" if all(row.is_current for row in own) else "†"
    return f"{sum(row.size for row in own):,} / {sum(row.runs for row in own):,}{cut}"


def _guarded(rows: Sequence[Row]) -> Iterator[str]:
    yield "Candidates that the parser rejected, and their share of all new candidates."
    yield ""
    strategies = _strategies(rows)
    cells = {(row.case, row.strategy): row for row in rows}
    yield from _head("case", *strategies)
    for case in _cases(rows):
        found = [cells.get((case, strategy)) for strategy in strategies]
        yield _line(case, *(f"{r.guarded:,} ({r.share:.0%}){r.marks}" if r else "" for r in found))
    totals = []
    for strategy in strategies:
        own = [row for row in rows if row.strategy == strategy]
        guarded, runs = sum(row.guarded for row in own), sum(row.runs for row in own)
        totals.append(f"{guarded:,} ({guarded / max(guarded + runs, 1):.0%})")
    yield _line("**sum**", *totals)


def _without_guard(kept: Sequence[Row], unguarded: Sequence[Row]) -> Iterator[str]:
    cells = {(row.case, row.strategy): row for row in kept}
    yield from _head("case", "strategy", "with the guard", "without")
    for row in unguarded:
        with_guard = cells.get((row.case, row.strategy))
        shown = _result(with_guard) if with_guard else ""
        yield _line(row.case, row.strategy, shown, _result(row))


def _without(kept: Sequence[Row], lacking: Sequence[Row]) -> Iterator[str]:
    cells = {(row.case, row.strategy): row for row in kept}
    yield "Size left / oracle runs / guarded."
    yield ""
    yield from _head("case", "strategy", "with all of it", "without", "")
    for row in lacking:
        usual = cells.get((row.case, row.strategy))
        shown = f"{_result(usual)} / {usual.guarded:,}" if usual else ""
        yield _line(row.case, row.strategy, shown, row.without, f"{_result(row)} / {row.guarded:,}")


def _rivals(others: Sequence[RivalResult], rows: Sequence[Row]) -> Iterator[str]:
    own = {row.case: row for row in rows if row.strategy == "default"}
    yield (
        "The inputs and oracles are the same. Tools with two workers were measured when the inputs "
        "were collected, on a busy machine with two cores; the others by `python -m tests.bench "
        "--rivals`, with one worker. Their checks of the original are among their runs, and the size "
        "is that of the smallest text that was seen to be interesting."
    )
    yield ""
    yield from _head("case", "tool", "size", "runs", "ended", "pollard, default")
    for one in others:
        ours = own.get(one.case)
        size = f"{one.size:,}" if one.size is not None else one.output_non_whitespace
        shown = _result(ours) if ours else ""
        yield _line(one.case, one.tool, size, f"{one.runs:,}", one.ended, shown)


def _targets(rows: Sequence[Row], others: Sequence[RivalResult]) -> Iterator[str]:
    order = _cases(rows)
    yield (
        "How `default` meets its targets; `python -m tests.bench --targets --strategy NAME` prints "
        "this table for another strategy. A colon stands between ours and theirs, a slash between size "
        "and runs."
    )
    yield ""
    yield from (f"- **{target.name}**: {target.meaning}" for target in targets.TARGETS)
    yield ""
    head, *body = targets.lines(rows, others, "default", order)
    yield from _head(*head)
    for line in body:
        yield _line(*line)


def _details(rows: Sequence[Row]) -> Iterator[str]:
    yield from _head(
        "case", "strategy", "bytes", "size", "half", "tokens", "ratio", "runs", "wasted", "guarded",
        "cached", "invalid", "time-outs", "reductions", "oracle s", "wall s", "own ms", "CPU ms",
        "jobs", "guard", "without", "ended",
    )  # fmt: skip
    for row in rows:
        reference = int(row.reference_bytes or 0)
        ratio = f"{row.bytes / reference:.1f}" if reference else ""
        ended = f"cut off after {row.cut_off} s" if row.cut_off else "by itself"
        yield _line(
            row.case + ("" if row.is_current else "†"), row.strategy,
            f"{row.before_bytes:,} → {row.bytes:,}", f"{row.before_size:,} → {row.size:,}",
            f"{row.half:,} ({row.anytime:.1f}×)",
            f"{row.before_tokens:,} → {row.tokens:,}", ratio, row.runs, row.wasted,
            row.guarded, row.cache_hits, row.invalid, row.timeouts, row.reductions,
            row.oracle_seconds, row.wall_seconds, row.own_ms, row.cpu_ms, row.jobs,
            "on" if row.guard else "off", row.without, ended,
        )  # fmt: skip


def _cases(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(row.case for row in rows))


def _strategies(rows: Iterable[Row]) -> list[str]:
    there = {row.strategy for row in rows}
    return [name for name in STRATEGIES if name in there] + sorted(there - {*STRATEGIES})


def _head(*names: str) -> Iterator[str]:
    yield _line(*names)
    yield "|" + " --- |" * len(names)


def _line(*cells: object) -> str:
    escaped = (str(cell).replace("*+", "\\*+").replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
