"""Whoever builds the wheel gets the same bytes, so everybody can check what was published."""

from __future__ import annotations

import sys

from tests.builds.copies import two_copies


def test_two_builds_of_the_wheel_are_equal_byte_for_byte(tmp_path):
    built = []
    for copy in two_copies(tmp_path):
        copy.run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "out")
        (wheel,) = (copy.folder / "out").glob("*.whl")
        built.append(wheel)
    assert built[0].name == built[1].name
    assert built[0].read_bytes() == built[1].read_bytes()
