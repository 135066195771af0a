"""One reduction from start to end: check the original, search, confirm the result, report events.

`Reduction` is the outline, and each of its steps has a class with the state of that step. A reduction
belongs to the thread that calls `run`. Only `cancel`, `pause`, `resume`, `best` and `check_runs` are
for other threads.

Modules, in reading order:

    reduction        `Reduction`: the steps in order, and the result
    original         the check of the original
    search_planning  the encoding, the grammar and the strategy that suit the text
    text_standing    the best text so far, its cost and its events; begins and ends the report's account
    judging          the judge of the search and its cache; others when the search turns cold
    text_search      the search, here or in processes that run ahead, and its limits
    new_runs         new runs of accepted texts: proofs of warm verdicts, confirmation, frequency
    confirmation     which accepted text still holds; the same for several files

`pollard.project`, `pollard.api`, the command line and the server import this room. It imports
`pollard.speculation`, `pollard.passes`, `pollard.engine`, `pollard.syntax`, `pollard.executors`,
`pollard.oracle`, `pollard.journal` and `pollard.report.account`. `pollard.plan`, `pollard.events`,
`pollard.limits` and `pollard.forecast` are outside, since rooms below this one import them.
"""

from pollard.plan import Plan
from pollard.reduction.confirmation import Unstable
from pollard.reduction.original import CheckedOriginal, NotInteresting
from pollard.reduction.reduction import Reduction

__all__ = ["CheckedOriginal", "NotInteresting", "Plan", "Reduction", "Unstable"]
