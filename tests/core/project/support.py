"""Trees and plans for reductions of several files whose oracle is a function."""

from __future__ import annotations

from pollard.file_tree import Entry
from pollard.limits import SearchLimits
from pollard.oracle.predicate import Predicate
from pollard.plan import Plan
from pollard.project.phases.merging import mergers
from pollard.project.project_plan import ProjectPlan
from pollard.project.reduction import ProjectReduction
from pollard.speculation import Speculation


def tree_of(files):
    """Return a tree of texts by path."""
    return {path.encode(): Entry(text.encode()) for path, text in files.items()}


def plan_for(tree, interesting, *, main=None, jobs=1, checks=1, limits=None):
    """Return the plan for a function of a mapping from paths to contents."""
    each = Plan(
        text=b"",
        filename="",
        oracle=Predicate(interesting),
        jobs=jobs,
        checks=checks,
        speculation=Speculation.OFF,
        search_limits=limits or SearchLimits(),
    )
    return ProjectPlan(tree, each, main=main)


def reduced(files, interesting, **options):
    """Reduce texts by path; return the result."""
    return ProjectReduction(plan_for(tree_of(files), interesting, **options)).run()


def has_needle_in_a(files):
    """Return whether there is a needle in the file `a`, in any process."""
    return b"needle" in files.get("a", b"")


def merged(files, *, kept=(), guard=True):
    """Return the files of each tree in which one of them is merged."""
    found = mergers(tree_of(files), {path.encode() for path in kept}, guard=guard)
    return [
        {path.decode(): each.content.decode() for path, each in tree.items()} for _, tree in found
    ]
