"""*Reduce to this diagnostic* on a squiggle of VS Code's own TypeScript, with a real `tsc`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.editors.vscode.conftest import Opener
from tests.editors.vscode.pictures import Pictures
from tests.editors.vscode.steps import consent, wait_done
from tests.editors.vscode.waiting import wait_for

pytestmark = pytest.mark.editors

TEXT = """\
interface Order { id: number; items: string[] }

function total(order: Order): number {
  return order.items.length * price;
}

const first: Order = { id: 1, items: ["tea"] };
console.log(total(first));
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


def test_a_squiggle_shrinks_to_its_cause_in_two_interactions(
    open_window: Opener, file: Path, pictures: Pictures
) -> None:
    """The action and the consent; the original comes back as after any reduction."""
    window = open_window(file)
    place = (3, TEXT.splitlines()[3].index("price") + 1)
    window.select(place, place)
    window.act(TITLE, before=lambda: pictures.take(window.page, "diagnostic"))
    consent(window)
    wait_done(window)
    assert window.text.strip().rstrip(";").isidentifier()
    window.pollard("Restore Original")
    wait_for("the original", lambda: window.text == TEXT)
