"""A text and its syntax tree, the edits that derive the next text, and measures of size.

A reduction is a sequence of documents. Each is a text with the tree that tree-sitter makes of it;
each but the first was derived from another by edits. Three ideas matter:

*A document never changes.* `Document.edited` returns a new one. Passes can therefore look as far
ahead as they like: a candidate that is rejected leaves nothing to undo, and several threads may
hold the same document.

*Parsing is lazy and incremental.* A candidate whose verdict is cached is never parsed. The tree of
a derived document reuses the tree of its base, so its cost depends on the size of the edit, not
of the file. The module `document` explains the one trap: incremental parses recover from
errors in their own way.

*Syntax errors are counted.* tree-sitter parses every text and marks what it cannot place with ERROR
and MISSING nodes. The syntax guard compares their number: a candidate with more of them than the
document that it came from is not run. Comparing with the document, not with zero, lets files
through that the grammar never fully understood.

All offsets count bytes from 0; spans exclude their end. Lines end with a newline, and columns are
bytes too, as in tree-sitter.

The modules, in reading order:

- `edits`: `Edit` replaces a span; `join` and `apply` combine and make edits; `Shift` translates
  offsets.
- `document`: `Document` with its tree, its errors, its lines and its words.
- `sizes`: bytes without white space, and tokens: the measures in the papers' tables.
- `fitting`: chooses a grammar for a text whose language is unknown.

This room imports `pollard.syntax.grammars` only. Everything above it imports this room: the other
rooms of `pollard.syntax`, the engine, the passes and the command line.
"""
