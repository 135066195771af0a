"""Background jobs: reductions, and checks of an oracle, each in a thread of its own.

Two kinds of threads share the work. The *loop's thread* runs the event loop; it owns the buffers,
the jobs and everything that is sent to the editor, and never blocks. Each job has a *worker
thread*, which runs the engine and may wait. A worker hands calls to the loop with `Client.post` or
`Services.call_on_loop`, and waits with `JobThread.wait_for`, which `stop` interrupts. Methods are
grouped by the thread that calls them.

A reduction consists of *rounds*. Each runs the engine on one text and streams the results into the
buffer. If the user edits the buffer and wants to continue from there, another round follows.

In reading order:

- `running_jobs`: the running jobs; starts and finds them.
- `reduction_job`: one reduction from its request to its report.
- `round`: one run of the engine, until the end or until the user's decision after a change.
- `companions_round`: the same for the files beside the document, without a buffer.
- `planning`: makes the engine's plan and the record on disk.
- `permits`: gets the permit to run a document's oracle.
- `reduction_reports`: makes the figures and messages that the editor shows.
- `folder_job`: one reduction of a folder into a new one; `folder_target` is what it starts from, and
  `folder_reports` makes its figures and messages.
- `check_job`: the job behind `pollard.checkOracle`.
- `reported_job`: what reductions of documents and folders share.
- `job_thread`: the thread and the services that all jobs share.

Only the top level imports this package. It imports all others but `demo`.
"""

from __future__ import annotations
