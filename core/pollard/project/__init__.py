"""Reduction of several files: which of them are needed, and then the text of each that is.

A project is a tree of files (`pollard.file_tree`). Its reduction has two phases, which alternate until
nothing changes:

- *Files.* Which files are needed? Folders and files are halved, heaviest first, so few needed files
  among thousands cost few runs. Files that import others are reduced coarsely, from the outside in,
  and what they no longer lead to goes. Then single files are tried, also with all that name them.
- *Contents.* Each remaining file is reduced as if it were the only one (`pollard.reduction`), while
  the others stay as they are. An executor puts each candidate in its place in the tree.

So there is no second engine: passes, guard, cache and parallel runs are those of single files, and any
number of jobs gives the same result.

Modules, in reading order:

    halving            which items of a hierarchy are needed; knows nothing of files or runs
    imports            which files name which others, and the lines that go with these
    file_choice        the first phase; also, which files may be empty
    outcome            the events and the result
    project_plan       the inputs
    standing           the best tree so far, and the cost
    questions          whether files can go, answered by a judge
    contents           the contents of one file
    merging            contents in the place of the lines that name their files
    shared_names       names that several files use, which get one letter in all of them
    project_reduction  one reduction from start to end
    project_journal    accepted trees on disk, for resuming
    result_folder      a new directory with the best tree so far, and archives of trees
    leaving_out        what is no part of a project: caches, build outputs, what .gitignore names
    project_files      from a directory, or from several files, to a tree
"""
