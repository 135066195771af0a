"""How the files of a tree name each other, and what takes the place of the lines that do.

No grammar is needed: which lines import others is known from their first words, in any language, and
which files they mean from the words in them. A wrong guess costs one run.

Modules, in reading order:

    spelled_paths  files that are named by their paths, as items of a list or in quotes
    imports        which files name which others, and the lines that go with these
    forms          what takes the place of a line that names a file, where that is more than its content
    inclusion      a content in another place; whole programs as one text

`pollard.project.phases` imports this room. It imports `pollard.syntax` and `pollard.file_tree`.
"""
