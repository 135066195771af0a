"""The reduction of the files beside a document, after its own; no buffer and no file is changed."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, cast

from pygls.uris import from_fs_path

from pollard.events import Progress
from pollard.project.project_plan import original_place
from pollard.project.reduction import ProjectReduction
from pollard.project.result_folder import ResultFolder
from pollard.system import remove_tree
from pollard_server.jobs.round import REPORT_SECONDS
from pollard_server.protocol.notifications import ShownCompanion

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pollard.file_tree import FileTree
    from pollard.oracle import CommandOracle
    from pollard.project.outcome import ProjectEvent
    from pollard.project.project_plan import ProjectPlan
    from pollard_server.streaming import ForeignChange


class CompanionsRound:
    """Runs the engine on the companions in the worker thread; any thread may call the others."""

    def __init__(
        self, plan: ProjectPlan, place: Path, listener: Callable[[Progress], None]
    ) -> None:
        """The results go to the folder `place`, which is replaced.

        `listener` gets the figures in the worker's thread, at a limited rate.
        """
        self._plan = plan
        self._place = place
        self._listener = listener
        self._reported_at = float("-inf")
        self._reduction = ProjectReduction(plan, self._on_event)

    def pause(self) -> None:
        """Start no further run of the oracle."""
        self._reduction.pause()

    def resume(self) -> None:
        """Go on."""
        self._reduction.resume()

    def stop(self) -> None:
        """End soon with the best files so far."""
        self._reduction.cancel()
        self._reduction.resume()  # one that is paused would never notice

    def abandon(self) -> None:
        """End now: the editor is gone, or the document was closed."""
        self.stop()

    def on_foreign_change(self, reason: ForeignChange) -> None:
        """Do nothing: the buffer is the user's already."""

    # In the worker's thread:

    def run(self) -> tuple[ShownCompanion, ...]:
        """Reduce, and return what became of each companion that is smaller now, or not needed.

        Raises Cancelled if it was stopped before the search began, PollardErrors and OSError.
        """
        result = self._reduction.run()
        remove_tree(self._place)
        ResultFolder(self._place).finish(result.tree)
        return _shown(self._plan, result.tree, self._place)

    def _on_event(self, event: ProjectEvent) -> None:
        now = time.monotonic()
        if isinstance(event, Progress) and now >= self._reported_at + REPORT_SECONDS:
            self._reported_at = now
            self._listener(event)


def _shown(plan: ProjectPlan, left: FileTree, place: Path) -> tuple[ShownCompanion, ...]:
    """Return the reports of the files that are smaller in the tree `left` at `place`, or gone."""
    oracle = cast("CommandOracle", plan.each.oracle)
    return tuple(
        ShownCompanion(
            original=from_fs_path(str(original_place(oracle, path))),
            result=from_fs_path(str(place / os.fsdecode(path))) if path in left else None,
            bytes=left[path].weight if path in left else 0,
            original_bytes=entry.weight,
        )
        for path, entry in sorted(plan.tree.items())
        if entry.is_file and left.get(path) != entry
    )
