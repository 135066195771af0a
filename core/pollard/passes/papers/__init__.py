"""The algorithms of the publications, as their authors describe them, and nothing else.

Each pass names its paper and the figures that it implements; docs/algorithms.md has the references.
docs/comparison.md compares our results with the published ones.

Three differences run through all of them, since a tree-sitter parser is no grammar file:

- *What can be removed.* The papers read from the grammar which nodes are optional or elements of a
  list. Here it is what has a *unit*: the node alone or with a neighbouring token, if the file still
  parses without it.
- *Minimal replacements* (HDD) are not computed from the grammar but found in the file and tested with
  the parser (`pollard.syntax.branches.replacements`).
- *What may take a node's place* (hoisting, Perses, GTR) is what parses there, not what has the same
  name.

"1-tree-minimal" (hdd-2006, section 3) means that no single unit of the result can be removed.

A pass runs one round. The fixpoints of the papers (HDD*, HOIST*) are the `*` of a strategy; only `hdd+`
has a loop of its own, its second phase.

The modules, in reading order:

- `hdd`: HDD, coarse HDD, HDD+, HDDr in four orders, HOIST, HDDH, GTR; `by_level`, which walks levels.
- `queue`: the branches that are still to be visited, the heaviest first.
- `prioritised`: Perses; Pardis, and its hybrid, which minimises siblings of equal weight as a list.

The room imports `pollard.engine`, `pollard.search` and `pollard.syntax`. The catalogue imports all of
it; `coupling` uses the walk over levels.
"""
