"""Checks the original tree of a reduction by several runs."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.events import Counts
from pollard.executors import open_tree_executor
from pollard.executors.tree_runs import TreeCandidates
from pollard.file_tree import shown
from pollard.oracle import check, named_bounds, named_places, named_words
from pollard.oracle.checking.asking import asked_names
from pollard.oracle.checking.overhearing import telling, without_texts
from pollard.project.phases.tree_subject import CheckedTree
from pollard.reduction.original import ensure_interesting

if TYPE_CHECKING:
    from pollard.executors.tree_runs import TreeExecutor
    from pollard.file_tree import FileTree
    from pollard.oracle import Cancellable, CancelToken, Check, Run, Share
    from pollard.project.project_plan import ProjectPlan
    from pollard.project.tree_standing import TreeStanding


def check_tree(
    executor: TreeExecutor, plan: ProjectPlan, *, cancelled: Cancellable | None = None
) -> Check:
    """Run the oracle on the original tree, several times. Raises `Cancelled`."""
    whole = plan.whole(plan.tree)
    candidates = TreeCandidates(executor, lambda _: whole, whole, b"")
    checked = check(candidates, b"", runs=plan.each.checks, cancelled=cancelled)
    checked = replace(checked, sandbox_warning=executor.sandbox_warning, tree=frozenset(whole))
    if not checked.is_untold:
        return checked
    seen = overheard_tree_run(executor, plan, plan.tree, cancelled=cancelled)
    return replace(checked, overheard=seen)


def check_original_tree(
    executor: TreeExecutor, plan: ProjectPlan, standing: TreeStanding, *, cancelled: CancelToken
) -> CheckedTree:
    """Run the original several times; count these runs, and note what the user should know.

    Raises OracleError if the oracle cannot be run, NotInteresting unless the original is interesting
    every time, and Cancelled.
    """
    checked = check_tree(executor, plan, cancelled=cancelled)
    contents = [entry.content for entry in plan.tree.values() if entry.is_file]
    standing.add(Counts(check_runs=checked.measured_runs))
    ensure_interesting(checked)
    standing.notes += checked.notes
    told = checked.telling
    return CheckedTree(
        executor,
        checked.original_failure,
        run_seconds=min(run.seconds for run in checked.runs),
        named_places=named_places(told, plan.tree) if told else (),
        named_words=named_words(told, contents) if told else (),
        named_bounds=named_bounds(told) if told else None,
        asked_names=asked_names(told, plan.each.oracle, contents) if told else (),
    )


def overheard_tree_run(
    executor: TreeExecutor,
    plan: ProjectPlan,
    tree: FileTree,
    *,
    cancelled: Cancellable | None = None,
) -> Run | None:
    """Return a run on a tree that also tells what a script reads; None if it seems to read nothing.

    Raises `Cancelled`.
    """
    try:
        hearing = open_hearing_tree_executor(executor, plan)
        if hearing is None:
            return None
        with contextlib.closing(hearing):
            run = hearing.run_tree(plan.whole(tree), cancelled=cancelled, capture=True)
    except OracleError:  # there is no shell
        return None
    return without_texts(run, (entry.content for entry in tree.values()))


def open_hearing_tree_executor(
    executor: TreeExecutor, plan: ProjectPlan, *, share: Share | None = None
) -> TreeExecutor | None:
    """Return an executor whose runs also tell what a script reads; None if it seems to read nothing.

    Raises `OracleError` if the oracle cannot be run at all.
    """
    told = telling(executor.oracle, shown(plan.main or b""))
    if told is None:
        return None
    hearing = open_tree_executor(told, plan.main, share=share)
    hearing.timeout = executor.timeout
    return hearing
