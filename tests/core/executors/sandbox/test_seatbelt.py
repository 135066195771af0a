"""macOS' sandbox is only used if it holds; a stand-in for sandbox-exec plays systems where it fails."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pollard.executors import Runner
from pollard.executors.sandbox import sandboxes, seatbelt
from pollard.executors.sandbox.sandboxes import Means, Sandboxes, means_here
from pollard.oracle import CommandOracle
from pollard.oracle.sandbox_policy import SandboxLevel, SandboxPolicy

DEFAULT = SandboxPolicy(SandboxLevel.DEFAULT)
_FAKE = Path(__file__).with_name("fake_sandbox_exec.py")


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a script called sandbox-exec on the PATH of a machine that says it is a Mac."""
    monkeypatch.setattr(sandboxes.sys, "platform", "darwin")
    monkeypatch.setattr(seatbelt, "failure", seatbelt.failure.__wrapped__)  # not remembered

    def install_script(script: str) -> None:
        place = tmp_path / "bin" / "sandbox-exec"
        place.parent.mkdir()
        place.write_text(f"#!/bin/sh\n{script}\n")
        place.chmod(0o755)
        monkeypatch.setenv("PATH", f"{place.parent}{os.pathsep}{os.environ['PATH']}")

    return install_script


@pytest.fixture
def fake(install, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Install the stand-in, and say what it does not keep programs from."""

    def install_fake(lets: str) -> None:
        install(f'exec {sys.executable} {_FAKE} "$@"')
        monkeypatch.setenv("FAKE_SANDBOX_LETS", lets)

    return install_fake


def _rules(policy: SandboxPolicy, *hidden: Path) -> list[str]:
    return seatbelt.profile(policy, Path("/runs/room"), hidden).splitlines()


def test_all_is_denied_but_what_the_profile_allows():
    rules = _rules(DEFAULT)
    assert rules[:2] == ["(version 1)", "(deny default)"]
    written = [rule for rule in rules if "file-write" in rule]
    assert written == [
        *(f'(allow file-write-data file-ioctl (literal "/dev/{name}"))' for name in _DEVICES),
        '(allow file-read* file-write* (subpath "/runs/room"))',
    ]
    assert "(allow signal (target same-sandbox))" in rules
    assert not any("network" in rule for rule in rules)


_DEVICES = ("null", "zero", "dtracehelper")


def test_secrets_are_denied_before_what_the_user_allows():
    policy = SandboxPolicy(
        SandboxLevel.DEFAULT, read=(Path("/h/.ssh/config"),), write=(Path("/h/w"),), network=True
    )
    rules = _rules(policy, Path("/h/.ssh"))
    everything, hidden, shown, written, network = (
        rules.index(rule)
        for rule in (
            "(allow file-read* file-map-executable)",
            '(deny file-read* (subpath "/h/.ssh"))',
            '(allow file-read* (subpath "/h/.ssh/config"))',
            '(allow file-read* file-write* (subpath "/h/w"))',
            "(allow network* system-socket)",
        )
    )
    assert everything < hidden < shown < written < network


def test_a_path_cannot_end_its_rule(tmp_path: Path):
    strange = tmp_path / 'a") (allow default) ("\\'
    (rule,) = [rule for rule in _rules(DEFAULT, strange) if rule.startswith("(deny file-read*")]
    (quoted,) = re.findall(r'^\(deny file-read\* \(subpath "((?:[^"\\]|\\.)*)"\)\)$', rule)
    assert re.sub(r"\\(.)", r"\1", quoted) == str(strange)


def test_links_are_followed_since_the_kernel_does(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert f'(deny file-read* (subpath "{tmp_path}/real"))' in _rules(DEFAULT, tmp_path / "link")


def test_the_strict_level_shows_the_way_to_what_it_shows():
    policy = SandboxPolicy(SandboxLevel.STRICT, read=(Path("/h/me/code"),))
    rules = _rules(policy, Path("/h/me"))
    way = '(allow file-read-metadata (literal "/h/me"))'
    assert rules.index('(deny file-read* (subpath "/h/me"))') < rules.index(way)


BROKEN = {
    "it ignores the profile": ('shift 3; exec "$@"', "change files of others"),
    "it refuses": ("echo sandbox_apply: Operation not permitted >&2; exit 71", "sandbox_apply: Op"),
    "it says nothing": ("exit 65", "did not let a program work: 65"),
    "it pretends": ("echo alive; exit 0", "did not let a program work: 0"),
    "it is broken": ("exec /no/such/program", "did not let a program work"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_sandbox_that_does_not_hold_is_not_used(install, tmp_path: Path, case: str):
    script, reason = BROKEN[case]
    install(script)
    made = Sandboxes(DEFAULT, tmp_path)
    assert made.means is Means.NOTHING
    assert made.warning.startswith(
        "Runs are not in a sandbox, and may do whatever you may do: sandbox-"
    )
    assert reason in made.warning
    assert len(made.warning.splitlines()) == 1


def test_a_mac_without_sandbox_exec_has_no_sandbox(install, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    assert means_here() == (Means.NOTHING, "sandbox-exec is not installed")


def test_on_windows_one_sentence_says_that_there_is_no_sandbox(monkeypatch, tmp_path: Path):
    monkeypatch.setattr(sandboxes.sys, "platform", "win32")
    warning = Sandboxes(DEFAULT, tmp_path).warning
    assert warning.startswith("Runs are not in a sandbox, and may do whatever you may do: ")
    assert warning.endswith(".")
    assert warning.count(". ") == 0


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("lets", "reason"),
    [
        ("", ""),
        ("files", "change files of others"),
        ("secrets", "shows secrets"),
        ("signals", "signal others"),
        ("network", "reach the network or sockets"),
        ("nothing", "did not let a program work"),
        ("everything", "change files of others"),
    ],
)
def test_the_trial_finds_what_a_sandbox_does_not_hold(fake, lets: str, reason: str):
    fake(lets)
    assert reason in seatbelt.failure()
    assert (means_here()[0] is Means.SEATBELT) is (reason == "")


@pytest.mark.sandbox
def test_runs_take_place_in_it(fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    fake("")
    monkeypatch.setenv("SERVICE_TOKEN", "secret")
    monkeypatch.setattr(sandboxes.sys, "platform", "linux")  # only for the choice of the sandbox
    monkeypatch.setattr(sandboxes, "means_here", lambda: (Means.SEATBELT, ""))
    allowed, denied = tmp_path / "allowed", tmp_path / "denied"
    allowed.mkdir()
    oracle = CommandOracle(
        ("sh", "{file}"), sandbox=SandboxPolicy(SandboxLevel.DEFAULT, write=(allowed,))
    )
    with Runner(oracle, "case.sh", timeout=20.0) as runner:
        assert runner.sandbox_warning == ""
        script = f'echo "$SERVICE_TOKEN"; touch own {allowed}/new && touch {denied}; exit 7'
        run = runner.run(script.encode(), capture=True)
    assert (run.exit_code, run.stdout) == (7, b"\n")
    assert (allowed / "new").exists()
    assert not denied.exists()
