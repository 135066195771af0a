"""Passes that keep the structure of a text and make its pieces shorter.

At the end of a reduction names, strings and comments are most of what is left. No deletion makes them
smaller, so these passes do, each for one kind of piece:

- *Names.* A name becomes one letter in all of its places together. The tree says which places are the
  name's; strings and comments keep their words.
- *Other words.* Headings and links, classes in CSS, keys in JSON: what no declaration introduces is
  replaced wherever the word stands, in strings and comments too.
- *Strings, numbers, comments, operators.* Characters are removed; none is replaced, so that the result
  stays readable. A number may get a shorter spelling.
- *Values.* A short literal stands for a longer one, for a function, or for the head of a chain.

The ideas are those of T-Rec (TOSEM 2024), Vulcan (OOPSLA 2023) and Shrink Ray.

All changes of one kind are tried together, then by halves down to single ones: one run in the best
case, about two for each token in the worst. Each pass needs a tree, a region of at most 64,000
bytes, and a moderate number of tokens, since a text with more is not reduced far enough yet.

`--no-renaming` switches `rename` and `shorten` off, for those who want to recognise their program.

The modules, in reading order:

- `renaming`: `rename` for names, `shorten` for other words; `letters`, which chooses a free letter.
- `literals`: shorter spellings of numbers and strings.
- `values`: `values`, which puts the shortest values of a language in the place of longer ones.
- `tokens`: `polish` for the characters of tokens; `polish_heavy` for a token that is half of the text.

The room imports `pollard.engine`, `pollard.search`, `pollard.syntax` and the room `text`. The catalogue
imports it; `heaviest` uses `polish_heavy`.
"""
