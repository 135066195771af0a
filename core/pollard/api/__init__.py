"""What `import pollard` offers, and the making of plans that all front ends share.

A request (the arguments of `reduce`, the options of the command line, an editor's command) becomes a
`Plan` through `Settings` and `plan_of`. A `Reduction` carries the plan out; a `Job` gives it a thread.

Modules, in reading order:

    functions       `reduce`, `start`, `reduce_async`, `check` and `languages`
    several_files   `reduce_files`, and the plan for several files
    public_oracle   `Oracle`, and what else the functions take as one
    plan_making     `plan_of`: from settings to a plan
    call_arguments  the settings that a call makes, and the signatures of functions that share arguments
    job             `Job`: a reduction in a thread of its own

`pollard` offers its names when they are first used. The command line and the server import this room.
It imports `pollard.reduction`, `pollard.executors`, `pollard.settings` and what these import.
`several_files` alone imports `pollard.project`, so it is loaded only where several files are reduced.
"""

from pollard.api.functions import check, languages, reduce, reduce_async, start
from pollard.api.job import Job
from pollard.api.plan_making import plan_of
from pollard.api.public_oracle import FilesOracle, Oracle, OracleLike

__all__ = [
    "FilesOracle",
    "Job",
    "Oracle",
    "OracleLike",
    "check",
    "languages",
    "plan_of",
    "reduce",
    "reduce_async",
    "start",
]
