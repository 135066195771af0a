"""Whoever builds the extension gets the same bytes, so everybody can check what was published."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tests.builds.copies import two_copies
from tests.editors.vscode.packaging import installed_packages
from tests.examples import rarely

pytestmark = pytest.mark.editors


@pytest.mark.parametrize("kind", ["thin", *rarely("bundled")])
def test_two_builds_of_the_extension_are_equal_byte_for_byte(tmp_path: Path, kind: str) -> None:
    installed_packages()
    built = []
    for copy in two_copies(tmp_path):
        extension = copy.add_extension()
        copy.run(sys.executable, "scripts/bundle.py", kind, cwd=extension)
        (package,) = extension.glob("*.vsix")
        built.append(package)
    contents = [_contents(package) for package in built]
    assert [name for name in contents[0] if contents[0][name] != contents[1].get(name)] == []
    assert built[0].read_bytes() == built[1].read_bytes()


def _contents(package: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(package) as packed:
        return {name: packed.read(name) for name in packed.namelist()}
