"""Warm runs as the search sees them: whether they may be used, and what a cold run must confirm.

How a program stays loaded is up to an executor (`pollard.executors.warm`). Here is only what follows
for verdicts: they are searched for warm and proved cold.

    warm_runs  `WarmRuns`: the setting; `WarmTrial`: a comparison with cold runs before a search
    proving    `Proofs`: which accepted texts a cold run must confirm, and which are kept until then

`pollard.oracle`, the executors and `pollard.reduction` import this room. It imports
`pollard.oracle.verdict` only.
"""
