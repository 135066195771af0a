"""Which settings apply to a document, and which layer they come from."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from pollard.settings import PreprocessingSettings, SettingsError
from pollard_server.configuration import EDITOR, EXTENSION_KEYS, OPTIONS
from tests.server.configuration.settings_client import UNANSWERED, Desk, FakeClient

TOML = 'checks = 2\njobs = 3\n[oracles.file]\ncommand = "from-file {file}"\n'


@pytest.fixture
def workspace(tmp_path):
    folder = tmp_path / "ws"
    (folder / "src").mkdir(parents=True)
    (folder / "pollard.toml").write_text(TOML)
    return folder.resolve()


def test_later_layers_win_and_oracles_are_merged_by_name(workspace):
    desk = Desk(
        {"checks": 6, "oracles": {"answered": {"command": "d"}}},
        options={"checks": 4, "jobs": 4, "oracles": {"initial": {"command": "b"}}},
    )
    desk.configuration.pushed({"pollard": {"checks": 5, "oracles": {"pushed": {"command": "c"}}}})
    found = desk.fetch(workspace / "src" / "a.c")
    assert (found.settings.checks, found.settings.jobs) == (6, 4)
    assert {name: found.origin_of(name) for name in found.settings.oracles} == {
        "file": str(workspace / "pollard.toml"),
        "initial": OPTIONS,
        "pushed": EDITOR,
        "answered": EDITOR,
    }
    assert found.file == workspace / "pollard.toml"
    assert found.settings.workspace == workspace


def test_the_editor_switches_off_parts_of_the_preprocessing(workspace):
    """Key by key, as with `stream`: the file's other keys stay."""
    (workspace / "pollard.toml").write_text("learn_invalid = true\n[preprocessing]\nhide = false\n")
    settings = Desk({"preprocessing": {"squeeze": False}}).fetch(workspace / "a.c").settings
    assert settings.preprocessing == PreprocessingSettings(squeeze=False, hide=False)
    assert settings.learn_invalid


def test_an_oracle_that_the_editor_redefines_is_the_editors(workspace):
    desk = Desk({"oracles": {"file": {"command": "mine"}}})
    found = desk.fetch(workspace / "a.c")
    assert found.settings.oracles["file"].command == "mine"
    assert found.origin_of("file") == EDITOR


def test_the_editor_may_choose_an_oracle_that_the_file_defines(workspace):
    assert Desk({"oracle": "file"}).fetch(workspace / "a.c").settings.oracle == "file"


@pytest.mark.parametrize(
    "value", [None, {}, {"pollard": None}, {"pollard": {}}, {"checks": None, "oracles": None}]
)
def test_unset_keys_change_nothing(workspace, value):
    desk = Desk(value, options=value)
    desk.configuration.pushed(value)
    found = desk.fetch(workspace / "a.c")
    assert found.settings == Desk().fetch(workspace / "a.c").settings
    assert found.settings.checks == 2
    assert desk.client.shown == []
    with pytest.raises(SettingsError) as caught:
        found.settings.oracle_for("c", "other")
    assert caught.value.problems[0].file == str(workspace / "pollard.toml")


def test_an_oracle_set_to_null_does_not_exist(workspace):
    desk = Desk({"oracle": "gone", "oracles": {"gone": None}})
    with pytest.raises(SettingsError, match="no oracle is called 'gone'"):
        desk.fetch(workspace / "a.c")


@pytest.mark.parametrize("wrap", [lambda table: table, lambda table: {"pollard": table}])
def test_tables_may_be_wrapped_in_the_sections_name(workspace, wrap):
    desk = Desk(can_be_asked_for_settings=False, options=wrap({"checks": 7}))
    desk.configuration.pushed(wrap({"jobs": 9}))
    settings = desk.fetch(workspace / "a.c").settings
    assert (settings.checks, settings.jobs) == (7, 9)


def test_the_extensions_own_keys_are_not_mistakes(workspace):
    desk = Desk({key: {"server": "verbose"} for key in EXTENSION_KEYS})
    desk.fetch(workspace / "a.c")
    assert desk.client.shown == []


def test_each_fetch_asks_the_editor_for_this_document(workspace):
    checks = iter([4, 5])
    desk = Desk(lambda uri: {"checks": next(checks)})
    document = workspace / "src" / "a.c"
    assert [desk.fetch(document).settings.checks for _ in range(2)] == [4, 5]
    assert desk.client.asked == [document.as_uri()] * 2
    assert all(timer.cancelled for timer in desk.client.timers)


def test_a_changed_file_is_used_by_the_next_fetch(workspace):
    desk = Desk()
    assert desk.fetch(workspace / "a.c").settings.checks == 2
    (workspace / "pollard.toml").write_text("checks = 8")
    assert desk.fetch(workspace / "a.c").settings.checks == 8


def test_an_editor_without_the_request_is_not_asked(workspace):
    desk = Desk({"checks": 9}, can_be_asked_for_settings=False)
    assert desk.fetch(workspace / "a.c").settings.checks == 2
    assert desk.client.asked == []


