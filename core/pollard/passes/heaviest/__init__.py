"""The start of the default strategy: remove the heaviest parts of a text first.

HDD minimises a level down to its smallest declaration while function bodies that need it are still
there. Pardis calls that *priority inversion* (pardis-2019). The pass `heaviest` avoids it with a
*threshold*: at first half of the weight of the text, then a quarter of that, down to one byte. Each
*stage* walks all levels, but tries only steps that save at least the threshold. Weights count bytes
other than white space.

Runs are what costs, so the pass predicts which steps will fail, in three ways:

- *Uses.* A unit whose name is used elsewhere goes together with its uses, or not at all.
- *Failures.* A group that could not go contains a needed unit, so a group that shares most of its
  weight is unlikely to go either.
- *Attempts.* A step that failed on a piece of text is not tried on it again before much less text is
  left.

A wrong prediction only costs runs: unlikely steps wait for a later stage, and no pass here gives a
guarantee.

The modules, in reading order:

- `heaviest`: the stages, and the steps on each level of a stage.
- `groups`: the list minimiser of a stage: groups of neighbours, and what their failures say.
- `listed`: entries in lists of exports and forward declarations, which go with what they name.
- `descent`: hoisting over any number of levels: the pass `unnest`, which undoes deep nesting and with
  which `heavy` begins, and `hoist_far`, a step of each stage.
- `annotations`: what a compiler does without and a grammar misreads, with which `heavy` begins.
- `hollowing`: replaces the bodies of many functions by stubs in one candidate.

The room imports `pollard.engine`, `pollard.search`, `pollard.syntax` and the rooms `coupling` and
`shortening`. Only the catalogue imports it.
"""
