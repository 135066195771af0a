"""From a text to what the passes work on: a tree with names, islands and units, and tidy edits.

tree-sitter has grammars for most languages, always returns a tree, and reparses in time that
grows with the size of an edit. Its trees are not made for reducers, though: they have long chains of
nodes, lists written as recursions, scripts that are a single token, and no names. The rooms here
add what is missing. None of them runs an oracle or knows about passes.

Three rules hold in all rooms:

*Texts are bytes, in UTF-8.* Offsets count bytes from 0, spans exclude their end. A file in another
encoding is decoded once; whatever leaves the engine is encoded again, to the file's own bytes.

*Documents are immutable.* What is computed about one is computed on first use and kept with it. A
rejected candidate leaves nothing to undo.

*The parser decides.* Other reducers read in the grammar what may be removed and what may stand
where. Pollard tries an edit and compares the numbers of syntax errors. So any grammar works
unchanged.

The rooms, in reading order:

- `encodings`: the bytes of a file become text, and text becomes bytes of that file.
- `grammars`: names of languages, file types, and the compiled grammar of a language.
- `tree`: `Document`, a text with its tree; `Edit`; sizes.
- `islands`: texts in other languages inside a document, each with a tree of its own.
- `branches`: the tree as the reducers see it; units that can be removed, and what may replace a
  node.
- `layout`: edits tidied so that no empty lines, stray blanks or glued tokens stay.
- `names`: which names a document declares and uses, and which definitions belong together.

Imports go from later rooms to earlier ones, never back. The engine, the passes and the command line
import this package. It imports `pollard.errors` only.
"""
