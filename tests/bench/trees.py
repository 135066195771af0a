"""The pictures of docs/algorithms.md: what each algorithm does to the tree of one small program.

`python -m tests.bench.trees` makes them and the section "One example, drawn" anew, from real runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pollard.passes.strategy import Strategy
from pollard.syntax.grammars.languages import find
from pollard.syntax.tree.document import Document
from tests.bench import blocks
from tests.bench.drawing import drawn
from tests.bench.trace import Trace, trace

_DOCS = Path(__file__).parents[2] / "docs"

PROGRAM = b"""\
function draw(width, height) {
  let area = width * height;
  if (area > 0) {
    log("area", area);
    show(scale(round(2048), width));
  }
  return area;
}
draw(3, 4);
"""
_LANGUAGE = "javascript"
_HOISTING = ("hoist", "hddh", "perses", "gtr", "heaviest")
_INTERESTING = re.compile(rb"show\(.*round\([^(),]+\)")

# The strategy, what its picture shows, and when it is the one to choose.
EXAMPLES = {
    "lines*": """\
*ddmin* on the lines. It knows no trees: in the line that is needed nothing can go, and the guard
spares it the halves of functions. Choose `lines` for logs and tables.""",
    "coarse-hdd*": """\
Level by level, what can go without leaving a hole. What the call stands in cannot: two blocks and a
pair of parentheses stay. Choose it as a cheap first pass.""",
    "hdd*": """\
The same, and what cannot go is replaced by the least that parses there: the number by `0`. Choose it to
compare with the literature, and for data such as JSON and CSS, where there is little to be hoisted.""",
    "hddr*": """\
The children of one node at a time instead of a level. Here each level has one node with much to
lose, so the steps are those of `hdd*`. Choose it for wide trees, whose levels are long.""",
    "hoist*": """\
Nothing is removed: descendants are put in the place of what is above them, so that the block takes the
place of the function, the `if` that of the block, and so on. It makes no list shorter: the second
statement is reduced to a `4` and stays. Choose it before `hdd*`, for deeply nested code.""",
    "hddh*": """\
Each level is pruned and then hoisted into: what removing leaves around the call is hoisted away, and
what hoisting leaves beside it is removed. Choose it when the size matters most.""",
    "perses*": """\
The heaviest node comes first, wherever it is; lists are minimised, and nodes replaced by what is below
them. It puts no smaller forms, so the number stays. Choose it where each run is slow.""",
    "pardis*": """\
The heaviest node that can be removed is tried alone, then its children wait in the queue: many small
steps. Choose it, better `pardis-hybrid`, when you may stop in the middle.""",
    "gtr*": """\
Level by level, first deletion, then each node replaced by one of its children: the call comes up step
by step. Choose it where `hddh*` asks too much about each node.""",
    "heaviest": """\
At first only what takes away half of the text at least, so that whole blocks come up before anything
small is asked about. It promises nothing about what is left. Choose it for long files, with a pass
after it that does.""",
}


def write(docs: Path) -> None:
    """Draw all pictures and write the section of `docs`/algorithms.md."""
    folder = docs / "trees"
    folder.mkdir(exist_ok=True)
    traces = all_traces()
    for made in traces:
        (folder / file_of(made.strategy)).write_text(picture(made), encoding="utf-8")
    blocks.rewrite(docs / "algorithms.md", "trees", section(traces))


def all_traces() -> list[Trace]:
    """Run every example."""
    text = Document(PROGRAM, find(_LANGUAGE).language)
    return [trace(text, is_interesting, strategy) for strategy in EXAMPLES]


def is_interesting(text: bytes) -> bool:
    """The oracle: `show` is called with something in which `round` is called with one argument."""
    return bool(_INTERESTING.search(b"".join(text.split())))


def file_of(strategy: str) -> str:
    """Return the picture's name."""
    return strategy.removesuffix("*") + ".svg"


def picture(made: Trace) -> str:
    """Return the SVG of a trace."""
    strategy = Strategy.parse(made.strategy)
    return drawn(
        made,
        title=f"{made.strategy}: {_cost(made)}",
        in_lines=not strategy.needs_tree,
        hoists=any(step.name in _HOISTING for step in strategy.steps),
    )


def _cost(made: Trace) -> str:
    before, after = made.sizes
    return (
        f"{before} → {after} characters in {made.runs} runs, "
        f"{len(made.steps)} accepted; {made.guarded} candidates guarded"
    )


def section(traces: list[Trace]) -> str:
    """Return the section's text."""
    return "\n".join(
        [_HEAD.format(program=PROGRAM.decode().rstrip()), *_table(traces), "", *_pictures(traces)]
    )


_HEAD = """\
This program is interesting, let us say, as long as `show` is called with something in which `round` is
called with one argument. Everything else is superfluous.

```js
{program}
```

The pictures show its tree without keywords and punctuation, what became of each node, and at the right
what was left. Red nodes were removed, orange ones replaced, blue ones hoisted to where the arrow
points; grey ones went with what is around them. The numbers say by which of the accepted candidates.
Size is characters without white space. Nothing is made up: the passes run and what they did is drawn.
On so small an example differences in runs mean little: see [Benchmarks](benchmarks.md).
"""


def _table(traces: list[Trace]) -> Iterator[str]:
    yield "| strategy | size | runs | guarded | accepted | left |"
    yield "|---|---|---|---|---|---|"
    for made in traces:
        left = " ".join(made.after.text.decode().split())
        yield (
            f"| `{made.strategy}` | {made.sizes[1]} | {made.runs} | {made.guarded} "
            f"| {len(made.steps)} | `{left}` |"
        )


def _pictures(traces: list[Trace]) -> Iterator[str]:
    for made in traces:
        left = " ".join(made.after.text.decode().split())
        alt = f"The tree of the program before and after {made.strategy}; left is {left}"
        yield f"**`{made.strategy}`**: {_cost(made)}."
        yield EXAMPLES[made.strategy]
        yield ""
        yield f"![{alt}](trees/{file_of(made.strategy)})"
        yield ""


if __name__ == "__main__":
    write(_DOCS)
