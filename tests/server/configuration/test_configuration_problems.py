"""Mistakes in settings are reported once, where they are, and cleared once they are fixed."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from pollard.settings import SettingsError
from pollard_server.configuration import EDITOR, OPTIONS
from tests.server.configuration.settings_client import Desk

BROKEN = 'cheks = 2\n\n  jobs = "é𝒳"\r\n[oracles.x]\ncommand = "x"\n'


@pytest.fixture
def toml(tmp_path):
    file = tmp_path.resolve() / "pollard.toml"
    file.write_bytes(BROKEN.encode())
    return file


def refused(desk, document):
    with pytest.raises(SettingsError) as caught:
        desk.fetch(document)
    return caught.value


def test_all_problems_of_a_file_become_diagnostics_and_one_message(toml):
    desk = Desk()
    refused(desk, toml.parent / "a.c")
    first, second = desk.diagnostics(toml)
    assert first.message == "unknown key 'cheks'; did you mean 'checks'?"
    assert first.range == lsp.Range(lsp.Position(0, 0), lsp.Position(0, 9))
    assert second.range == lsp.Range(lsp.Position(2, 2), lsp.Position(2, 14))
    assert {(each.severity, each.source) for each in (first, second)} == {
        (lsp.DiagnosticSeverity.Error, "pollard")
    }
    assert desk.client.shown == [f"Pollard: 2 problems in {toml}: line 1: {first.message}"]


@pytest.mark.parametrize(
    ("encoding", "end"),
    [
        (lsp.PositionEncodingKind.Utf8, 17),
        (lsp.PositionEncodingKind.Utf16, 14),
        (lsp.PositionEncodingKind.Utf32, 13),
    ],
)
def test_ranges_are_in_the_clients_encoding(toml, encoding, end):
    desk = Desk(encoding=encoding)
    refused(desk, toml.parent / "a.c")
    assert desk.diagnostics(toml)[1].range.end == lsp.Position(2, end)


def test_the_message_is_shown_once_until_the_file_is_fixed_and_broken_again(toml):
    desk = Desk()
    refused(desk, toml.parent / "a.c")
    refused(desk, toml.parent / "b.c")
    refused(desk, toml.parent / "a.c")
    assert len(desk.client.shown) == 1
    toml.write_text("checks = 2")
    desk.fetch(toml.parent / "a.c")
    assert desk.diagnostics(toml) == []
    toml.write_text(BROKEN)
    refused(desk, toml.parent / "a.c")
    assert len(desk.client.shown) == 2


def test_a_file_without_problems_gets_no_diagnostics(toml):
    toml.write_text("checks = 2")
    desk = Desk()
    desk.fetch(toml.parent / "a.c")
    assert desk.client.published == []


def test_files_that_are_not_toml_or_not_text_are_reported_with_the_line(toml):
    desk = Desk()
    toml.write_bytes(b"checks = 2\n[[\n")
    refused(desk, toml.parent / "a.c")
    (diagnostic,) = desk.diagnostics(toml)
    assert diagnostic.message.startswith("not valid TOML")
    toml.write_bytes(b"checks = 2\n# \xff\n")
    refused(desk, toml.parent / "a.c")
    (diagnostic,) = desk.diagnostics(toml)
    assert (diagnostic.range.start.line, diagnostic.message) == (1, "is not UTF-8 text")


def test_pyproject_toml_is_reported_in_the_same_way(tmp_path):
    file = tmp_path.resolve() / "pyproject.toml"
    file.write_text("[project]\n\n[tool.pollard]\ncheks = 2\n")
    desk = Desk()
    refused(desk, tmp_path / "a.c")
    (diagnostic,) = desk.diagnostics(file)
    assert diagnostic.range.start.line == 3
    assert "1 problem in" in desk.client.shown[0]


def test_diagnostics_are_cleared_when_the_file_is_removed(toml):
    desk = Desk()
    refused(desk, toml.parent / "a.c")
    refused(desk, toml.parent / "b.c")
    toml.unlink()
    desk.fetch(toml.parent / "a.c")
    assert desk.diagnostics(toml) != []  # as far as b.c knows they hold
    desk.fetch(toml.parent / "b.c")
    assert desk.diagnostics(toml) == []


def test_diagnostics_are_cleared_with_the_last_document_of_the_file(toml):
    desk = Desk()
    for name in ("a.c", "b.c"):
        refused(desk, toml.parent / name)
    desk.configuration.forget((toml.parent / "a.c").as_uri())
    assert desk.diagnostics(toml) != []
    desk.configuration.forget((toml.parent / "b.c").as_uri())
    assert desk.diagnostics(toml) == []


def test_mistakes_in_the_editors_settings_are_one_message_each_and_no_diagnostic(tmp_path):
    desk = Desk({"cheks": 2, "jobs": 0})
    error = refused(desk, tmp_path / "a.c")
    assert sorted(desk.client.shown) == sorted(f"Pollard: {each}" for each in error.problems)
    assert any("did you mean 'checks'?" in text and EDITOR in text for text in desk.client.shown)
    assert len(desk.client.shown) == 2
    refused(desk, tmp_path / "a.c")
    refused(desk, tmp_path / "b.c")
    assert len(desk.client.shown) == 2
    assert desk.client.published == []


def test_a_message_is_shown_again_only_after_no_document_has_the_problem(tmp_path):
    desk = Desk({"cheks": 2})
    refused(desk, tmp_path / "a.c")
    refused(desk, tmp_path / "b.c")
    desk.client.section = None
    desk.fetch(tmp_path / "a.c")
    desk.client.section = {"cheks": 2}
    refused(desk, tmp_path / "a.c")
    assert len(desk.client.shown) == 1
    desk.client.section = None
    desk.fetch(tmp_path / "a.c")
    desk.configuration.forget((tmp_path / "b.c").as_uri())
    desk.client.section = {"cheks": 2}
    refused(desk, tmp_path / "a.c")
    assert len(desk.client.shown) == 2


@pytest.mark.parametrize("value", [[], "x", 3, True, {"pollard": [1]}])
def test_a_section_that_is_not_a_table_is_reported_once(tmp_path, value):
    desk = Desk(can_be_asked_for_settings=False, options=value)
    if not value:
        desk.configuration.pushed(value)
    refused(desk, tmp_path / "a.c")
    refused(desk, tmp_path / "a.c")
    (message,) = desk.client.shown
    assert message.endswith("the section 'pollard' must be a table of settings")
    assert (OPTIONS if value else EDITOR) in message


def test_a_problem_of_the_editor_does_not_blame_the_file(toml):
    toml.write_text("checks = 2")
    desk = Desk({"oracle": "none"})
    refused(desk, toml.parent / "a.c")
    assert desk.client.published == []
    assert "no oracle is called 'none'" in desk.client.shown[0]


def test_a_broken_file_is_reported_before_its_possible_consequences(toml):
    desk = Desk({"oracle": "file"})
    refused(desk, toml.parent / "a.c")
    assert len(desk.diagnostics(toml)) == 2
    assert len(desk.client.shown) == 1
