"""The function of `import pollard` for several files."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pollard.api.call_arguments import settings_of, with_arguments_of
from pollard.api.plan_making import plan_of
from pollard.api.public_oracle import engine_oracle_of
from pollard.file_tree import Entry, FileTree, parents
from pollard.oracle import CommandOracle
from pollard.passes.strategy import Strategy
from pollard.project.project_files import Project, companions_of
from pollard.project.project_plan import ProjectPlan
from pollard.project.reduction import ProjectReduction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pollard.api.public_oracle import FilesOracle
    from pollard.oracle import AnyOracle
    from pollard.project.outcome import ProjectEvent, ProjectResult
    from pollard.settings.settings import Settings


def files_reduction_of(
    files: Mapping[str, str | bytes],
    oracle: FilesOracle,
    *,
    main: str | None = None,
    strategy: str | Sequence[str] = "default",
    jobs: int = 1,
    speculation: Literal["eager", "frugal", "off"] = "eager",
    renaming: bool = True,
    merging: bool = True,
    guard: bool = True,
    learn_invalid: bool = False,
    checks: int = 3,
    cache: bool = True,
    max_runs: int | None = None,
    max_time: float | str | None = None,
    timeout: float | None = None,
    on_event: Callable[[ProjectEvent], None] | None = None,
) -> ProjectReduction:
    """Return the reduction that `reduce_files` carries out; `reduce_files` explains the arguments."""
    settings = settings_of(locals())
    tree = _tree_of(files)
    if main is not None and os.fsencode(main) not in tree:
        message = f"main must be one of the files, not {main!r}"
        raise ValueError(message)
    plan = project_plan_of(
        settings,
        Project(Path(), tree),
        engine_oracle_of(oracle, timeout),  # type: ignore[arg-type]
        strategy=Strategy.parse(strategy),
        main=None if main is None else os.fsencode(main),
    )
    return ProjectReduction(replace(plan, merging=merging), on_event or (lambda _: None))


def project_plan_of(
    settings: Settings,
    project: Project,
    oracle: AnyOracle,
    *,
    strategy: Strategy | None = None,
    main: bytes | None = None,
    notes: tuple[str, ...] = (),
) -> ProjectPlan:
    """Return the plan for several files under these settings; `ProjectPlan` explains the arguments.

    The command line, the language server and this module all make their plans with it. Formatters are
    left out, since none is for all files. Raises ProjectError if a file for the oracle cannot be read.
    """
    sources: tuple[Path, ...] = ()
    if isinstance(oracle, CommandOracle):
        sources, oracle = oracle.sources, replace(oracle, formatter=None)
    each = plan_of(settings, text=b"", filename="", oracle=oracle, grammar=None, strategy=strategy)
    fixed = companions_of(sources, project)
    return ProjectPlan(project.tree, each, main=main, fixed=fixed, notes=notes)


@with_arguments_of(files_reduction_of)
def reduce_files(*args: Any, **options: Any) -> ProjectResult:
    """Find out which of several files are needed while the oracle holds, and shrink these.

    `reduce` does the same if its first argument is a mapping.

    - `files`: the contents by path, relative and with `/`; a `str` as UTF-8
    - `oracle`: a command, which runs in a directory with the files (`{dir}`); or a function that takes
      a mapping from paths to bytes and returns True, False or a `Verdict`
    - `main`: the path that `{file}` stands for in a command; this file is never removed
    - `merging`: whether a line that names a file, such as an include, may be replaced by its contents
    - the others: as for `reduce`; each remaining file is reduced with them

    Raises as `reduce`, and `ValueError` for impossible paths.

    >>> import pollard
    >>> files = {"a.json": '[1, {"b": null}]', "b.json": "[2]", "lib/c.py": "x = 1"}
    >>> pollard.reduce(files, lambda files: b"null" in files.get("a.json", b"")).files
    {'a.json': b'null'}
    """
    return files_reduction_of(*args, **options).run()


def _tree_of(files: Mapping[str, str | bytes]) -> FileTree:
    """Return the tree. Raises ValueError unless all paths can exist side by side."""
    tree: dict[bytes, Entry] = {}
    for path, content in files.items():
        parts = path.split("/")
        if not path or os.path.isabs(path) or {"", ".", ".."} & {*parts}:  # noqa: PTH117 (no path yet)
            message = f"a file's path must be relative and plain, as in 'lib/a.c', not {path!r}"
            raise ValueError(message)
        tree[os.fsencode(path)] = Entry(content.encode() if isinstance(content, str) else content)
    for place in tree:
        if not tree.keys().isdisjoint(parents(place)):
            message = f"{os.fsdecode(place)!r} is in a folder that is also a file"
            raise ValueError(message)
    return tree
