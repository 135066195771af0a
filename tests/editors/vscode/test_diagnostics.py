"""*Reduce to this diagnostic* on squiggles of VS Code's own TypeScript, with a real `tsc`, and JSON.

`test_real_tools.py` does the same each time with squiggles of other tools.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.steps import accept_diagnostic, consent, wait_done
from tests.editors.vscode.waiting import wait_for

pytestmark = pytest.mark.editors

TEXT = """\
interface Order { items: string[] }

function total(order: Order): number {
  return order.items.length * price;
}
"""
JSON = """\
[
  "tea",
  {"id": 3},]
"""
TITLE = "Reduce to this diagnostic: TypeScript 2304"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A project with a compiler of its own and its settings, and none of Pollard."""
    programs = tmp_path / "orders" / "node_modules" / ".bin"
    programs.mkdir(parents=True)
    compiler = shutil.which("tsc")
    assert compiler, "tsc is not installed (Debian's package is node-typescript)"
    (programs / "tsc").symlink_to(compiler)
    (tmp_path / "orders" / "tsconfig.json").write_text('{ "compilerOptions": { "strict": true } }')
    file = tmp_path / "orders" / "orders.ts"
    file.write_text(TEXT)
    return file


@pytest.mark.exhaustive
def test_a_squiggle_shrinks_to_its_cause_in_three_interactions(
    open_window: Opener, file: Path, pictures: Pictures
) -> None:
    """The action, the message, which could be edited, and the consent; the original comes back."""
    window = open_window(file, own=True)
    place = (3, TEXT.splitlines()[3].index("price") + 1)
    window.select(place, place)
    window.act(TITLE, before=lambda: pictures.take(window.page, "diagnostic"))
    accept_diagnostic(window, "typescript:2304 Cannot find name ….")
    consent(window)
    wait_done(window)
    assert window.text.strip().rstrip(";").isidentifier()
    window.pollard("Restore Original")
    wait_for("the original", lambda: window.text == TEXT)


def test_what_only_vs_code_knows_is_asked_of_vs_code(open_window: Opener, tmp_path: Path) -> None:
    """JSON's own language server. No command runs, and the candidates get no tabs."""
    file = tmp_path / "orders" / "orders.json"
    file.parent.mkdir()
    file.write_text(JSON)
    window = open_window(file, own=True)
    place = (2, JSON.splitlines()[2].index(",]"))
    window.select(place, (place[0], place[1] + 1))
    window.act("Reduce to this diagnostic: json 519")
    accept_diagnostic(window, "editor:json(519) Trailing comma")
    explained = "itself checks each candidate, in a hidden document; no command runs."
    wait_for("the explanation", lambda: window.notifications.has(explained))
    wait_done(window)
    assert re.fullmatch(r"""\[(\d|""|\{\}|\[\]),\]""", "".join(window.text.split()))
    assert [tab["label"] for tab in window.probe.ask("tabs")] == ["orders.json"]
    assert window.probe.ask("active")["uri"] == window.uri
