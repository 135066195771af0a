"""Only a consent that this user gave on this machine counts."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pollard.oracle import CommandOracle
from pollard_server.trust import Consents, pin


@pytest.fixture
def oracle(tmp_path):
    return CommandOracle("true", workspace=tmp_path)


@pytest.fixture
def kept(oracle):
    """Return the file of a consent to `oracle`."""
    consents = Consents()
    consents.add(pin(oracle), oracle)
    assert holds(oracle)
    return consents.directory / f"{pin(oracle)}.json"


def holds(oracle):
    return Consents().holds(pin(oracle), oracle.workspace)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b'"x"', b"{}", b'{"pin": null}', b"\xff\xfe", b"[" * 100_000],
)
def test_a_damaged_file_is_no_consent(oracle, kept, content):
    kept.write_bytes(content)
    assert not holds(oracle)


def test_a_consent_under_another_name_does_not_count(oracle, kept):
    other = CommandOracle("false", workspace=oracle.workspace)
    kept.rename(kept.with_name(f"{pin(other)}.json"))
    assert not holds(other)


def test_a_file_or_folder_that_others_may_write_to_is_no_consent(oracle, kept):
    kept.chmod(0o666)
    assert not holds(oracle)
    kept.chmod(0o600)
    assert holds(oracle)
    kept.parent.chmod(0o777)
    assert not holds(oracle)


def test_a_link_is_no_consent(oracle, kept, tmp_path):
    kept.rename(tmp_path / "moved.json")
    kept.symlink_to(tmp_path / "moved.json")
    assert not holds(oracle)


def test_a_folder_instead_of_a_consent_file_does_not_count(oracle, kept):
    kept.unlink()
    kept.mkdir()
    assert not holds(oracle)


def test_another_users_file_is_no_consent(oracle, kept, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    assert not holds(oracle)


def test_a_workspace_cannot_bring_its_own_consents(oracle, kept, tmp_path, monkeypatch):
    brought = tmp_path / ".state" / "consents"
    brought.mkdir(parents=True, mode=0o700)
    (brought / kept.name).write_bytes(kept.read_bytes())
    (brought / kept.name).chmod(0o600)
    monkeypatch.setenv("POLLARD_STATE_DIR", str(tmp_path / ".state"))
    assert not holds(oracle)
    with pytest.raises(OSError, match="inside the workspace"):
        Consents().add(pin(oracle), oracle)


def test_a_home_folder_as_workspace_may_contain_the_state_directory(tmp_path, monkeypatch):
    monkeypatch.delenv("POLLARD_STATE_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ".local" / "state"))
    oracle = CommandOracle("true", workspace=tmp_path)
    Consents().add(pin(oracle), oracle)
    assert Consents().directory.is_relative_to(tmp_path)
    assert holds(oracle)


def test_a_folder_made_by_others_tools_is_made_private(oracle):
    folder = Consents().directory
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    Consents().add(pin(oracle), oracle)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_removing_a_consent_twice_is_no_error(oracle, kept):
    Consents().remove(pin(oracle))
    Consents().remove(pin(oracle))
    assert not holds(oracle)


def test_a_consent_can_be_read_by_a_human(oracle, kept):
    assert json.loads(Path(kept).read_text())["command"] == "true"
