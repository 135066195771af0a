"""Texts that came from a workspace, shown to a user so that nothing in them can hide."""

from __future__ import annotations

import re

# Blank or without width although Python calls them printable: fillers, the empty Braille pattern,
# joiners and variation selectors (those that Unicode calls default-ignorable and more).
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f"
    "\U000e0100-\U000e01ef]"
)
# Long runs push what follows out of the window.
_MANY_SPACES = re.compile(r" {21,}")
_MANY_LINES = re.compile(r"\n(?:[ ]*\n){3,}")
# Some editors turn [text](address) in a message into a link that shows the text only.
_LINK = re.compile(r"\](?=\()")


def visible_lines(text: str) -> str:
    """Return `text` as indented lines, with every other invisible character by its number."""
    counted = _MANY_LINES.sub(lambda run: f"\n<{run[0].count(chr(10)) - 1} empty lines>\n", text)
    return "\n".join(f"    {visible(line)}" for line in counted.split("\n"))


def visible(text: str) -> str:
    """Return `text` in one line, each invisible character by its number: `<U+202E>`."""
    line = "".join(char if _is_visible(char) else f"<U+{ord(char):04X}>" for char in text)
    line = _MANY_SPACES.sub(lambda run: f"<{len(run[0])} spaces>", line)
    return _LINK.sub("<U+005D>", line)


def _is_visible(char: str) -> bool:
    return char.isprintable() and not _BLANK.match(char)
