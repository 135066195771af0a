"""What runs in the background: reductions, and checks of an oracle, each in a thread of its own.

Two kinds of threads share the work. The *loop's thread* runs the event loop; it owns the buffers,
the jobs and all that is sent to the editor, and never blocks. Each job has a *worker thread*, which
runs the engine and may wait. A worker hands calls to the loop with `Client.post` or
`Services.on_loop`, and waits with `JobThread.wait_for`, which `stop` interrupts. Methods are
grouped by the thread that calls them.

Start with `board` (which jobs there are) and `reducing` (one reduction from request to report). A
reduction consists of rounds (`round`): each runs the engine on one text and streams the results
into the buffer. If the user edits the buffer and wants to go on from there, another round follows.
`planning` makes the engine's plan and the record on disk, `oracles` gets the permit to run the
oracle, and `reduction_reports` words what the editor shows. `checking` is the job behind
`pollard.checkOracle`; `job_thread` has what both jobs share.
"""

from __future__ import annotations