@pytest.mark.parametrize("answer", [RuntimeError("no"), UNANSWERED])
def test_an_editor_that_does_not_answer_leaves_what_it_pushed_in_force(workspace, answer):
    desk = Desk(answer, options={"jobs": 5})
    desk.configuration.pushed({"checks": 6})
    desk.client.timers.clear()
    future = desk.configuration.fetch((workspace / "a.c").as_uri(), [])
    if answer is UNANSWERED:
        desk.client.run_until(lambda: desk.client.asked)
        desk.client.step()  # the reading is done
        assert not future.done()
        desk.client.fire(5.0)
    desk.client.run_until(future.done)
    settings = future.result().settings
    assert (settings.checks, settings.jobs) == (6, 5)
    (line,) = desk.client.logged
    assert "settings" in line


def test_an_answer_of_the_wrong_form_is_ignored(workspace, monkeypatch):
    desk = Desk()
    plain = FakeClient.request

    def two(self, method, params):
        future = plain(self, method, params)
        future.result().append({"checks": 9})
        return future

    monkeypatch.setattr(FakeClient, "request", two)
    assert desk.fetch(workspace / "a.c").settings.checks == 2
    assert len(desk.client.logged) == 1


def test_without_a_settings_file_the_innermost_root_is_the_workspace(tmp_path):
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    section = {"oracles": {"mine": {"command": "x"}}}
    desk = Desk(section, roots=[inner.parent, inner, tmp_path / "other"])
    assert desk.fetch(inner / "src" / "a.c").settings.workspace == inner.resolve()
    assert desk.fetch(inner.parent / "a.c").settings.workspace == inner.parent.resolve()
    assert desk.fetch(tmp_path / "a.c").settings.workspace == tmp_path.resolve()
    assert desk.fetch(inner / "a.c").file is None


def test_a_text_without_a_path_gets_the_settings_of_the_first_root(workspace, tmp_path):
    desk = Desk(roots=[workspace / "src", tmp_path])
    for uri in ("untitled:Untitled-1", "git:/x/a.c?ref", "vscode-notebook-cell:/x#1", "nonsense"):
        found = desk.fetch(uri)
        assert (found.settings.checks, found.settings.workspace) == (2, workspace)
    assert Desk(roots=[tmp_path]).fetch("untitled:1").settings.workspace == tmp_path.resolve()


def test_a_text_without_a_path_and_root_gets_the_defaults():
    found = Desk({"checks": 5}).fetch("untitled:Untitled-1")
    assert (found.settings.workspace, found.file, found.settings.checks) == (None, None, 5)


def test_percent_escapes_in_uris_are_undone(tmp_path):
    folder = tmp_path / "a b#ü%20"
    folder.mkdir()
    (folder / "pollard.toml").write_text("checks = 9")
    desk = Desk()
    assert desk.fetch(folder / "c;d?.c").settings.checks == 9


def test_known_returns_the_result_of_the_last_fetch(workspace):
    desk = Desk()
    uri = (workspace / "a.c").as_uri()
    assert desk.configuration.known(uri) is None
    found = desk.fetch(workspace / "a.c")
    assert desk.configuration.known(uri) is found
    (workspace / "pollard.toml").write_text("cheks = 9")
    with pytest.raises(SettingsError) as caught:
        desk.fetch(workspace / "a.c")
    assert desk.configuration.known(uri) is None
    assert desk.configuration.known_error(uri) is caught.value


def test_several_notices_of_a_change_cause_one_fetch(workspace):
    desk = Desk()
    uri = (workspace / "a.c").as_uri()
    desk.fetch(workspace / "a.c")
    (workspace / "pollard.toml").write_text("checks = 9")
    for _ in range(5):
        desk.configuration.refresh_soon()
    desk.configuration.pushed({"jobs": 7})
    desk.client.fire(0.1)
    desk.client.run_until(lambda: desk.configuration.known(uri).settings.checks == 9)
    assert desk.configuration.known(uri).settings.jobs == 7
    assert desk.client.asked == [uri] * 2


def test_pushed_null_keeps_the_settings_pushed_before(workspace):
    desk = Desk(can_be_asked_for_settings=False)
    desk.configuration.pushed({"checks": 6})
    desk.configuration.pushed(None)
    assert desk.fetch(workspace / "a.c").settings.checks == 6


def test_an_older_fetch_that_ends_later_is_not_remembered(workspace):
    desk = Desk()
    uri = (workspace / "a.c").as_uri()
    answers = []

    def request(method, params):
        answers.append(Future())
        return answers[-1]

    desk.client.request = request
    older, newer = (desk.configuration.fetch(uri, []) for _ in range(2))
    desk.client.run_until(lambda: len(answers) == 2)
    answers[1].set_result([{"checks": 8}])
    desk.client.run_until(newer.done)
    answers[0].set_result([{"checks": 7}])
    desk.client.run_until(older.done)
    assert older.result().settings.checks == 7
    assert desk.configuration.known(uri).settings.checks == 8


def test_a_closed_document_is_forgotten_even_during_a_fetch(workspace):
    desk = Desk()
    uri = (workspace / "a.c").as_uri()
    desk.fetch(workspace / "a.c")
    future = desk.configuration.fetch(uri, [])
    desk.client.run_until(lambda: len(desk.client.asked) == 2)
    desk.configuration.forget(uri)
    desk.client.run_until(future.done)
    assert desk.configuration.known(uri) is None
    desk.configuration.refresh_soon()
    asked = len(desk.client.asked)
    desk.client.fire()
    assert len(desk.client.asked) == asked
