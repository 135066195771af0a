"""Foreign changes: every change that is not the stream's own."""

from __future__ import annotations

import pytest

from pollard_server.streaming import ForeignChange
from pollard_server.streaming.stream import Snapshot
from tests.server.streaming.desk import Desk
from tests.server.streaming.editors import EMACS, NEOVIM, VS_CODE, Temperament
from tests.server.streaming.scenes import EVERY, SHORTER, SHORTEST, TEXT, in_flight


class TestForeignChanges:
    @EVERY
    def test_a_keystroke_stops_streaming_at_once(self, temperament: Temperament) -> None:
        desk = in_flight(temperament)
        desk.settle()
        desk.editor.type("x", 3)
        desk.publish()
        assert desk.foreign == [ForeignChange.CHANGED]
        assert desk.streamer.foreign
        desk.streamer.offer(SHORTEST)
        desk.client.advance(10)
        assert len(desk.client.requests) == 1

    @EVERY
    def test_undoing_an_edit_is_the_users_change(self, temperament: Temperament) -> None:
        desk = in_flight(temperament)
        desk.settle()
        desk.editor.undo()
        desk.publish()
        assert desk.foreign == [ForeignChange.CHANGED]

    @EVERY
    def test_a_keystroke_that_crosses_with_an_edit_survives(self, temperament: Temperament) -> None:
        desk = in_flight(temperament)
        desk.editor.type("x", 5)
        desk.settle()
        desk.client.advance(10)
        assert len(desk.foreign) == 1
        assert "x" in desk.editor.text
        assert desk.editor.states == []

    @EVERY
    def test_a_keystroke_merged_with_an_edit_is_noticed(self, temperament: Temperament) -> None:
        desk = in_flight(temperament)
        desk.editor.take_request()
        desk.editor.type("x", 0)
        desk.settle()
        assert desk.foreign == [ForeignChange.CHANGED]
        assert desk.streamer.snapshot.text == desk.editor.text

    @EVERY
    def test_an_undo_merged_with_an_edit_is_respected(self, temperament: Temperament) -> None:
        """The text is the same as before but the version is new; the edit must not be sent again."""
        desk = in_flight(temperament)
        desk.editor.take_request()
        desk.editor.undo()
        desk.settle()
        desk.client.advance(10)
        assert desk.foreign == [ForeignChange.LOST]
        assert len(desk.client.requests) == 1

    @pytest.mark.parametrize("temperament", [VS_CODE, EMACS], ids=lambda each: each.name)
    def test_a_refusal_or_an_error_is_foreign(self, temperament: Temperament) -> None:
        desk = in_flight(temperament)
        desk.editor.type("x", 0)
        desk.editor.take_request()
        desk.deliver()
        assert desk.foreign == [ForeignChange.REFUSED]
        desk.settle()
        assert desk.foreign == [ForeignChange.REFUSED]

    def test_a_yes_without_the_text_is_lost_after_the_grace_period(self) -> None:
        desk = in_flight(NEOVIM)
        desk.editor.type("x", 0)
        desk.editor.take_request()
        desk.deliver()
        desk.client.advance(4.9)
        assert desk.foreign == []
        desk.client.advance(0.2)
        assert desk.foreign == [ForeignChange.LOST]

    def test_there_is_no_limit_to_how_long_an_answer_takes(self) -> None:
        """Emacs can be configured to ask its user first."""
        desk = in_flight(EMACS)
        desk.client.advance(3600)
        desk.settle()
        assert desk.foreign == []
        assert desk.streamer.snapshot.text == SHORTER

    def test_a_refusal_is_foreign_even_if_the_text_came(self) -> None:
        """The user's undo can lead to exactly the text of the edit."""
        desk = in_flight()
        desk.streamer.changed(Snapshot(2, SHORTER))
        desk.client.requests[0].answer.set_exception(RuntimeError("the version is out of date"))
        assert desk.foreign == [ForeignChange.REFUSED]

    def test_a_foreign_change_is_reported_once_and_begin_forgets_it(self, desk: Desk) -> None:
        for key in "xyz":
            desk.editor.type(key, 0)
            desk.publish()
        assert desk.foreign == [ForeignChange.CHANGED]
        desk.begin()
        assert not desk.streamer.foreign
        desk.streamer.offer("zyx" + SHORTER)
        desk.settle()
        assert desk.editor.text == "zyx" + SHORTER

    def test_changes_after_the_end_are_not_reported(self, desk: Desk) -> None:
        desk.streamer.end()
        desk.editor.type("x", 0)
        desk.publish()
        assert desk.foreign == []
        assert not desk.streamer.foreign
        assert desk.streamer.snapshot.text == "x" + TEXT

    def test_the_callback_may_begin_again_at_once(self) -> None:
        desk = in_flight()
        desk.flush()
        desk.streamer.begin(lambda _: desk.begin())
        desk.streamer.flush(desk.flushed.append)
        desk.settle()
        desk.editor.type("x", 0)
        desk.publish()
        assert not desk.streamer.foreign
        assert desk.flushed == [False, True]
