"""Computations on texts as editors see them; nothing here knows the server or does I/O.

`positions` converts LSP positions to offsets and back. `differences` finds where two texts differ,
and `text_edits` makes edits of that which every editor handles well. `regions` follows a selected
part of a text through later edits.
"""
