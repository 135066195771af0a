"""Directories and several files on the command line.

    folders             reads the files, and makes the plan of their reduction
    folder_session      one reduction from its start to its exit code
    folder_output       where the result is written: a directory, an archive, or in place
    companions_session  the files beside a single file, after that file

The modules `reduce` and `inspection` import this room, and the room imports those beside it.
"""
