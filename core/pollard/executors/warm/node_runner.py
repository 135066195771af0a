"""Runs of a program for Node.js that stays loaded: warm ones for the search, cold ones for checks."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.executors.process import Runner
from pollard.executors.warm.persistent import PersistentExecutor
from pollard.executors.warm.python_programs import interpreter_words
from pollard.executors.warm.trials import MIN_SPEEDUP, without_rooms
from pollard.oracle.command import prepare
from pollard.oracle.warm.warm_runs import WarmRuns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable
    from pollard.oracle.shares import Share
    from pollard.oracle.verdict import Run
    from pollard.oracle.warm.warm_runs import WarmTrial

_REPEATING = str(Path(__file__).with_name("repeating.js"))
# The line that threw an error which nobody catches, and the frames below those of the program.
_HOW_IT_WAS_CALLED = re.compile(
    rb"^\S.*:\d+\n.*\n[ \t]*\^+\n\n|^    at .*node:internal/.*\n", re.MULTILINE
)


def repeating_command(oracle: CommandOracle) -> tuple[str, ...] | None:
    """Return the command that runs an oracle's program for Node.js again and again, or None.

    The oracle must run `node SCRIPT` with the full path of a script, or a script whose first line
    names Node.js, as npm installs programs. Raises `OracleError` if its program does not exist.
    """
    complete = oracle.stdin or oracle.surroundings is not None
    prepared = prepare(oracle.command, oracle.workspace, stdin=complete)
    if isinstance(prepared.command, str) or oracle.stdin:
        return None
    words = [prepared.program, *prepared.command[1:]]
    if not _is_node(words[0]):
        node = _interpreter(Path(words[0]))
        words = [node, *words] if node else []
    if len(words) < 2 or not Path(words[1]).is_absolute() or not Path(words[1]).is_file():
        return None
    return (words[0], _REPEATING, *words[1:], *(["{file}"] if prepared.append_file else []))


def _is_node(program: str) -> bool:
    return Path(program).name in ("node", "nodejs")


def _interpreter(path: Path) -> str | None:
    """Return the path of Node.js if the first line of a script names it and nothing else."""
    named = interpreter_words(path)
    return shutil.which(named[0]) if len(named) == 1 and _is_node(named[0]) else None


class NodeRunner(PersistentExecutor):
    """Runs a program again in processes that stay, once a `trial` showed that they may be used.

    Any thread may call `run`. The runs that check the original and prove texts are always cold: they
    run the oracle's own command. So are all runs after an answer that broke the protocol.
    """

    def __init__(
        self,
        oracle: CommandOracle,
        command: tuple[str, ...],
        filename: str,
        *,
        share: Share | None = None,
    ) -> None:
        """`command` is the `repeating_command` of the oracle. Raises `OracleError` as `Runner` does."""
        super().__init__(replace(oracle, command=command), filename, share=share)
        self.oracle = oracle
        self._cold = Runner(oracle, filename, share=share)
        self._min_speedup = MIN_SPEEDUP if oracle.warm is WarmRuns.AUTO else 0.0

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Run the program on a text; see `Executor.run`."""
        if self.is_warm and not capture:
            try:
                return super()._run(text, cancelled, fresh=False)
            except OracleError:
                self.cool()
        return self._cold_run(text, cancelled, capture=capture)

    def trial(
        self, text: bytes, cold: Sequence[Run], *, cancelled: Cancellable | None = None
    ) -> WarmTrial:
        """Compare runs in a process that stays with those of the command; see `WarmExecutor`."""
        return super().trial(text, [self._comparable(run) for run in cold], cancelled=cancelled)

    def close(self) -> None:
        """End all processes and remove their directories; no run may be in progress."""
        super().close()
        self._cold.close()

    def _run(self, text: bytes, cancelled: Cancellable | None, *, fresh: bool) -> Run:
        """Run the program as a trial sees it, without the paths of its directory."""
        if fresh:
            return self._comparable(self._cold_run(text, cancelled, capture=True))
        return self._comparable(super()._run(text, cancelled, fresh=False))

    def _comparable(self, run: Run) -> Run:
        plain = without_rooms(run, self._directories.root, self._cold.root)
        return replace(plain, stderr=_HOW_IT_WAS_CALLED.sub(b"", plain.stderr))

    def _cold_run(self, text: bytes, cancelled: Cancellable | None, *, capture: bool) -> Run:
        self._cold.timeout = self.timeout
        return self._cold.run(text, cancelled=cancelled, capture=capture)
