"""Random interleavings of a user, an editor and a reduction: no key is ever lost.

`model.py` says what each step does and what must hold after it.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from tests.server.streaming.editors import EMACS, NEOVIM, VS_CODE, VS_CODE_CRLF, Temperament
from tests.server.streaming.model import ACTIONS, Action, Model

_steps = st.lists(st.tuples(st.sampled_from(ACTIONS), st.integers(0, 400)), max_size=70)


@pytest.mark.parametrize(
    "temperament", [VS_CODE, VS_CODE_CRLF, NEOVIM, EMACS], ids=lambda each: each.name
)
@examples(1000)
@given(steps=_steps)
def test_no_key_is_lost_and_no_foreign_text_is_written_to(
    temperament: Temperament, steps: list[tuple[Action, int]]
) -> None:
    model = Model(temperament)
    for act, number in steps:
        act(model, number)
        model.check()
    model.finish()
