"""The inputs to measure: two examples of a paper, the corpus of real failures, and sets of our own.

Passes and limits may be tuned on the corpus and on half of the second set. The other half only reports.
The small programs have constructs that the other inputs lack, for what is made for those.
"""

from __future__ import annotations

import csv
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pollard.oracle import CommandOracle, SameFailure
from pollard.syntax.grammars.languages import HEAD_BYTES, Grammar, detect, find

_HERE = Path(__file__).parent
_REPOSITORY = _HERE.parent.parent
_MORE = _HERE / "more"
_SMALL = _HERE / "small"
_LARGE = _HERE / "large"

# The first number that divided 52 cases equally and left those that had been measured before to tuning.
# It must not change: what was tuned on must never be reported as unseen.
_SPLIT = 648131

# Figures 3 and 5(a) of hddh-2021; the second with unchecked exceptions, hence 371 characters, not 446.
_BUNDLED = (
    ("figure3", "C", "hello.c", "gcc compiles it and it prints Hello world!"),
    ("figure5", "Java", "LocalizedPi.java", "javac compiles it and it ends with an exception"),
)


@dataclass(frozen=True)
class Case:
    """A failing file with its oracle's script.

    `reference` is a small answer's size in bytes, `same_failure` how closely failures must agree.
    """

    name: str
    language: str
    path: Path
    failure: str
    reference: int | None = None
    same_failure: SameFailure = SameFailure.KIND

    @property
    def text(self) -> bytes:
        return self.path.read_bytes()

    @property
    def script(self) -> Path:
        return self.path.parent / "oracle.sh"

    @property
    def oracle(self) -> CommandOracle:
        command = ("/bin/sh", str(self.script), "{file}")
        return CommandOracle(
            command,
            name=self.name,
            workspace=self.path.parent,
            same_failure=self.same_failure,
        )

    @property
    def grammar(self) -> Grammar | None:
        name = detect(self.path.name, self.text[:HEAD_BYTES])
        return None if name is None else find(name)

    def holds(self, text: bytes) -> bool:
        """Return whether the script alone, without Pollard, finds the text interesting."""
        with tempfile.TemporaryDirectory() as folder:
            candidate = Path(folder, self.path.name)
            candidate.write_bytes(text)
            command = ["/bin/sh", str(self.script), str(candidate)]
            done = subprocess.run(
                command,
                cwd=folder,
                check=False,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            return done.returncode == 0


def corpus_folder() -> Path:
    """The corpus: POLLARD_CORPUS, or where it lies beside the repository."""
    beside = _REPOSITORY.parent / "shared" / "corpus"
    return Path(os.environ.get("POLLARD_CORPUS") or beside).resolve()


def bundled() -> list[Case]:
    """The papers' examples, for which any failure that meets the criterion counts there."""
    return [
        Case(name, language, _HERE / "cases" / name / file, failure, same_failure=SameFailure.OFF)
        for name, language, file, failure in _BUNDLED
    ]


def corpus(folder: Path | None = None) -> list[Case]:
    """The cases of the corpus, in the order of its index."""
    folder = folder or corpus_folder()
    return [
        Case(
            row["case"],
            row["language"],
            next((folder / row["case"]).glob("input.*")),
            row["failure"],
            int(row["reference_bytes"]),
        )
        for row in _rows(folder)
    ]


def more(folder: Path = _MORE) -> list[Case]:
    """The second set; inputs over 60 kB exist only after `tests/bench/more/setup`."""
    return [
        Case(row["case"], row["language"], folder / row["case"] / row["file"], row["failure"])
        for row in _rows(folder)
    ]


def small() -> list[Case]:
    """The small programs."""
    return more(_SMALL)


def large() -> list[Case]:
    """The large inputs, which exist only after `python -m tests.bench.large.make`."""
    return more(_LARGE)


def is_for_reports(name: str) -> bool:
    """Return whether a case of the second set only reports figures, chosen by a hash of its name."""
    return hashlib.blake2b(f"{_SPLIT} {name}".encode()).digest()[0] % 2 == 1


#: What `--set` chooses from. Nothing may be tuned on `report`.
SETS: Mapping[str, Callable[[], list[Case]]] = {
    "corpus": lambda: [*bundled(), *corpus()],
    "more": more,
    "tune": lambda: [case for case in more() if not is_for_reports(case.name)],
    "report": lambda: [case for case in more() if is_for_reports(case.name)],
    "small": small,
    "all": lambda: [*bundled(), *corpus(), *more(), *small()],
}


def by_name() -> dict[str, Case]:
    """All cases of all sets, in the order of tables and pages."""
    return {case.name: case for case in SETS["all"]()}


def case_named(name: str) -> Case:
    """The case of that name, of any set; the corpus need not be there for one of another set."""
    sets = (bundled, small, more, corpus)
    return next(case for cases in sets for case in cases() if case.name == name)


def _rows(folder: Path) -> list[dict[str, str]]:
    with (folder / "INDEX.tsv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))
