"""The configurations in the documentation, as a user would copy them."""

from __future__ import annotations

import re
from pathlib import Path

_PAGE = Path(__file__).parents[3] / "docs" / "editors" / "neovim.md"


def snippet(heading: str) -> str:
    """Return the first block of Lua under a heading of the page."""
    section = re.split(rf"^#+ {re.escape(heading)}$", _PAGE.read_text(), flags=re.MULTILINE)[1]
    found = re.search(r"^```lua\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found, f"no Lua under {heading!r}"
    return found[1]
