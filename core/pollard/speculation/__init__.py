"""A search that runs ahead of its answers, so that several workers are busy between its questions.

With several jobs the search runs in processes of its own, which are started fresh (`search_process`).
It asks the `Coordinator`, in the process of the reduction, for the first interesting text of each
stream, and does not know more. The coordinator has the oracle, the cache, the counters and the journal.

Two ideas carry everything here.

**The search is copied, not the passes.** While a question is open, a copy of the search, a *shadow*,
goes on under an *assumption*: that no text is interesting, or that one of them is the first. Its texts
only prefetch verdicts. When the answer is known, the shadow that assumed it becomes the real search,
and all others end. So passes stay code that asks and gets an answer.

**One copy is real.** What a copy reports is kept until its path is confirmed, and only the
coordinator knows which copy that is. So the accepted texts, their order and the counted runs are
those of one job by construction; all other runs are wasted.

How a copy comes to be is the business of a `Carrier`. On Linux the process of the search forks
(`forking`): the old one waits at the question, the new one goes on. A fork takes a millisecond or two.
Elsewhere forking is not safe. There a few processes repeat the search (`replaying`): each gets the
answers along its path, and is silent until it is where something is new. That is possible because a
search does the same whenever it gets the same answers. A process whose assumption was wrong has to
begin again, so fewer branches are followed at the same time.

Workers run those texts first that are most probably needed: `chances` estimates from the answers so
far, and from those assumed along a path, how likely a text is interesting. What became of the same
change on other paths tells more. The probability of a path is the product along it.

Processes take some time, so the search stays in the process of the reduction if the oracle is quick
(`modes`), or with `speculation = "off"`. Then only the texts of one question are run ahead
(`pollard.oracle.lookahead`).

Developers choose between the two by the environment variable `POLLARD_COPYING`, which is `forked` or
`replayed`.

Modules, in reading order:

    modes            `Speculation`: eager, frugal or off; `Copying`; when it is worthwhile
    messages         what the coordinator and the processes say to each other
    search_process   runs the search in a process, whose judge asks the coordinator
    copies           the tree of copies, and the questions at which they wait
    carrier          `Carrier`: what runs the copies in processes
    forking          the carrier that forks
    forked_process   forks; the first process outlives the others and ends them
    replaying        the carrier that replays
    replayer         one of its processes, as the coordinator sees it
    replayed_process repeats the search, or goes on with it
    changes          how a text differs from the best one
    chances          how likely a text is to be interesting
    needed_runs      the runs in progress: the most needed texts
    running_ahead    which copy goes on next, and how far
    coordinator      `Coordinator`: answers the search, and settles which copy is real

`pollard.plan` and `pollard.reduction` import this room. It imports `pollard.passes`, `pollard.engine`,
`pollard.oracle`, `pollard.syntax` and `pollard.errors`.
"""

from __future__ import annotations

from pollard.speculation.modes import SearchNotBegun, Speculation, is_worthwhile

__all__ = ["SearchNotBegun", "Speculation", "is_worthwhile"]
