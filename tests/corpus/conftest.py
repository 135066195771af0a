"""Reductions of the corpus, each carried out once a session and shared by the tests."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pollard.oracle import Verdict
from tests.bench import cases as known
from tests.bench.measure import Measurement, measure
from tests.bench.memory import Memory, oracle_key

# g++ takes a fifth of a second, and a reduction more than 4,000 runs.
RUN_LIMITS = {"cpp-gxx12-generic-lambda": 60}


class Reductions:
    """Measured reductions on demand.

    With two jobs every run is a process. What those showed is remembered, and answers the same
    questions of the other reductions of the case: the oracles are deterministic, and the runs are
    counted all the same. All others have one job, so that no run is wasted.
    """

    def __init__(self) -> None:
        self._memory = Memory()
        self._done: dict[tuple[str, str, int, bool], Measurement] = {}

    def get(
        self,
        case: known.Case,
        strategy: str = "default",
        *,
        jobs: int = 1,
        guard: bool = True,
    ) -> Measurement:
        """Reduce a case, or return what was measured when it was reduced before."""
        if (strategy, jobs, guard) == ("default", 1, True):
            self.in_parallel(case)  # first, to take its verdicts
        key = case.name, strategy, jobs, guard
        if key not in self._done:
            self._done[key] = measure(
                case,
                strategy,
                jobs=jobs,
                guard=guard,
                memory=self._memory,
                read=jobs == 1,
                run_limit=RUN_LIMITS.get(case.name),
            )
        return self._done[key]

    def in_parallel(self, case: known.Case) -> Measurement:
        """Reduce with the default strategy, two jobs and no remembered verdict."""
        return self.get(case, jobs=2)

    def holds(self, case: known.Case, text: bytes) -> bool:
        """Return the verdict on a text, from memory or by a run of the script."""
        found = self._memory.get(oracle_key(case.oracle), text)
        return found[0] is Verdict.INTERESTING if found else case.holds(text)


@pytest.fixture(scope="session")
def reductions() -> Reductions:
    return Reductions()


@pytest.fixture
def cases(corpus: Path) -> dict[str, known.Case]:
    """Return all cases by name; fail if there is no corpus."""
    return known.by_name()


@pytest.fixture
def case(request: pytest.FixtureRequest, cases: dict[str, known.Case]) -> known.Case:
    return cases[request.param]


@pytest.fixture(scope="session")
def originals() -> dict[str, str]:
    """Digests of the corpus' files by path, before anything was reduced."""
    return digests(known.corpus_folder())


def digests(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def names() -> list[str]:
    """The names of the corpus' cases; one that no case has if there is no corpus."""
    try:
        return [case.name for case in known.corpus()]
    except OSError:
        return ["no corpus"]
