"""What the phases work on: the best tree so far, and what it takes to try others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.oracle import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.executors.tree_runs import TreeExecutor
    from pollard.file_tree import FileTree
    from pollard.oracle import OriginalFailure, Share
    from pollard.project.project_plan import ProjectPlan
    from pollard.project.tree_standing import TreeStanding


@dataclass(frozen=True, slots=True)
class CheckedTree:
    """An original tree that is known to be interesting, with the executor that found it so.

    - `executor`: carries out the runs
    - `failure`: what candidates are compared with
    - `run_seconds`: the time of a run
    - `named_places`: the files and lines that the failure's output names, in its order
    - `named_words`: what that output quotes
    - `named_bounds`: the index and the length that it names, if one is beyond the other
    - `asked_names`: names in its list of calls for which the oracle asks
    """

    executor: TreeExecutor
    failure: OriginalFailure
    run_seconds: float
    named_places: tuple[tuple[bytes, int], ...] = ()
    named_words: tuple[bytes, ...] = ()
    named_bounds: tuple[int, int] | None = None
    asked_names: tuple[bytes, ...] = ()


class Canceller:
    """Cancels whatever part of a reduction is in progress.

    `token` is set once `cancel` was called; what has no `cancel` of its own watches it.
    """

    def __init__(self) -> None:
        self.token = CancelToken()
        self._cancel_part: Callable[[], None] = lambda: None

    def cancel(self) -> None:
        """Cancel, from any thread."""
        self.token.set()
        self._cancel_part()

    def reach(self, cancel_part: Callable[[], None]) -> None:
        """Pass `cancel` on to the part that begins now, also a call of it that came before."""
        self._cancel_part = cancel_part
        if self.token.is_set():
            cancel_part()


@dataclass(frozen=True, slots=True)
class TreeSubject:
    """The best tree so far, in `standing`, and what it takes to try others.

    Every run takes its turn in `share`, and `canceller` must reach whatever runs.
    """

    plan: ProjectPlan
    original: CheckedTree
    standing: TreeStanding
    canceller: Canceller
    share: Share

    @property
    def tree(self) -> FileTree:
        """The best tree so far."""
        return self.standing.best

    def beside(self, path: bytes) -> FileTree:
        """Return the best tree without a file."""
        return {other: entry for other, entry in self.tree.items() if other != path}
