"""Runs without the start of a program: it stays loaded, and each candidate gets a copy of it.

Most linters, type checkers and formatters are Python programs, and to import their modules takes nearly
all of a run. So a process, the *zygote*, imports them once and forks for each run. A run is then a
process as before, in the same sandbox, with limits, streams and an end of its own; what it does to its
modules, its descriptors or its parent is gone with it.

Three ideas make that safe. A zygote is a launcher of the sandbox (`executors.sandbox`) that forks
where the launcher executes, so all that happens to a run afterwards is shared. A program whose modules
do more than to be imported is left cold. And no verdict of a warm run is final: the reduction proves
accepted texts by cold runs (`pollard.oracle.warm.proving`).

Any other program can stay by a protocol, and is asked about one candidate after the other. Programs
for Node.js, which cannot fork, do so without knowing it: a script runs them again and again.

Modules, in reading order:

- `side_thread`: a thread for runs beside others: those of a rehearsal, and proofs
- `trials`: `WarmExecutor`, what warm executors have in common; compares warm runs with cold ones
- `python_programs`: whether a command is a Python program, and what it runs
- `zygote`: the program that imports and forks; it runs in the tool's own interpreter
- `first_look`, `entry_point`, `program_end`: where a program begins to differ, what its copies run, and
  how they end
- `zygotes`: one zygote for each run directory, as the executor sees them
- `warm_runner`: `WarmRunner`: warm runs for the search, cold ones for checks
- `warm_search`: `WarmSearch`: what a reduction does because its runs are warm
- `persistent_process`: one process that is asked by the protocol
- `staying`: `StayingExecutor`: what executors have in common whose processes stay
- `persistent`: `PersistentExecutor`: keeps such processes for the search
- `node_runner`: `NodeRunner`: does so for programs for Node.js, by the script `repeating.js`

`pollard.executors` imports this room. It imports `pollard.executors.process` and what that imports.
"""
