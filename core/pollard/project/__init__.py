"""Reduction of several files: which of them are needed, and then the text of each that is.

A project is a tree of files (`pollard.file_tree`). Its reduction has two parts, which alternate until
nothing changes:

- *Files.* Which files are needed? Folders and files are halved, heaviest first, so few needed files
  among thousands cost few runs. Files that import others are reduced coarsely, from the outside in,
  and what they no longer lead to goes. Then single files are tried, also with all that name them.
- *Contents.* Each remaining file is reduced as if it were the only one (`pollard.reduction`), while
  the others stay as they are. An executor puts each candidate in its place in the tree.

So there is no second engine: passes, guard, cache and parallel runs are those of single files, and any
number of jobs gives the same result.

Modules and rooms, in reading order:

    leaving_out      what is no part of a project: caches, build outputs, what .gitignore names
    project_files    from a directory, or from several files, to a tree
    project_plan     the inputs
    outcome          the events and the result
    project_journal  accepted trees on disk, for resuming
    result_folder    a new directory with the best tree so far, and archives of trees
    tree_standing    the best tree so far, its cost and its events; begins and ends the report's account
    links            how files name each other
    phases           each makes the best tree smaller: by fewer files, or by smaller ones
    reduction        one reduction from start to end
"""
