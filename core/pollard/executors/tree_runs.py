"""Runs of an oracle on a tree of files, and the view of such runs that the search of one text has."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from pollard.errors import OracleError
from pollard.executors.process import Runner
from pollard.executors.tree_directories import TreeDirectories, TreeDirectory
from pollard.file_tree import fingerprint, shown
from pollard.oracle.command import names_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pollard.executors.run_directories import RunDirectories, RunDirectory
    from pollard.file_tree import FileTree
    from pollard.oracle import Cancellable, Executor, Share, Verdict
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.predicate import AnyOracle
    from pollard.oracle.verdict import Run


class TreeExecutor(Protocol):
    """Carries out runs of one oracle on trees of files; otherwise as `Executor`."""

    timeout: float

    @property
    def oracle(self) -> AnyOracle:
        """The oracle that is run."""

    @property
    def sandbox_warning(self) -> str:
        """A sentence about what runs may do although the oracle's policy forbids it; "" if nothing."""

    def run_tree(
        self, tree: FileTree, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Run the oracle on a tree; see `Executor.run`."""

    def fingerprint(self) -> str | None:
        """Return a hash of all that decides a verdict except tree and timeout; see `Executor`."""

    def close(self) -> None:
        """Release what the runs shared; no run may be in progress."""


class TreeRunner(Runner):
    """Runs a command on trees: each run's directory is the root of a copy of the tree."""

    def __init__(self, oracle: CommandOracle, main: bytes | None, share: Share | None) -> None:
        """`{file}` and standard input are the file at the path `main`.

        Raises `OracleError` if the command needs a main file and there is none.
        """
        if main is None and (oracle.stdin or names_file(oracle.command)):
            message = (
                "The command needs the main file, for {file} or its input; name it with --main."
            )
            raise OracleError(message)
        super().__init__(oracle, shown(main or b""), share=share)
        self._prepared = replace(self._prepared, append_file=False)

    def run_tree(
        self, tree: FileTree, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Run the command in a copy of the tree; see `Executor.run`."""

        def fill(directory: RunDirectory) -> None:
            assert isinstance(directory, TreeDirectory)
            directory.show(tree)

        return self._run_filled(fill, cancelled, capture=capture)

    def _open_directories(self) -> RunDirectories:
        return TreeDirectories(self.filename)


@dataclass(frozen=True, slots=True)
class OnFiles:
    """Calls a function of a mapping from paths to contents with what `packed` made of a tree."""

    function: Callable[[Mapping[str, bytes]], bool | Verdict]

    def __call__(self, candidate: bytes) -> bool | Verdict:
        """Return what the function returns."""
        return self.function(pickle.loads(candidate))


def packed(tree: FileTree) -> bytes:
    """Return the files of a tree as one text, which `OnFiles` understands."""
    return pickle.dumps({shown(path): each.content for path, each in tree.items() if each.is_file})


class PredicateOnTrees:
    """Calls a function on trees, by an executor of `OnFiles`."""

    sandbox_warning = ""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.timeout = executor.timeout
        self.oracle = executor.oracle

    def run_tree(
        self, tree: FileTree, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Call the function with a tree's files; see `Executor.run`."""
        self._executor.timeout = self.timeout
        return self._executor.run(packed(tree), cancelled=cancelled, capture=capture)

    def fingerprint(self) -> str | None:
        """Return the function's fingerprint."""
        return self._executor.fingerprint()

    def close(self) -> None:
        """Close the executor."""
        self._executor.close()


class TreeCandidates:
    """An `Executor` for candidates that stand for trees, such as the text of one of the files.

    It closes nothing: the `TreeExecutor` outlives it.
    """

    def __init__(
        self, trees: TreeExecutor, tree_of: Callable[[bytes], FileTree], rest: FileTree, what: bytes
    ) -> None:
        """`tree_of` turns a candidate into a tree; what it adds to it is `rest`, in a way `what`."""
        self._trees = trees
        self._tree_of = tree_of
        self._rest = rest
        self._what = what

    @property
    def timeout(self) -> float:
        """The limit of a run in seconds."""
        return self._trees.timeout

    @timeout.setter
    def timeout(self, seconds: float) -> None:
        self._trees.timeout = seconds

    @property
    def oracle(self) -> AnyOracle:
        """The oracle that is run."""
        return self._trees.oracle

    def run(
        self, text: bytes, *, cancelled: Cancellable | None = None, capture: bool = False
    ) -> Run:
        """Run the oracle on the candidate's tree; see `Executor.run`."""
        return self._trees.run_tree(self._tree_of(text), cancelled=cancelled, capture=capture)

    def fingerprint(self) -> str | None:
        """Return a hash of the oracle and of all files that the candidate does not decide."""
        of_oracle = self._trees.fingerprint()
        if of_oracle is None:
            return None
        return fingerprint(self._rest, of_oracle.encode(), self._what)

    def close(self) -> None:
        """Do nothing; see above."""

    def __enter__(self) -> TreeCandidates:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
