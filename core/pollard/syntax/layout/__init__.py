"""Tidy edits, so that a reduced file still looks as if its author had written it.

An edit that removes a statement leaves an empty line. One that removes an argument leaves two
blanks, or none between two words, which then become one. The engine and the passes send their edits
through `Layout.tidy`, which changes only the white space around them:

- A line that an edit empties goes as a whole. Where blank lines would pile up, one group of them
  stays.
- Inside a line one blank stays where there was one on either side, and none beside brackets.
- Two tokens that would become one are kept apart by a blank. The parser decides whether they would.
- Text that moves to the left, such as the body of a removed `if`, is indented like its new place
  (`Layout.outdented`).

The difficulty is that white space is not always layout. In a string, in a heredoc and between the
elements of a template it is part of the value, and removing it would change what the program does.
`blanks` therefore asks the tree, in an island the island's own tree, whether white space belongs to
a token or a string.

The modules, in reading order:

- `blanks`: which white space is content, and where blanks, lines and blank lines begin and end.
- `layout`: `Layout`, the rules above.
- `respacing`: `Respacing`, which cleans up the white space of a whole document.
- `continuations`: lines that a backslash continues.
- `statements`: what it puts on one line, and what on lines of its own.
- `empty_sections`: what an edit leaves of a list that must have an element.

This room imports `islands`, `names` and `tree`. The engine and the passes import it.
"""
