"""The paths that URIs of an editor name."""

from __future__ import annotations

from pathlib import PureWindowsPath

import pytest

from pollard_server.text import uris
from pollard_server.text.uris import path_of


@pytest.mark.parametrize(
    "uri",
    ["untitled:/x/a.c", "http://host/a.c", "file:", "file:a.c", "", "file://[", "file:///a%00b"],
)
def test_uris_without_a_path_on_this_machine_have_none(uri):
    assert path_of(uri) is None


def test_windows_drive_letters_are_paths_on_windows_only(monkeypatch):
    assert path_of("file:///c%3A/x/a.c") is None
    monkeypatch.setattr("pygls.uris.IS_WIN", True)
    monkeypatch.setattr(uris, "Path", PureWindowsPath)
    assert path_of("file:///C%3A/x%20y/a.c") == PureWindowsPath("c:\\x y\\a.c")
