"""The demo's output: drawings on a terminal, and lines elsewhere."""

from __future__ import annotations

import io

import pytest
from lsprotocol import types as lsp
from rich.console import Console

from pollard_server.demo import show
from pollard_server.demo.editor import Changed, Listener
from pollard_server.demo.script import script
from pollard_server.demo.show import View
from pollard_server.protocol.notifications import ProgressParams, State

_ASKED = lsp.ShowMessageRequestParams(
    lsp.MessageType.Warning,
    "May it run?\n    python -I '{file}'\nIt is the oracle.",
    [lsp.MessageActionItem("Run once"), lsp.MessageActionItem("No")],
)
_WARNING = lsp.ShowMessageParams(lsp.MessageType.Warning, "Oh!")


def _figures(state: State = "reducing", **given: object) -> ProgressParams:
    fields = {"id": "reduction-1", "uri": "file:///orders.py", "bytes": 1, "original_bytes": 2}
    return ProgressParams(state=state, **{**fields, **given})  # type: ignore[arg-type]


_WORKING = _figures(runs=7, rate=3.5, seconds=2.0, pass_="hddh level 3")


def _drawn(view: View, height: int) -> list[str]:
    console = Console(width=72, height=height, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(view)
    return capture.get().splitlines()


def test_the_view_fits_the_terminal_and_keeps_the_latest_cut_in_sight() -> None:
    lines = [f"number_{line} = {line}\n" for line in range(200)]
    original = "".join(lines).encode()
    view = View(original)
    assert len(_drawn(view, 20)) < 20
    assert "number_0" in "\n".join(_drawn(view, 20))
    del lines[120:130]
    for news in (_ASKED, _WORKING, Changed("".join(lines).encode())):
        view(news)
    drawn = "\n".join(_drawn(view, 20))
    assert len(drawn.splitlines()) < 20
    assert "190 of 200 lines" in drawn
    assert "number_119" in drawn
    assert "number_130" in drawn
    assert "hddh level 3" in drawn
    assert "7 runs" in drawn


def test_the_view_shows_the_state_before_the_first_reduction() -> None:
    view = View(script())
    assert "starting the language server" in "\n".join(_drawn(view, 20))
    view(_figures("checking"))
    assert "checking the oracle" in "\n".join(_drawn(view, 20))


def test_the_view_always_shows_the_consent() -> None:
    view = View(script())
    for news in (_ASKED, _WORKING):
        view(news)
    drawn = "\n".join(_drawn(view, 20))
    assert 'An editor asks first; here "Run once" allowed' in drawn
    assert "python -I '{file}'" in drawn


def test_the_view_survives_terminals_of_any_height() -> None:
    view = View(script())
    view(_ASKED)
    for height in (1, 2, 5, 500):
        assert _drawn(view, height)


def test_the_view_can_be_drawn_in_ascii_alone() -> None:
    view = View(script())
    for news in (_ASKED, _WORKING, Changed(script()[100:])):
        view(news)
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    Console(file=stream, width=40, height=20, force_terminal=True).print(view)
    stream.flush()
    assert "hddh level 3" in stream.buffer.getvalue().decode("ascii")  # type: ignore[attr-defined]


def _show(
    monkeypatch: pytest.MonkeyPatch, *, live: bool, text: bytes, figures: ProgressParams | None
) -> tuple[int, str]:
    """Show an invented reduction to a text, with those last figures, on a console of 100 columns."""

    def drive(listener: Listener, **_: object) -> ProgressParams | None:
        told = (_figures("checking"), _ASKED, Changed(script()[100:]), _WORKING, _WARNING)
        for news in (*told, Changed(text)):
            listener(news)
        return figures

    monkeypatch.setattr(show, "drive", drive)
    stream = io.StringIO()
    console = Console(file=stream, width=100, height=30, force_terminal=live)
    return show.run(console), stream.getvalue()


@pytest.mark.parametrize("live", [False, True])
def test_question_warnings_result_and_figures_stay_on_the_screen(
    live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = _figures("done", runs=994, seconds=12.0, guarded=859)
    code, shown = _show(monkeypatch, live=live, text=b"settle()\n", figures=done)
    assert code == 0
    *_, after = shown.rpartition("\x1b[2K")  # where the live picture was wiped away
    assert "    python -I '{file}'" in shown
    assert "    [Run once]  [No]" in shown
    assert 'The demo answers "Run once".' in shown
    assert "Oh!" in shown
    assert "What matters of orders.py" in after
    assert "settle" in after
    assert "was run 994 times in 12 s; 859 more candidates" in after
    assert ("last cut: 100 B here" in shown) is live
    assert ("  3754 bytes      7 runs  hddh level 3\n" in shown) is not live


@pytest.mark.parametrize("live", [False, True])
def test_a_reduction_that_was_stopped_shows_the_best_so_far(
    live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = _figures("stopped")
    code, shown = _show(monkeypatch, live=live, text=b"best()\n", figures=figures)
    assert code == 130
    assert "The best so far" in shown


@pytest.mark.parametrize("figures", [None, _figures("stopped")])
def test_stopping_before_the_first_reduction_is_reported(
    figures: ProgressParams | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, shown = _show(monkeypatch, live=False, text=script(), figures=figures)
    assert code == 130
    assert "Stopped before the first reduction." in shown
