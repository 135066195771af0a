"""A disk that hangs blocks neither the loop nor readers of other disks."""

from __future__ import annotations

import threading

import pytest

from pollard.settings import SettingsError
from pollard_server.configuration import reading
from pollard_server.configuration.reading import SettingsReader
from tests.server.configuration.settings_client import PATIENCE, Desk


class Disk:
    """A disk that blocks all readers of `folder` until `answer` is set."""

    def __init__(self, folder, monkeypatch):
        self.answer = threading.Event()
        self.entered = threading.Semaphore(0)
        self.readings = 0
        find = reading.find_settings

        def slow(start):
            if start.is_relative_to(folder):
                self.readings += 1
                self.entered.release()
                assert self.answer.wait(PATIENCE)
            return find(start)

        monkeypatch.setattr(reading, "find_settings", slow)


@pytest.fixture
def dead(tmp_path, monkeypatch):
    (tmp_path / "dead").mkdir()
    disk = Disk(tmp_path / "dead", monkeypatch)
    yield disk
    disk.answer.set()


def test_a_disk_that_does_not_answer_is_an_error_in_time_and_others_go_on(tmp_path, dead):
    desk = Desk()
    future = desk.configuration.fetch((tmp_path / "dead" / "a.c").as_uri(), [])
    desk.client.run_until(lambda: desk.client.timers)
    assert desk.fetch(tmp_path / "b.c").settings.checks == 3
    desk.client.fire(5.0)
    with pytest.raises(SettingsError, match="could not be read within 5 s"):
        future.result(timeout=0)


def test_a_late_reading_changes_nothing_any_more(tmp_path, dead):
    desk = Desk()
    uri = (tmp_path / "dead" / "a.c").as_uri()
    future = desk.configuration.fetch(uri, [])
    desk.client.run_until(lambda: desk.client.timers)
    desk.client.fire(5.0)
    error = future.exception(timeout=0)
    dead.answer.set()
    assert desk.fetch(tmp_path / "dead" / "b.c")  # read after it in the same thread
    assert desk.configuration.known_error(uri) is error


def test_requests_while_a_folder_is_read_share_one_fresh_reading(tmp_path, dead):
    documents = [tmp_path / "dead" / f"{number}.c" for number in range(20)]
    reading = SettingsReader()
    futures = [reading.read(documents[0], ())]
    assert dead.entered.acquire(timeout=PATIENCE)
    futures += [reading.read(document, ()) for document in documents[1:]]
    (tmp_path / "dead" / "pollard.toml").write_text("checks = 9")
    dead.answer.set()
    assert {future.result(PATIENCE).settings.checks for future in futures[1:]} == {9}
    assert dead.readings == 2


def test_an_error_in_reading_reaches_all_who_wait(tmp_path, monkeypatch):
    def broken(_):
        raise ZeroDivisionError

    monkeypatch.setattr(reading, "find_settings", broken)
    with pytest.raises(ZeroDivisionError):
        Desk().fetch(tmp_path / "a.c")


def test_a_folder_that_cannot_be_searched_is_an_error(tmp_path, monkeypatch):
    def broken(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(reading, "find_settings", broken)
    desk = Desk()
    with pytest.raises(SettingsError, match="cannot be searched for settings"):
        desk.fetch(tmp_path / "a.c")
    assert len(desk.client.shown) == 1


def test_no_thread_is_left_when_all_is_read(tmp_path):
    desk = Desk()
    for number in range(5):
        desk.fetch(tmp_path / f"{number}.c")
    for thread in threading.enumerate():
        if thread.name == "settings":
            thread.join(PATIENCE)
    assert not [thread for thread in threading.enumerate() if thread.name == "settings"]
