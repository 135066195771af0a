"""`pollard-open-report` opens a page about the reduction in the browser."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.editors.emacs.terminal import Emacs
from tests.editors.support.workspaces import failures_scene

pytestmark = pytest.mark.editors

_NO_BROWSER = "(setq browse-url-browser-function (lambda (url &rest _) (setq opened url)))"


def test_the_page_is_opened_in_the_browser(emacs: Emacs, tmp_path: Path) -> None:
    scene = failures_scene(tmp_path / "scene", {10: "needle"})
    emacs.ask(_NO_BROWSER)
    emacs.open(scene.file)
    emacs.command("pollard-reduce")
    emacs.answer("Pollard asks", "Always in this workspace")
    emacs.until_state(scene.file, "done")
    emacs.command("pollard-open-report")
    emacs.until(lambda: emacs.ask("(bound-and-true-p opened)"), "a browser")
    page = Path(unquote(urlsplit(emacs.ask("opened")).path)).read_text()
    assert "<h1>case.txt</h1>" in page
    assert "line 10 needle" in page


def test_without_a_reduction_it_says_so(emacs: Emacs, tmp_path: Path) -> None:
    scene = failures_scene(tmp_path / "scene", {10: "needle"})
    emacs.open(scene.file)
    emacs.command("pollard-eglot")
    emacs.until(lambda: emacs.ask("(and (pollard-eglot-p) t)"), "the server")
    emacs.command("pollard-open-report")
    emacs.until(lambda: "has accepted a text" in emacs.messages(), "the refusal")
