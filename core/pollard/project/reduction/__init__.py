"""One reduction of several files from start to end: check, search, confirmation.

The steps are those of one text, in `pollard.reduction`. A reduction belongs to the thread that calls
`run`. Only `cancel`, `pause`, `resume` and `best` are for other threads.

Modules, in reading order:

    project_reduction  `ProjectReduction`: the steps in order, and the result
    tree_original      the check of the original
    tree_search        the search: the phases in order, and its limits
    new_tree_runs      new runs of accepted trees, which confirm the result

`pollard.api`, the command line and the server import this room. It imports `pollard.project` and its
room `phases`, `pollard.reduction`, `pollard.executors` and `pollard.oracle`.
"""

from pollard.project.reduction.project_reduction import ProjectReduction
from pollard.project.reduction.tree_original import check_tree

__all__ = ["ProjectReduction", "check_tree"]
