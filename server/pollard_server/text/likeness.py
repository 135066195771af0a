"""When two texts are one and the same to an editor that keeps line ends in its own way."""

from __future__ import annotations


def same_text(one: str, other: str) -> bool:
    """Return whether the texts differ in their line ends at most.

    Two surrogates that have come to stand side by side are the character that they make: an editor
    that works in UTF-16 cannot tell the difference.
    """
    return one == other or _plain(one) == _plain(other)


def shows(arrived: str, expected: str, before: str) -> bool:
    """Return whether `arrived` is what an editor makes of `expected`, put in place of `before`.

    VS Code gives all lines the line end of the document. Vim's buffers end with a line end if the
    file did, and an edit cannot take that away.
    """
    if same_text(arrived, expected):
        return True
    keeps_end = before.endswith(("\n", "\r")) and not expected.endswith(("\n", "\r"))
    return keeps_end and same_text(arrived, expected + "\n")


def is_half_made(arrived: str, expected: str, before: str) -> bool:
    """Return whether `arrived` is what Neovim may tell of before it has made `expected` of `before`.

    It makes an edit that reaches the end of the document in two steps: after the first there is a line
    too many. Such an edit is sent only where no other will do, see `text_edit`.
    """
    end, new_end = _last_end(before), _last_end(expected)
    needed = end != new_end or has_lone_return(before)
    return bool(needed and end and new_end) and _plain(arrived) == _plain(expected) + "\n"


def has_lone_return(text: str) -> bool:
    r"""Return whether there is a "\r" that is not the first half of a "\r\n"."""
    return "\r" in text and text.count("\r") != text.count("\r\n")


def _last_end(text: str) -> str:
    return next((end for end in ("\r\n", "\n", "\r") if text.endswith(end)), "")


def _plain(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
