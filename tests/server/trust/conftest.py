from __future__ import annotations

from pathlib import Path

import pytest

from pollard.oracle import CommandOracle, Criteria


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "oracle.sh").write_text("exit 0\n")
    (folder / "config.h").write_text("#define A\n")
    return folder


@pytest.fixture
def oracle(workspace):
    return CommandOracle(
        ("{workspace}/oracle.sh", "{file}"),
        name="crash",
        criteria=Criteria(exit_code=(1,)),
        files=(Path("config.h"),),
        workspace=workspace,
    )
