"""The papers' own figures beside ours, for docs/comparison.md.

The figures are from the tables of the papers. Most of their inputs are not available together with the
programs that fail, so only the two examples of hddh-2021 can be compared figure by figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.bench.table import Row

_STRATEGIES = ("hdd*", "hoist*+hdd*", "hddh*", "hoist*+hddh*")

# hddh-2021, tables I and II: the input's characters, then characters and test executions by strategy.
# Of HDDH* on the first example the second table has no number that can be read, only its percentage.
_EXAMPLES = {
    "figure3": ("helloworld.c", 42, ("42 / 32", "35 / 26", "35 / +59 %", "35 / 26")),
    "figure5": ("LocalizedPi.java", 446, ("359 / 638", "186 / 302", "186 / 588", "186 / 304")),
}

_EXAMPLES_TEXT = """\
**hddh-2021, tables I and II**: characters without white space / test executions. The first example is
the paper's. The second has 446 characters there and 371 here, where no method declares what it throws;
compare with that in mind.
"""

_OTHERS_TEXT = """\
**hddh-2021, tables III to VI**: compared with HDD\\* on 19 C programs, HOIST\\*+HDD\\*, HDDH\\* and
HOIST\\*+HDDH\\* leave 37 %, 39 % and 40 % less on average; on 13 JavaScript programs 13 % each.
HDDH\\* took more test executions than HDD\\* on 8 of the 13. Compare which is smaller and which takes
fewer runs with the columns of [Size and runs](benchmarks.md#size-and-runs), but not the numbers
themselves: these are other inputs and other failures.

**hdd-2006, table 1** (GCC 2.9.5.2): tests and tokens left.

| file | tokens | ddmin | HDD | HDD\\* |
|---|---|---|---|---|
| bug.c | 277 | 680 / 53 | 86 / 51 | 164 / 51 |
| boom7.c | 420 | 3,727 / 102 | 144 / 57 | 304 / 19 |
| cache.c | 25,011 | 1,743 / 62 | 191 / 61 | 327 / 58 |
| cache-min.c | 145 | 1,074 / 71 | 114 / 59 | 182 / 59 |

**hdd-2006, table 2** (Mozilla, XSLT): on the 433 lines of ms-tour.xsl, HDD took 124 tests and HDD\\*
167 to 8 lines, ddmin by lines 1,092 to 92. Compare with ours only what the `*` costs and gains,
not the sizes, since these are other programs.

**picireny-2016, tables 1 to 3**: bytes left and tests.

| input | bytes | HDD | Picireny |
|---|---|---|---|
| Java | 18,804 | 98 / 82 | 37 / 50 |
| HTML | more than 30,000 | 478 / 203 | 238 / 263 |
| HTML with CSS and JavaScript | 29,610 | | 359 / 1,014 |

The nearest of ours to the last is html-minifier-style-type, 32,685 bytes of HTML with CSS and
JavaScript: the same kind of file, but another failure, which needs less of it.
"""


def section(rows: Sequence[Row]) -> str:
    """Return the section, with what the rows say of ours."""
    usual = {(row.case, row.strategy): row for row in rows if row.is_usual}
    return "\n".join([_EXAMPLES_TEXT, *_examples(usual), "", _OTHERS_TEXT])


def _examples(usual: dict[tuple[str, str], Row]) -> Iterator[str]:
    names = " | ".join(name.replace("*", "\\*") for name in _STRATEGIES)
    yield f"| example | | input | {names} | default |"
    yield "|---" * (len(_STRATEGIES) + 4) + "|"
    for case, (name, characters, theirs) in _EXAMPLES.items():
        yield f"| {name} | paper | {characters} | {' | '.join(theirs)} | |"
        ours = [usual.get((case, strategy)) for strategy in (*_STRATEGIES, "default")]
        before = next((row.before_size for row in ours if row), "")
        cells = " | ".join(f"{row.size} / {row.runs}" if row else "" for row in ours)
        yield f"| {case} | ours | {before} | {cells} |"
