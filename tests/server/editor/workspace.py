"""A folder with a `pollard.toml` and small shell scripts as oracles.

The scripts record each of their runs in a folder outside the workspace, and can be held there. So a
test knows what was run, and can stop a reduction at a size of its choice.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

_SCRIPT = """#!/bin/sh
notes="${{NOTES:-{outside}}}"
set -- "$1" $(cksum < "$1")
echo "$2 $3" >> "$notes/runs"
holds() {{
{condition}
}}
holds "$1" || exit 1
while read -r below 2> /dev/null < "$notes/hold" && [ "$3" -lt "$below" ]; do
    : > "$notes/held"
    sleep 0.02
done
echo "$3" >> "$notes/interesting"
"""
_TABLE = """
[oracles.{name}]
command = ["/bin/sh", "{{workspace}}/{name}.sh", "{{file}}"]
timeout = "100s"
"""
#: Edits follow each other fast and runs are few, so that tests are short. There is one run at a
#: time, so that the last interesting text is the last accepted one.
QUICK = 'jobs = 1\nchecks = 1\nstrategy = ["lines"]\n[stream]\ninterval = 0.02\n'


def note(text: str | bytes) -> str:
    """Return the oracles' record of a text: its checksum and size."""
    content = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run(["cksum"], input=content, capture_output=True, check=True)
    return " ".join(done.stdout.decode().split())


@dataclass
class Workspace:
    """The folder that an editor has open, and one outside it for the oracles' records."""

    folder: Path
    outside: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.outside.mkdir(parents=True, exist_ok=True)

    def oracle(self, condition: str, name: str = "needle", *, keys: str = "") -> str:
        """Write an oracle's script, `$1` is the candidate; return its table for `pollard.toml`."""
        script = _SCRIPT.format(outside=self.outside, condition=condition)
        self.write(f"{name}.sh", script)
        return _TABLE.format(name=name) + keys

    def configure(self, *tables: str, top: str = QUICK) -> None:
        """Write `pollard.toml`."""
        self.write("pollard.toml", top + "".join(tables))

    def write(self, name: str, text: str | bytes) -> Path:
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def uri(self, name: str) -> str:
        """Return the URI of a file in the folder; a URI such as `untitled:A` stays as it is."""
        return name if ":" in name else (self.folder / name).as_uri()

    def hold(self, below: int) -> None:
        """Hold runs on interesting candidates below that size until `release`."""
        beside = self.outside / "hold.new"
        beside.write_text(f"{below}\n")
        beside.replace(self.outside / "hold")

    def release(self) -> None:
        (self.outside / "hold").unlink(missing_ok=True)
        (self.outside / "held").unlink(missing_ok=True)

    @property
    def is_holding(self) -> bool:
        return (self.outside / "held").exists()

    @property
    def runs(self) -> list[str]:
        """The checksum and size of each text on which an oracle ran, in order."""
        return self._noted("runs")

    @property
    def smallest(self) -> int | None:
        """The size in bytes of the smallest interesting text, None if there was none."""
        return min(map(int, self._noted("interesting")), default=None)

    def forget(self) -> None:
        """Forget the recorded runs."""
        for name in ("runs", "interesting"):
            (self.outside / name).unlink(missing_ok=True)

    def _noted(self, name: str) -> list[str]:
        file = self.outside / name
        return file.read_text().splitlines() if file.exists() else []

    def is_interesting(
        self, text: str | bytes, name: str = "needle", file: str = "case.txt"
    ) -> bool:
        """Run the oracle's script without Pollard; return whether the text is interesting."""
        with tempfile.TemporaryDirectory() as folder:
            candidate = Path(folder, file)
            candidate.write_bytes(text if isinstance(text, bytes) else text.encode())
            done = subprocess.run(
                ["/bin/sh", str(self.folder / f"{name}.sh"), str(candidate)],
                cwd=folder,
                env={**os.environ, "NOTES": folder},
                check=False,
            )
            return done.returncode == 0
