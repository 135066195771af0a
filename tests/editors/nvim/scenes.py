"""Workspaces for tests that need a slow reduction, but no real failing input."""

from __future__ import annotations

from pathlib import Path

from tests.editors.support.workspaces import Scene

LINES = 80
_NEEDLES = (20, 61)
_TOML = """
checks = 1
[stream]
interval = 0.1
"""
# Neovim ends the last line of every file that it writes, so the oracle requires a line end.
_ORACLE = """
[oracles.{name}]
command = ["sh", "{{workspace}}/oracle.sh", "{{file}}"]
exit_code = 0
"""
_SCRIPT = """
sleep {seconds}
test "$(grep -c "needle$(printf '{before_end}')$" "$1")" = 2 && test -z "$(tail -c 1 "$1")"
"""


def needle_scene(
    folder: Path, *, seconds: float = 0.1, end: str = "\n", oracles: tuple[str, ...] = ("needle",)
) -> Scene:
    """Make a folder with a text of 80 lines, of which only lines 21 and 62 matter.

    Each run takes `seconds`, nearly all of them asleep, so that a test has time to type, pause and
    stop. `end` is the line end.
    """
    folder.mkdir()
    settings = _TOML + "".join(_ORACLE.format(name=name) for name in oracles)
    (folder / "pollard.toml").write_text(settings)
    script = _SCRIPT.format(seconds=seconds, before_end=r"\r" * (end == "\r\n"))
    (folder / "oracle.sh").write_text(script)
    lines = [
        f"line {number} alpha{' needle' * (number in _NEEDLES)}{end}" for number in range(LINES)
    ]
    file = folder / "case.txt"
    file.write_bytes("".join(lines).encode())
    return Scene(folder, file, file.read_bytes())
