"""The engine: what all passes share. It knows no single pass.

Three ideas carry it.

**The subject.** A pass never touches the document. It hands an ordered stream of `Candidate`s to
`Subject.first`, and the first interesting one becomes the document. A candidate is a base document
and edits of it. The *guard* drops candidates with new syntax errors, and the memory those with
refused texts, before they reach the oracle. With several jobs streams are read ahead, past the
accepted candidate. So a stream must have no side effects, and may depend only on what was known
when it began.

**Units and levels.** What can be removed is a *unit*: a branch, alone or with the token beside it. HDD
walks the tree level by level and lets a list minimiser from `pollard.search` decide which units of a
level stay. The minimiser works with numbers, which a `Level` turns into edits. Meanwhile the document
changes, so branches are *relocated*: their offsets are carried through the edits, and the node with
exactly these bytes is looked up in the new tree.

**Memory.** One reduction has one `Memory`. It keeps the texts that were tried, so that none is tried
twice, and the attempts on single pieces. The counts of the reduction go into a `Tally`; `Statistics`
splits them up by pass.

The modules, in reading order:

- `subject`: `Candidate`, `Subject`; how candidates are filtered, judged and accepted.
- `memory`: `KnownTexts`, `Attempts`, and `Memory`, which holds them.
- `needed`: `NeededPieces`, what could not be removed, which larger steps may not lose.
- `learning`: `InvalidEdits`, which edits never succeed.
- `statistics`: `Tally` and `PassStatistics`, what each pass cost and achieved.
- `declaration`: `declare`, which makes a function a pass.
- `levels`: one level of a tree under a list minimiser; branches of a document that has changed.
- `pruning`: units of branches, their removal, and their replacement by minimal fragments.
- `hoisting`: a descendant takes the place of a branch.
- `tidying`: white space that is left over goes, at the end or once it is most of the text.
- `encoding_judge`: candidates reach the oracle in the encoding of the file.
- `formatting`: the last step, a result in its language's usual layout.

The room imports `pollard.search`, `pollard.syntax` and the verdicts of `pollard.oracle`. The passes
and `pollard.reduction` import it.
"""
