"""The tree as the reducers see it, and what can be done to one of its nodes.

A pass walks a tree of `Branch`es, level by level. A branch stands for a node of tree-sitter's tree.
Its children are simplified: chains with the same text count as one node, recursions become lists,
and the trees of islands are grafted in. Branches are made on first use, so a pass that stays near
the root pays for nothing below.

Two questions follow, and both are answered without the grammar's source and without the oracle:

*What can go?* Rarely a node alone: without `b`, the list `[a, b]` has a comma too many. A *unit*
is a branch with the fewest tokens beside it that can go without a syntax error. `UnitFinder` tries
it out on the parser, and on large files infers it from branches of the same *shape* (their kind,
and the kinds around them). `Removals` turns any choice of units into edits that keep lists
well-formed.

*What can take its place?* HDD replaces a node that cannot go by the smallest text that fits
(`Replacements`), and hoisting by one of its descendants (`Slots`). Both only propose: the syntax
guard and the oracle decide.

The modules, in reading order:

- `branches`: `Branch` and how its children are derived; functions to walk the levels and to find a
  branch by its span.
- `units`: how far a unit reaches, and the edits that remove units.
- `replacements`: short texts, and nodes, that fit in the place of a node.

This room imports `islands` and `tree`. The room `names`, the engine, the passes and the command
line import it.
"""
