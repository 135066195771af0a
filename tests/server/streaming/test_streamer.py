"""When edits are sent, when they count as applied, and which changes are foreign."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from pollard_server.streaming import ForeignChange
from pollard_server.streaming.stream import Snapshot
from pollard_server.text.text_edits import shows
from tests.server.streaming.desk import Desk
from tests.server.streaming.editors import EMACS, NEOVIM, VS_CODE, VS_CODE_CRLF, Temperament
from tests.server.streaming.scenes import EVERY, SHORTER, SHORTEST, TEXT, in_flight


class TestSending:
    def test_the_first_text_is_sent_at_once(self, desk: Desk) -> None:
        desk.streamer.offer(SHORTER)
        desk.settle()
        assert desk.editor.text == SHORTER
        assert desk.streamer.snapshot == Snapshot(2, SHORTER)

    def test_within_the_interval_only_the_newest_is_kept(self, desk: Desk) -> None:
        for text in (SHORTER, "one\nthree\n", SHORTEST):
            desk.streamer.offer(text)
            desk.settle()
        assert desk.editor.states == [SHORTER]
        desk.client.advance(0.24)
        assert not desk.editor.inbox
        desk.client.advance(0.02)
        desk.settle()
        assert desk.editor.states == [SHORTER, SHORTEST]

    def test_the_next_edit_waits_for_answer_and_text_of_the_last(self) -> None:
        desk = in_flight()
        desk.streamer.offer(SHORTEST)
        desk.client.advance(1)
        desk.editor.take_request()
        desk.deliver()
        assert len(desk.client.requests) == 1
        desk.publish()
        assert len(desk.client.requests) == 2

    def test_a_text_seen_before_its_answer_waits_for_the_answer(self) -> None:
        desk = in_flight()
        desk.streamer.offer(SHORTEST)
        desk.client.advance(1)
        desk.editor.take_request(publish_first=True)
        desk.deliver()
        assert desk.streamer.snapshot.text == SHORTER
        assert len(desk.client.requests) == 1
        desk.deliver()
        assert len(desk.client.requests) == 2

    def test_a_text_that_the_buffer_already_has_is_not_sent(self, desk: Desk) -> None:
        desk.streamer.offer(TEXT)
        assert desk.client.requests == []

    def test_edits_carry_no_label_and_the_version_as_published(self) -> None:
        desk = in_flight(NEOVIM)
        desk.settle()
        desk.streamer.offer(SHORTEST)
        desk.client.advance(1)
        assert desk.versions == [1, 3]
        assert desk.client.requests[0].params.label is None

    def test_nothing_is_sent_before_begin_or_after_end(self) -> None:
        desk = Desk(TEXT)
        desk.streamer.offer(SHORTER)
        desk.begin()
        desk.streamer.end()
        desk.streamer.offer(SHORTER)
        desk.client.advance(10)
        assert desk.client.requests == []

    def test_a_client_that_takes_no_edits_is_sent_none(self, desk: Desk) -> None:
        desk.client.can_apply_edits = False
        desk.flush()
        desk.streamer.offer(SHORTER)
        desk.flush()
        assert desk.flushed == [True, False]
        assert desk.client.requests == []
        assert not desk.streamer.foreign


class TestFlushing:
    def test_flush_is_done_at_once_if_there_is_nothing_to_do(self, desk: Desk) -> None:
        desk.flush()
        assert desk.flushed == [True]

    def test_flush_does_not_wait_for_the_interval(self, desk: Desk) -> None:
        desk.streamer.offer(SHORTER)
        desk.settle()
        desk.streamer.offer(SHORTEST)
        desk.flush()
        assert desk.flushed == []
        desk.settle()
        assert desk.flushed == [True]
        assert desk.editor.text == SHORTEST

    def test_unless_live_nothing_is_sent_before_flush(self) -> None:
        desk = Desk(TEXT)
        desk.begin(live=False)
        desk.streamer.offer(SHORTER)
        desk.streamer.offer(SHORTEST)
        desk.client.advance(10)
        assert desk.client.requests == []
        desk.flush()
        desk.settle()
        assert desk.flushed == [True]
        assert desk.editor.states == [SHORTEST]

    def test_flush_waits_for_the_edit_in_flight(self) -> None:
        desk = in_flight()
        desk.flush()
        desk.editor.take_request()
        desk.deliver()
        assert desk.flushed == []
        desk.publish()
        assert desk.flushed == [True]

    def test_flush_fails_when_the_user_types(self) -> None:
        desk = in_flight()
        desk.flush()
        desk.editor.type("x", 0)
        desk.publish()
        assert desk.flushed == [False]

    def test_flush_fails_when_the_document_is_closed_or_given_back(self, desk: Desk) -> None:
        desk.streamer.offer(SHORTER)
        desk.flush()
        desk.streamer.closed()
        desk.flush()
        assert desk.flushed == [False, False]

    def test_flush_fails_when_the_client_is_gone(self) -> None:
        desk = in_flight()
        desk.flush()
        desk.client.requests[0].answer.cancel()
        assert desk.flushed == [False]
        assert desk.foreign == []

    def test_the_callback_of_flush_may_begin_again(self, desk: Desk) -> None:
        desk.streamer.offer(SHORTER)
        desk.streamer.flush(lambda _: desk.begin())
        desk.settle()
        desk.streamer.offer(SHORTEST)
        desk.client.advance(1)
        desk.settle()
        assert desk.editor.text == SHORTEST


class TestVersions:
    @EVERY
    def test_a_new_version_of_the_same_text_is_not_a_change(self, temperament: Temperament) -> None:
        desk = Desk(TEXT, temperament)
        desk.begin()
        desk.editor.touch()
        desk.publish()
        desk.streamer.offer(desk.editor.text.replace("two", ""))
        assert desk.foreign == []
        assert desk.versions == [desk.editor.version]

    @pytest.mark.parametrize("temperament", [VS_CODE, EMACS], ids=lambda each: each.name)
    def test_an_edit_refused_for_its_version_alone_is_sent_again(
        self, temperament: Temperament
    ) -> None:
        desk = in_flight(temperament)
        desk.editor.touch()
        desk.publish()
        desk.settle()
        desk.client.advance(1)
        desk.settle()
        assert desk.editor.text == SHORTER
        assert desk.foreign == []

    @pytest.mark.parametrize("version", [None, 0])
    def test_a_version_that_protects_nothing_is_sent_as_published(
        self, version: int | None
    ) -> None:
        desk = in_flight(Temperament("bare", NEOVIM.refusal, first_version=version))
        assert desk.versions == [version]
        desk.settle()
        assert desk.editor.text == SHORTER
        assert desk.foreign == []

    def test_an_edit_that_neovim_applied_to_a_newer_text_is_seen_as_foreign(self) -> None:
        neovim = Temperament("new", NEOVIM.refusal, first_version=0, never_refused=(0,))
        desk = in_flight(neovim)
        desk.editor.type("x", 0)
        desk.settle()
        assert desk.foreign == [ForeignChange.CHANGED]
        assert desk.streamer.snapshot.text == desk.editor.text


class TestStepsOfAnEdit:
    """Neovim may publish each of several edits, and an edit of the end in two steps."""

    @EVERY
    @pytest.mark.parametrize(
        ("text", "new"),
        [
            (TEXT, "two\nfour\n"),
            (TEXT, "one\ntwo\n"),
            ("one\n", TEXT),
            (TEXT, ""),
            (TEXT, "one"),
            ("one", TEXT),
            ("one\r\ntwo\n", "one\r\n"),
            ("one\ntwo\r\n", "one\n"),
            ("one\rtwo\nthree\n", "three\n"),
        ],
    )
    def test_no_half_made_edit_counts_as_the_users_change(
        self, temperament: Temperament, text: str, new: str
    ) -> None:
        desk = Desk(text, temperament)
        desk.begin()
        desk.streamer.offer(new)
        desk.flush()
        desk.settle()
        assert desk.flushed == [True]
        assert desk.foreign == []
        assert shows(desk.editor.text, new, text)

    def test_a_half_made_edit_without_its_rest_is_lost_after_the_grace_period(self) -> None:
        desk = Desk("one\ntwo\r\n", NEOVIM)
        desk.begin()
        desk.streamer.offer("one\n")
        desk.client.requests[0].answer.set_result(lsp.ApplyWorkspaceEditResult(applied=True))
        desk.streamer.changed(Snapshot(3, "one\n\n"))
        desk.client.advance(4.9)
        assert desk.foreign == []
        desk.client.advance(0.2)
        assert desk.foreign == [ForeignChange.LOST]

    def test_a_half_made_text_of_a_refused_edit_is_the_users(self) -> None:
        desk = Desk("one\ntwo\r\n", EMACS)
        desk.begin()
        desk.streamer.offer("one\n")
        desk.streamer.changed(Snapshot(1, "one\n\n"))
        desk.client.requests[0].answer.set_exception(RuntimeError("the version is out of date"))
        assert desk.foreign == [ForeignChange.REFUSED]
        assert len(desk.client.requests) == 1

    def test_a_line_typed_at_the_end_is_not_a_half_made_edit(self) -> None:
        desk = in_flight(NEOVIM)
        desk.streamer.changed(Snapshot(3, SHORTER + "\n"))
        assert desk.foreign == [ForeignChange.CHANGED]


class TestLineEnds:
    def test_an_editor_may_convert_line_ends(self) -> None:
        desk = Desk(TEXT, VS_CODE_CRLF)
        desk.begin()
        desk.streamer.offer("two\nthree\n")
        desk.flush()
        desk.settle()
        assert desk.editor.text == "two\r\nthree\r\n"
        assert desk.flushed == [True]
        desk.client.advance(10)
        assert len(desk.client.requests) == 1
        assert desk.foreign == []

    def test_an_edit_of_line_ends_only_may_have_no_effect(self) -> None:
        desk = Desk(TEXT)
        desk.begin()
        desk.streamer.offer(TEXT.replace("\n", "\r\n"))
        desk.flush()
        desk.editor.take_request()
        desk.deliver()
        desk.client.advance(10)  # the editor publishes nothing, for it changed nothing
        assert desk.flushed == [True]
        assert desk.foreign == []

    def test_converting_all_line_ends_is_the_users_change(self, desk: Desk) -> None:
        desk.streamer.changed(Snapshot(2, TEXT.replace("\n", "\r\n")))
        assert desk.foreign == [ForeignChange.CHANGED]


class TestEditsThatOutliveTheirStream:
    def test_begin_sends_nothing_until_the_last_edit_was_answered(self) -> None:
        desk = in_flight()
        desk.editor.type("x", 0)
        desk.publish()
        desk.begin()
        desk.streamer.offer("x" + SHORTEST)
        desk.client.advance(10)
        assert len(desk.client.requests) == 1
        desk.settle()
        assert desk.editor.text == "x" + SHORTEST
        assert desk.foreign == [ForeignChange.CHANGED]

    @EVERY
    def test_an_edit_that_lands_after_end_and_begin_is_still_ours(
        self, temperament: Temperament
    ) -> None:
        desk = in_flight(temperament)
        desk.streamer.end()
        desk.begin()
        desk.settle()
        assert desk.foreign == []
        desk.client.advance(10)
        assert len(desk.client.requests) == 1  # nothing was offered that would take it back
        desk.streamer.offer(SHORTEST)
        desk.settle()
        assert desk.streamer.snapshot == desk.editor.snapshot
        assert len(desk.editor.states) == 2

    def test_an_edit_in_flight_at_the_end_is_ignored(self) -> None:
        desk = in_flight(NEOVIM)
        desk.streamer.closed()
        desk.editor.type("x", 0)
        desk.settle()
        desk.client.advance(10)
        assert desk.foreign == []
        assert desk.editor.text == "x" + TEXT


def test_a_document_that_was_closed_is_not_taken_over() -> None:
    """A job that was under way may begin, or have read a text from the disk, after that."""
    desk = Desk("one\ntwo\n")
    desk.streamer.closed()
    desk.begin()
    desk.streamer.offer("one\n")
    desk.flush()
    assert desk.client.requests == []
    assert desk.flushed == [False]
