"""Fixtures for the tests of streaming."""

from __future__ import annotations

import pytest

from tests.server.streaming.desk import Desk
from tests.server.streaming.scenes import TEXT


@pytest.fixture
def desk() -> Desk:
    desk = Desk(TEXT)
    desk.begin()
    return desk
