"""Keeps a run from harming anything outside its directory, without root and without a daemon.

An oracle executes mutated programs thousands of times, and nobody knows what they do: without its
first line, a script may delete the user's files. So a run reads all but known secrets, and it writes
only in its directory. It does not reach the network or other processes. `SandboxPolicy`, in
`pollard.oracle.sandbox_policy`, has the exceptions that a user made.

On Linux bubblewrap makes the sandbox. To start it for each run would take 8 ms and more. So it is
started once for each run directory, and a small program in it, the *launcher*, starts one run after
the other, which takes half a millisecond longer than without. The launcher is the first process of
its sandbox: the kernel kills all others with it, and it ends when the socket to Pollard is closed,
even if Pollard was killed.

macOS has a sandbox of its own, which each run starts, and which is tried out before.

Modules, in reading order:

- `secrets`: the paths and variables that a run is not shown
- `bubblewrap`: the command line that makes the sandbox
- `landlock`: a weaker one, which only needs the kernel, where there is no bubblewrap
- `socket_filter`: what closes the network where Landlock does not
- `seatbelt`, `seatbelt_trial`: the sandbox of macOS, and the program that tries whether it holds
- `launcher`: the program in those of Linux
- `cell`: one sandbox with its launcher, as the executor sees it
- `sandboxes`: `Sandboxes`: one cell for each run directory; what a run finds in its environment
- `execution`: whether a command executes the candidate, and nothing confines it

`pollard.executors` imports this room. It imports `pollard.oracle` and `pollard.errors`.
"""

from __future__ import annotations

from pollard.executors.sandbox.sandboxes import Sandboxes

__all__ = ["Sandboxes"]
