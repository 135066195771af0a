"""Folders whose reductions the tests can watch and hold, because their oracle is a script."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tests.editors.support.workspaces import by_command_line

KEPT = ("keep_first", "keep_second", "keep_third")
COMMAND = ("/bin/sh", "{workspace}/oracle.sh", "{file}")

_ORACLE = """\
# Interesting if every required word is there. It waits as long as the test holds it.
echo run >> "{control}/runs"
while [ -e "{control}/hold" ]; do sleep 0.02; done
sleep {seconds}
for word in {kept}; do
  grep -q "$word" "$1" || {{ echo "there is no $word" >&2; exit 1; }}
done
echo "all are there"
"""
_SETTINGS = """\
checks = 1
jobs = 1

[stream]
interval = 0.1

[oracles.keep]
command = {command}
timeout = "100s"

[oracles.keep.sandbox]
write = ["{control}"]
"""


@dataclass(frozen=True)
class Watched:
    """A folder to open, and the file in it: 40 functions, of which three calls have to stay."""

    folder: Path
    file: Path
    text: str

    @property
    def runs(self) -> int:
        """How many runs of the oracle have begun."""
        log = self._control / "runs"
        return len(log.read_text().splitlines()) if log.exists() else 0

    def hold(self) -> None:
        """Keep all runs from ending until `release`."""
        (self._control / "hold").touch()

    def release(self) -> None:
        """Let the runs end again."""
        (self._control / "hold").unlink(missing_ok=True)

    def by_command_line(self, *options: str) -> bytes:
        """Return the result of `pollard reduce`; it reuses the verdicts of the editor's server."""
        return by_command_line(self.file, *options)

    @property
    def _control(self) -> Path:
        return _control(self.folder)


def watched_scene(
    folder: Path, *, eol: str = "\n", seconds: float = 0.03, configured: bool = True
) -> Watched:
    """Make the folder; each run of its oracle takes at least `seconds`."""
    folder.mkdir()
    _control(folder).mkdir()
    file = folder / "orders.py"
    text = _text().replace("\n", eol)
    file.write_bytes(text.encode())
    (folder / "oracle.sh").write_text(
        _ORACLE.format(control=_control(folder), seconds=seconds, kept=" ".join(KEPT))
    )
    if configured:
        (folder / "pollard.toml").write_text(
            _SETTINGS.format(command=json.dumps(COMMAND), control=_control(folder))
        )
    return Watched(folder, file, text)


def _control(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.control")


def _text() -> str:
    calls = {5: KEPT[0], 21: KEPT[1], 37: KEPT[2]}
    return "".join(_function(number, calls.get(number, "len")) for number in range(40))


def _function(number: int, called: str) -> str:
    return (
        f"def order_{number}(items, total={number}):\n"
        f"    for item in items:\n"
        f"        if item > {number}:\n"
        f"            total += {called}(item)\n"
        f"    return total\n\n\n"
    )
