"""Runs on the workers of a Dask cluster; everything else stays in this process.

Dask knows which workers there are, brings runs to them, and brings the answers back. On the worker a
run takes place exactly as locally, by the same executor. Three rules make the result the same as on
one machine:

- A worker gets runs only once it was *admitted*: its versions of Pollard and Python are those of this
  process, and on the original it sees what the others see. That holds for late workers as well.
- What a run needs is *shipped*: the oracle, its `files`, and the files that its command names. It is
  shipped once to each worker, also to those that come later.
- A run that is lost with its worker is repeated. Nothing else is.

A run that is not needed any more is killed: Dask tells the worker that nobody waits for it, and the
plug-in on the worker stops its processes. Dask also tells it so when this process dies.

Modules, in reading order:

- `scheduler_connection`: the connection to the scheduler of a `Cluster`
- `quiet_client`: Dask's client, without its tracebacks
- `shipped_oracle`: an oracle with all that it needs from this machine
- `worker_plugin`: what is on each worker; carries out runs there
- `admission`: which workers may get runs
- `dask_executor`: `DaskExecutor`: submits runs, waits for them, and cancels them

Only `worker_plugin` and `quiet_client` import the package `distributed` when they are loaded; the
others do so when they need it. `pollard.executors` imports this room. It imports `pollard.oracle`,
`pollard.errors` and, on workers, `pollard.executors`.
"""
