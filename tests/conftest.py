"""What every test gets: its own directories, a fixed Hypothesis profile, the corpus, default signals.

It also decides how many processes share the tests.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.examples import load_profile

load_profile()

# Let Python keep compiled modules even where it is told not to, as in some containers: tests start
# thousands of processes, and each would compile all of Pollard again, for two seconds.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# More workers than this save nothing: each of them collects all the tests first.
_MAX_WORKERS = 8
_REPOSITORY = Path(__file__).parent.parent
# Folders whose tests start whole programs: the command line, the server, or oracles of all kinds.
_CORE = [f"core/{name}" for name in ("cli", "executors", "oracle_setup", "speculation")]
_E2E = [Path(__file__).parent / name for name in (*_CORE, "server/e2e", "server/demo", "fuzz")]
_GRACE_SECONDS = 2.0
_home_numbers = itertools.count()
# What a shell lets its background ignore, and `nohup`.
_INTERRUPTIONS = [getattr(signal, name) for name in ("SIGINT", "SIGHUP") if hasattr(signal, name)]


# The extra `test` does not bring the browser that drives Visual Studio Code.
collect_ignore = [] if importlib.util.find_spec("playwright") else ["editors/vscode"]


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Share the tests among processes with pytest-xdist, if the command line does not say how.

    It is done here since `-n` among pytest's `addopts` is an error where xdist is not installed.
    """
    if hasattr(config, "workerinput"):  # a worker itself: sharing again would never end
        return
    if getattr(config.option, "numprocesses", 0) is None and not config.option.usepdb:
        config.option.numprocesses = _workers(config)
        config.option.dist = "worksteal"


def _workers(config: pytest.Config) -> int:
    """Return one more than CPUs, but none for a few files or for another choice of markers.

    One more, since the tests of the server spend a third of their time waiting for other processes.
    A file is often over before workers have started, and `-x` and `-s` work as usual without them.
    The other suites drive editors or measure, for which they need the whole machine.
    """
    named = [Path(argument.split("::")[0]) for argument in config.option.file_or_dir]
    if named and all(path.suffix == ".py" for path in named):
        return 0
    if config.option.markexpr not in config.getini("addopts"):
        return 0
    available = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))
    return min(len(available(0)) + 1, _MAX_WORKERS)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start whole programs."""
    for item in items:
        if any(folder in item.path.parents for folder in _E2E):
            item.add_marker("e2e")


@pytest.fixture(scope="session", autouse=True)
def ignoring_nothing() -> Iterator[None]:
    """Handle signals that would be ignored: what is ignored here, what is started here ignores too."""
    before = {number: signal.getsignal(number) for number in _INTERRUPTIONS}
    for number in [number for number, was in before.items() if was == signal.SIG_IGN]:
        signal.signal(number, lambda *_: None)
    yield
    for number, was in before.items():
        signal.signal(number, was)


@pytest.fixture
def corpus() -> Path:
    """The folder of real failing inputs, from POLLARD_CORPUS or beside the repository."""
    folder = Path(os.environ.get("POLLARD_CORPUS") or _REPOSITORY.parent / "shared" / "corpus")
    if not (folder / "INDEX.tsv").is_file():
        pytest.fail(
            f"there is no corpus in {folder}: set POLLARD_CORPUS to the folder with INDEX.tsv",
            pytrace=False,
        )
    return folder.resolve()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all `own_directories`: pytest's own are slow to make where there are thousands."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def own_directories(homes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point pollard's cache and state at a new folder, which no other test or user shares."""
    home = homes / str(next(_home_numbers))
    home.mkdir()
    monkeypatch.setenv("POLLARD_CACHE_DIR", str(home / "cache"))
    monkeypatch.setenv("POLLARD_STATE_DIR", str(home / "state"))
    return home


@pytest.fixture(autouse=True)
def sandboxes_of_users(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Run oracles in a sandbox in those suites that do as users do.

    The oracles of other tests write outside their directories what the tests want to know.
    """
    if not any(map(request.node.get_closest_marker, ("corpus", "editors", "recipes", "sandbox"))):
        monkeypatch.setenv("POLLARD_SANDBOX", "off")
        monkeypatch.setenv("POLLARD_ALLOW_UNCONFINED", "1")  # nobody could be asked


@pytest.fixture
def no_leftovers(own_directories: Path) -> Iterator[None]:
    """Fail the test if a process that it let an oracle start is still alive at its end."""
    yield
    state = str(own_directories / "state")
    stop = time.monotonic() + _GRACE_SECONDS
    while (alive := oracle_processes(state)) and time.monotonic() < stop:
        time.sleep(0.02)  # a killed process takes a moment to be gone
    assert not alive, f"oracle processes survived the test: {alive}"


def oracle_processes(state_dir: str) -> list[str]:
    """Processes that carry POLLARD_RUN, without those that were started by another test."""
    return [
        f"{process.info['pid']} {process.info['name']}"
        for process in psutil.process_iter(["pid", "name", "environ"])
        if "POLLARD_RUN" in (environ := process.info["environ"] or {})
        and environ.get("POLLARD_STATE_DIR") == state_dir
    ]
