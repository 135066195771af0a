"""Passes that look at the text: where there is no tree, or where the tree is not enough.

Delta debugging began with lines and characters, and these still help in three situations:

- *No tree.* A file that no grammar knows is reduced by `lines` and `characters`.
- *A tree that misreads the text.* Preprocessor directives that begin in the middle of a statement, a
  dialect, another language altogether: what could go is no unit there. `unparsed` minimises the lines;
  where the tree is hardly more than a list of words, `heavy` begins with what the indentation tells,
  and `unparsed` ends with what the brackets tell.
- *The end of a reduction.* A grammar asks for more than compilers do, and two pieces may be removable
  together when no single one is. `unguarded` and `pairs` look for both while each run is cheap.

Only the last two, and in another language `unparsed` and the outline, propose candidates with more
syntax errors than the document has (`Subject.first(..., guard=False)`). Most of these are hopeless, so
budgets or a low weight bound them.

Pieces are byte spans of the document, made by splitting its region; white space belongs to the lines,
and is a piece of its own among words and characters. Long lists are minimised in windows, so that
files of many megabytes fit into memory.

The modules, in reading order:

- `spans`: splitting into lines, words and characters.
- `outline`: blocks by the indentation of lines, with which `heavy` begins, and by brackets.
- `lines`: `lines`, `characters` and `unparsed`.
- `unguarded`: single pieces that the guard keeps, such as end tags and closing brackets; `pairs`, two
  or three tokens or characters together.

The room imports `pollard.engine`, `pollard.search` and `pollard.syntax`. The catalogue and the rooms
`heaviest` and `shortening` import it.
"""
