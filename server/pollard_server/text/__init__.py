"""Computations on texts as editors see them: pure functions without I/O.

Editors count in lines and UTF-16 units, the engine in bytes, and Python in code points. Editors also
disagree about line ends. This package hides both from the rest of the server.

In reading order:

- `positions`: converts LSP positions to offsets in code points, and back.
- `differences`: finds where two texts differ.
- `text_edits`: makes edits of the differences that every editor handles well, and recognises their
  results.
- `regions`: follows a selected part of a text through later edits.
- `file_encodings`: finds the encoding of a file whose text an editor has.
- `uris`: the paths that URIs of an editor name.

Every package may import this one; it imports none of them.
"""
