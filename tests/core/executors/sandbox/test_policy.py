"""What a sandbox is told to show and to allow; without starting one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pollard.executors.sandbox import bubblewrap, landlock, sandboxes
from pollard.executors.sandbox.secrets import secret_paths, visible_variables
from pollard.oracle import CommandOracle
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy

DEFAULT = SandboxPolicy(level=SandboxLevel.DEFAULT)
VARIABLES = {b"PATH": b"/bin", b"NPM_TOKEN": b"1", b"SSH_AUTH_SOCK": b"/s", b"MY_FLAGS": b"-O2"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory with two secrets."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".netrc").touch()
    return tmp_path


def _options(policy: SandboxPolicy, tmp_path: Path) -> list[tuple[str, ...]]:
    """The options for bubblewrap, each with its arguments."""
    grouped: list[tuple[str, ...]] = []
    for word in bubblewrap.arguments(policy, tmp_path / "room", tmp_path / "empty")[1:]:
        if word.startswith("--"):
            grouped.append((word,))
        else:
            grouped[-1] += (word,)
    return grouped


def test_the_system_is_read_only_and_the_directory_of_the_run_is_not(tmp_path: Path):
    options = _options(DEFAULT, tmp_path)
    assert options.index(("--ro-bind", "/", "/")) < options.index(
        ("--bind", str(tmp_path / "room"), str(tmp_path / "room"))
    )
    assert ("--unshare-all",) in options
    assert ("--share-net",) not in options
    assert [option for option in options if option[0] == "--bind"] == [
        ("--bind", str(tmp_path / "room"), str(tmp_path / "room"))
    ]


def test_exceptions_come_after_what_they_except(home: Path, tmp_path: Path):
    policy = SandboxPolicy(
        level=SandboxLevel.DEFAULT, read=(home / ".ssh",), write=(home,), network=True
    )
    options = _options(policy, tmp_path)
    hidden = options.index(("--tmpfs", str(home / ".ssh")))
    assert hidden < options.index(("--ro-bind", str(home / ".ssh"), str(home / ".ssh")))
    assert ("--bind", str(home), str(home)) in options
    assert ("--share-net",) in options


def test_secrets_are_hidden_if_they_exist(home: Path, tmp_path: Path):
    assert {home / ".ssh", home / ".netrc"} <= set(secret_paths(home))
    assert home / ".aws" not in set(secret_paths(home))
    options = _options(DEFAULT, tmp_path)
    assert ("--tmpfs", str(home / ".ssh")) in options
    assert ("--ro-bind", str(tmp_path / "empty"), str(home / ".netrc")) in options


def test_with_the_network_come_the_servers_for_names(tmp_path: Path, monkeypatch):
    """With systemd their addresses are in a directory that is hidden, as it has many sockets."""
    addresses = tmp_path / "run" / "resolve.conf"
    addresses.parent.mkdir()
    addresses.touch()
    (tmp_path / "resolv.conf").symlink_to(addresses)
    monkeypatch.setattr(bubblewrap, "_SOCKETS", str(addresses.parent))
    monkeypatch.setattr(bubblewrap, "_RESOLVER", tmp_path / "resolv.conf")
    shown = ("--ro-bind", str(addresses), str(addresses))
    assert shown not in _options(DEFAULT, tmp_path)
    options = _options(SandboxPolicy(SandboxLevel.DEFAULT, network=True), tmp_path)
    assert options.index(("--tmpfs", str(addresses.parent))) < options.index(shown)


def test_the_strict_level_hides_the_home_directory(home: Path, tmp_path: Path):
    options = _options(SandboxPolicy(level=SandboxLevel.STRICT), tmp_path)
    assert ("--tmpfs", str(home)) in options


def test_variables_with_secrets_are_not_passed_on():
    assert set(visible_variables(VARIABLES, DEFAULT)) == {b"PATH", b"MY_FLAGS"}
    strict = SandboxPolicy(level=SandboxLevel.STRICT, env=("NPM_TOKEN",))
    assert set(visible_variables(VARIABLES, strict)) == {b"PATH", b"NPM_TOKEN"}


def test_a_verdict_is_not_reused_under_another_policy():
    oracle = CommandOracle(("true",), sandbox=DEFAULT)
    other = CommandOracle(("true",), sandbox=SandboxPolicy(level=SandboxLevel.OFF))
    assert oracle.fingerprint() != other.fingerprint()


def test_with_no_means_runs_are_not_confined_and_the_reason_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bubblewrap, "program", lambda: None)
    monkeypatch.setattr(landlock, "is_available", lambda: False)
    made = sandboxes.Sandboxes(DEFAULT, tmp_path)
    reason = "bubblewrap is not installed" if sys.platform == "linux" else "this system"
    assert reason in made.warning
    assert made.warning.startswith("Runs are not in a sandbox")
    with made.cell(tmp_path) as cell:
        assert cell is None
    assert {**made.visible(VARIABLES), **made.caches(tmp_path)} == VARIABLES


def test_whoever_wants_no_sandbox_is_not_warned(tmp_path: Path):
    assert sandboxes.Sandboxes(SandboxPolicy(level=SandboxLevel.OFF), tmp_path).warning == ""


@pytest.mark.parametrize("hidden", ["a/secret", "a/deep/er", "b"])
def test_landlock_shows_all_but_what_is_hidden(tmp_path: Path, hidden: str):
    for name in ("a/secret", "a/open", "a/deep/er/x", "a/deep/y", "b/z"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if not (tmp_path / name).exists():
            (tmp_path / name).touch()
    shown = list(landlock._outside(tmp_path, {tmp_path / hidden}))
    for file in (path for path in tmp_path.rglob("*") if path.is_file()):
        is_hidden = file == tmp_path / hidden or tmp_path / hidden in file.parents
        assert any(path == file or path in file.parents for path in shown) is not is_hidden
