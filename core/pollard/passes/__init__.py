"""Passes: functions that make a document smaller, and the strategies that put them in order.

A *pass* proposes candidates in a fixed order; `pollard.engine` accepts the first one that is
interesting. A *strategy* is a list of passes, such as `hoist*+hddh:probdd*`: a `*` repeats a pass until
nothing changes, and a name after a colon is the list minimiser to use instead of the usual one.

Each pass is declared where it is written: `declare` gives its name, its bound on runs, its guarantee
and its source. To add one, see "Add a pass" in CONTRIBUTING.md.

Two ideas recur in the passes:

- *Before and after every unit was tried.* Early in a reduction most of the text can go, so passes try
  large steps first. Once a pass has tried to remove every unit (`Memory.every_unit_tried`), most of
  what is left is needed, and the same passes try single steps.
- *Budgets.* A pass with a guarantee tries everything that the guarantee covers. Others make at most
  a fraction of the runs so far, or stop after some failures in a row. Budgets count runs, never
  seconds, so that a reduction is the same on every machine.

The rooms, in reading order:

- `papers`: the published algorithms and nothing else: HDD and its family, Perses, Pardis, GTR.
- `text`: lines, characters and single pieces, where there is no tree or the tree is not enough.
- `heaviest`: the start of the default strategy, which removes the heaviest parts of a text first.
- `reaching`: what a long text does not need at all, before the start of the default strategy.
- `coupling`: removes together what cannot go alone, such as a declaration and its uses.
- `shortening`: shorter names, words, strings and numbers.

The modules:

- `catalogue`: all passes by name.
- `strategy`: presets, the notation for strategies, and how a strategy runs.

`pollard.reduction`, the command line and the server import `strategy` and `catalogue`. The rooms import
`pollard.engine`, `pollard.search` and `pollard.syntax`; among each other, `coupling`, `heaviest` and
`reaching` import from the rooms before them, and `shortening` from `text`.
"""
