"""Coupling: parts of a text that can only go together.

HDD and its family remove parts one by one or as neighbours. They never get rid of a function that
is called, of a parameter (its arguments would be too many), or of an import where the language
allows none without a use. This room changes several places in one candidate. Three ideas matter:

*One analysis, many candidates.* `Analysis` finds the units and names of the subject's document
once. All deletions of a sweep are described on that document (`JointDeletion`), and accepted ones
are added up, so that nothing has to be found again after each success.

*What saves most comes first.* The room proposes far more than can be tried. Each sweep has a limit
on its candidates or stops after some failures in a row, and no pass but `window` has a guarantee.

*Guesses are cheap, runs are not.* Names and places only suggest what belongs together. Candidates
that do not parse are dropped by the syntax guard, and the oracle has the last word.

The passes:

- `coupled` removes definitions with their uses, parameters with their arguments, beginnings
  with ends.
- `inline` and `merge` replace the uses of a name, and remove its definition: by what it contains, or
  by another name.
- `alone` puts one statement or expression in the place of a program, with values for what it gets from
  elsewhere;
  `named` does so first, with a statement that the output of the failure names.
- `early-coupled` does a part of `coupled` and of `inline` while most of the text is still there.
- `window` removes two to four neighbours together, where single units cannot go any more.

The modules, in reading order:

- `joint_deletions`: `JointDeletion` and `Analysis`.
- `by_use`: definitions with their uses, and last uses with the definitions that they leave unused.
- `parameters`: parameters with arguments, and arguments in the place of parameters.
- `by_place`: beginnings with ends, neighbours that become one, here-documents, and columns.
- `tagged_blocks`: the blocks of templates, with what is in them or without.
- `coupled`: the passes that sweep over these.
- `replacing`: `merge`.
- `unfit_places`: where a content cannot stand.
- `repeating`: a search that starts again after each success, and puts off what failed.
- `inlining`: `inline`.
- `early`: `early-coupled`.
- `alone`: `alone` and `named`.
- `window`: neighbours, without regard to names.

To add a kind of joint deletion, write a function that takes an `Analysis` and yields
`JointDeletion`s, and name it in `coupled`. What it has to know of languages belongs in
`pollard.syntax.names`.

The room imports `pollard.engine`, `pollard.search`, `pollard.syntax` and, for `window`, the room
`papers`. The room `heaviest` imports it, for the imports of functions without bodies, and so does
the catalogue.
"""
