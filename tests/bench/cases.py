"""The inputs to measure: the corpus of real failing files, and the two examples of a paper."""

from __future__ import annotations

import csv
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pollard.oracle import CommandOracle
from pollard.syntax.grammars.languages import HEAD_BYTES, Grammar, detect, find

_HERE = Path(__file__).parent
_REPOSITORY = _HERE.parent.parent

# Figures 3 and 5(a) of hddh-2021; the second with unchecked exceptions, hence 371 characters, not 446.
_BUNDLED = (
    ("figure3", "C", "hello.c", "gcc compiles it and it prints Hello world!"),
    ("figure5", "Java", "LocalizedPi.java", "javac compiles it and it ends with an exception"),
)


@dataclass(frozen=True)
class Case:
    """A failing file with its oracle's script; `reference` is a small answer's size in bytes."""

    name: str
    language: str
    path: Path
    failure: str
    reference: int | None = None

    @property
    def text(self) -> bytes:
        return self.path.read_bytes()

    @property
    def script(self) -> Path:
        return self.path.parent / "oracle.sh"

    @property
    def oracle(self) -> CommandOracle:
        command = ("/bin/sh", str(self.script), "{file}")
        return CommandOracle(command, name=self.name, workspace=self.path.parent)

    @property
    def grammar(self) -> Grammar:
        name = detect(self.path.name, self.text[:HEAD_BYTES])
        assert name is not None, f"no grammar knows {self.path}"
        return find(name)

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
    """The papers' examples."""
    return [
        Case(name, language, _HERE / "cases" / name / file, failure)
        for name, language, file, failure in _BUNDLED
    ]


def corpus(folder: Path | None = None) -> list[Case]:
    """The cases of the corpus, in the order of its index."""
    folder = folder or corpus_folder()
    with (folder / "INDEX.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    return [
        Case(
            row["case"],
            row["language"],
            next((folder / row["case"]).glob("input.*")),
            row["failure"],
            int(row["reference_bytes"]),
        )
        for row in rows
    ]
