"""Runs the attacks, and prints as JSON what they achieved.

It is started in a throw-away system with a home directory of decoys, and refuses to run elsewhere:
`python -m tests.core.executors.sandbox.hostile ROUNDS MEANS`. MEANS are "bubblewrap" or "Landlock".
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import psutil

from pollard.executors import Runner
from pollard.executors.sandbox import bubblewrap
from pollard.oracle import CommandOracle, Verdict
from tests.core.executors.sandbox.attacks import (
    ATTACKS,
    KILLS_SIBLINGS,
    NOT_BY_LANDLOCK,
    ONCE,
    SIBLING,
)

DECOY = "decoy"
_TIMEOUT_SECONDS = 20.0
# Prints what a run finds in the directories that runs may write.
_LOOK = b"ls -lnA --time-style=+ /tmp /dev/shm . .. | sed 's/room[0-9]*//'; test -c /dev/null"


def prepare(home: Path) -> None:
    """Fill a home directory with decoys."""
    for name in ("victim", "project/original.c", "project/pollard.toml", ".gitconfig", "bin/ls"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(DECOY)
    for name in (".ssh/id_ed25519", ".netrc", "state/journal", "cache/verdicts"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(DECOY)


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """Return kind, permissions, owner, time and content of everything below a folder."""
    found: dict[str, tuple[object, ...]] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes().hex() if path.is_file() and not path.is_symlink() else ""
        found[str(path)] = (status.st_mode, status.st_uid, status.st_mtime_ns, content)
    return found


def main(rounds: int, attacks: Mapping[str, str]) -> dict[str, object]:
    """Carry out attacks `rounds` times, and return what they achieved."""
    home = Path.home()
    shared = Path("/dev/shm") / DECOY
    shared.write_text(DECOY)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        (home / "port").write_text(str(server.getsockname()[1]))
        for name in ("\0decoy", str(home / "service")):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(name)
            listener.listen()
        before = snapshot(home)
        oracle = CommandOracle(("sh", "{file}"), workspace=home / "project")
        with Runner(oracle, "attack.sh", timeout=_TIMEOUT_SECONDS) as runner:
            outcome: dict[str, object] = {"warning": runner.sandbox_warning}
            attacked, wrong, survivors = _carry_out(runner, rounds, attacks)
            wrong += _attack_sibling(runner)
        left = [path.name for path in Path(os.environ["TMPDIR"]).iterdir()]
    after = snapshot(home)
    changed = [name for name in before | after if before.get(name) != after.get(name)]
    if shared.read_text() != DECOY:
        changed.append(str(shared))
    return {
        **outcome,
        "attacked": attacked,
        "wrong": wrong,
        "survivors": survivors,
        "changed": changed,
        "left": left,
    }


def _carry_out(
    runner: Runner, rounds: int, attacks: Mapping[str, str]
) -> tuple[int, list[str], list[str]]:
    """Return how many attacks there were, those with a wrong verdict, and those that survived."""
    attacked = 0
    wrong: list[str] = []
    survivors: list[str] = []
    first = runner.run(_LOOK, capture=True)
    own = len(psutil.pids())
    for number in range(rounds):
        for name, script in attacks.items():
            if name == ONCE and number:
                continue
            attacked += 1
            run = runner.run(script.encode(), capture=True)
            if run.verdict is not Verdict.INTERESTING:
                wrong.append(f"{name}: {run.stderr.decode(errors='replace')[-300:]}")
            survivors += [name] if len(psutil.pids()) > own else []
            after = runner.run(_LOOK, capture=True)
            if (after.verdict, after.stdout) != (first.verdict, first.stdout):
                wrong.append(f"after {name}: {after.stdout.decode(errors='replace')[-300:]}")
    return attacked, wrong, survivors


def _attack_sibling(runner: Runner) -> list[str]:
    """Let one run kill whatever it can while another waits; return what that did to the other."""
    with ThreadPoolExecutor(1) as pool:
        sibling = pool.submit(runner.run, SIBLING.encode(), capture=True)
        runner.run(KILLS_SIBLINGS.encode())
        run = sibling.result()
    is_right = (run.verdict, run.stdout) == (Verdict.INTERESTING, b"alive\n")
    return [] if is_right else [f"kills its siblings: {run}"]


if __name__ == "__main__":
    if os.environ.get("THROW_AWAY_SYSTEM") != "yes" or Path("/", "home", "decoy") != Path.home():
        sys.exit("These programs do harm; run them by the tests in test_hostile.py.")
    prepare(Path.home())
    chosen = dict(ATTACKS)
    if sys.argv[2] == "Landlock":
        mock.patch.object(bubblewrap, "program", return_value=None).start()
        chosen = {name: text for name, text in ATTACKS.items() if name not in NOT_BY_LANDLOCK}
    print(json.dumps(main(int(sys.argv[1]), chosen), indent=1))
