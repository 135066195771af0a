"""What a long text needs at all: keep what the code that fails reaches through names.

In a preprocessed file everything is tied to everything by names, so few neighbours can go together.
Here the text is a graph of definitions and what uses them. What nothing that matters reaches goes at
once, wherever it stands, as a linker drops unused sections.

The modules, in reading order:

- `reaching`: the pass `reach`.
- `origins`: which lines of a preprocessed text are those of the compiled file.
- `graph`: the graph of one document.
- `placed_words`: the words of a document, and its definitions at any depth.

The room imports `pollard.engine`, `pollard.syntax` and `heaviest.annotations`. Only the catalogue
imports it.
"""
