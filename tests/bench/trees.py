"""The pictures of docs/comparison.md: what each algorithm does to the tree of one small program.

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

# For each strategy: what its picture shows, and when to choose it.
EXAMPLES = {
    "lines*": """\
*ddmin* on the lines. It knows nothing of trees, so the needed line stays as it is; the guard refuses
candidates with halves of functions. Choose `lines` for logs and tables.""",
    "coarse-hdd*": """\
Removes, level by level, what the syntax does not need. What surrounds the call cannot be removed, so
two blocks and a pair of parentheses stay. Choose it as a cheap first pass.""",
    "hdd*": """\
Also replaces what cannot be removed by the smallest fragment that parses: the number by `0`. Choose it
to compare with the literature, and for data such as JSON and CSS, where there is little to hoist.""",
    "hddr*": """\
Takes the children of one node at a time instead of a level. Here each level has only one node with much
to lose, so the steps are those of `hdd*`. Choose it for wide trees, whose levels are long.""",
    "hoist*": """\
Removes nothing, but puts descendants in the place of nodes above them: the block takes the place of the
function, the `if` that of the block, and so on. It makes no list shorter, so the second statement
becomes a `4` and stays. Choose it before `hdd*`, for deeply nested code.""",
    "hddh*": """\
Prunes each level, then hoists into it: hoisting takes away what pruning leaves around the call, and
pruning what hoisting leaves beside it. Choose it when size matters most.""",
    "perses*": """\
Visits the heaviest node first, wherever it is, minimises lists and replaces nodes by descendants. It
makes no smaller fragments, so the number stays. Choose it where each run is slow.""",
    "pardis*": """\
Tries to remove the heaviest node alone, then queues its children: many small steps. Choose it, or
better `pardis-hybrid`, when you may stop in the middle.""",
    "gtr*": """\
Deletes on each level, then replaces each node by one of its children, so the call comes up step by
step. Choose it where `hddh*` takes too many runs for each node.""",
    "heaviest": """\
At first tries only what removes at least half of the text, so whole blocks come up before anything
small is tried. It has no guarantee. Choose it for long files, followed by a pass that has one.""",
}


def write(docs: Path) -> None:
    """Draw all pictures and write the section of `docs`/comparison.md."""
    folder = docs / "trees"
    folder.mkdir(exist_ok=True)
    traces = all_traces()
    for made in traces:
        (folder / file_of(made.strategy)).write_text(picture(made), encoding="utf-8")
    blocks.rewrite(docs / "comparison.md", "trees", section(traces))


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
Assume that this program is interesting as long as `show` is called with something in which `round` is
called with one argument. Everything else is superfluous.

```js
{program}
```

Each picture shows the program's tree without keywords and punctuation, what happened to each node, and
on the right what was left. Red nodes were removed and orange ones replaced. Blue nodes were hoisted to
where the arrow points. Grey ones went with what is around them. A number says which of the accepted
candidates changed the node. The pictures are drawn from real runs. Size is characters without white
space; guarded candidates were rejected by the parser, without a run. In so small an example,
differences in runs mean little: see [Benchmarks](benchmarks.md).
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
