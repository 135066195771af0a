"""The phases of the search for a smaller tree: which files go, and what each that stays becomes.

A *phase* makes the best tree smaller by asking questions, each of which a judge answers: is the tree
interesting with these changes as well? The first answer that is yes makes its tree the best one. The
only other way to change it is the reduction of a file's text, by `pollard.reduction`. Whoever calls
the phases decides on their order; each begins with the tree that the last one left.

Modules, in reading order:

    tree_subject  `TreeSubject`: what the phases work on
    questions     whether a tree is interesting with some changes, answered by a judge
    halving       which items of a hierarchy are needed; knows nothing of files or runs
    binary_files  removes pieces of files that are no texts
    file_choice   removes files
    single_file   reduces the text of a file
    named_file    leaves one statement of the file that the failure's output names
    unlinking     removes files that only parts of others need, and these parts
    packages      makes all files those of one package
    merging       puts contents in the place of the lines that name their files
    emptying      empties files, and removes empty ones
    contents      reduces the contents of each file that is left
    shared_names  gives names that several files use one letter in all of them

`pollard.project.reduction` imports this room. It imports `pollard.project`, `pollard.project.links`,
`pollard.reduction`, `pollard.search`, `pollard.syntax`, `pollard.passes`, `pollard.executors` and
`pollard.oracle`.
"""
