"""Starting points for tests of the streamer: three texts, and a desk with one edit in flight."""

from __future__ import annotations

import pytest

from tests.server.streaming.desk import Desk
from tests.server.streaming.editors import EMACS, NEOVIM, VS_CODE, VS_CODE_CRLF, Temperament

TEXT = "one\ntwo\nthree\nfour\n"
SHORTER = "one\nthree\nfour\n"
SHORTEST = "three\n"

EVERY = pytest.mark.parametrize(
    "temperament", [VS_CODE, VS_CODE_CRLF, NEOVIM, EMACS], ids=lambda each: each.name
)


def in_flight(temperament: Temperament = VS_CODE) -> Desk:
    """A desk with one edit in flight, which the editor has not handled yet."""
    desk = Desk(TEXT, temperament)
    desk.begin()
    desk.streamer.offer(SHORTER)
    assert len(desk.client.requests) == 1
    return desk
