"""What the default strategy begins with: the heaviest parts of a text go first.

HDD minimises a level down to its smallest declaration while function bodies that need it are still
there. Pardis calls that *priority inversion* (pardis-2019). The pass `heaviest` avoids it with a
*threshold*: at first half of the weight of the text, then a quarter of that, down to one byte. At each
*stage* all levels are walked, but only steps are tried that save at least the threshold. Weights are
bytes that are no white space.

Runs are what counts, so the pass predicts which steps will fail, in three ways:

- *Uses.* A unit whose name is used elsewhere goes together with its uses, or not at all.
- *Failures.* In a group that could not go some unit is needed. A group that shares most of its weight
  is unlikely to go either.
- *Rates.* The engine counts how often steps of a kind were accepted (`AcceptanceRates`), and how much
  text there was when a step failed on a piece (`Attempts`).

A wrong prediction only costs runs: what is unlikely waits for a later stage, and nothing here comes
with a guarantee.

The modules, in reading order:

- `heaviest`: the stages, and the steps on each level of a stage.
- `groups`: the list minimiser of a stage: groups of neighbours, and what their failures say.
- `listed`: entries in lists of exports and forward declarations, which go with what they name.
- `descent`: hoisting over any number of levels: `unnest`, for deep nesting before all else, and the
  step of a stage, for what saves the threshold.
- `hollowing`: the bodies of many functions are replaced by stubs at once.

The room imports `pollard.engine`, `pollard.search`, `pollard.syntax` and the rooms `coupling` and
`shortening`. Only the catalogue imports it.
"""
