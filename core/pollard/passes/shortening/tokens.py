"""Shorter strings, numbers, comments and operators: their characters are minimised.

The last of Vulcan's and T-Rec's ideas that keep a text readable: no token is replaced by an odd one,
characters only go; of a string with nothing in it a digit is left.
"""

from __future__ import annotations

import re
import string
from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.subject import Candidate
from pollard.passes.text.lines import keeping
from pollard.search.first import mapped
from pollard.search.sweeps import sweep
from pollard.syntax.tree.edits import Edit
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Subject
    from pollard.search.first import First


# What grammars call tokens that are not made of other tokens, and are no keywords or names.
_CONTENT = re.compile(
    "string|comment|number|integer|float|literal|text|content|char|value|escape|fragment|scalar",
    re.IGNORECASE,
)
_SIGNS = re.compile(rb"[-+*/%<>=!&|^~.:?]+")
# What a heading is underlined with, or a section is set apart by.
_ROW = re.compile(rb"([^\w\s])\1{3,}\s*")
# What comments begin and end with. Of strings the grammar knows what is between the quotes.
_QUOTES = b"\"'`"
_PUNCTUATION = string.punctuation.encode().translate(None, _QUOTES)
_WORD = re.compile(rb"\s*\S+")
_CHARACTER = re.compile(r"\r\n|.", re.DOTALL)
_EMPTY = (b'""', b"''", b"``")
_DIGIT = b"0"
# As attempts are kept, and the part of a text that is most of it: one half.
_STEP = "polish"
_PART = 2
_SHORTEST = 2
_FEW = 4
_MANY = 16
_MOST = 200
# Of a token that is most of the text so many words are tried by themselves, or rows of words.
_WORDS = 64


def polish_most(subject: Subject, again: float) -> None:
    """Minimise the characters of each token that is half of the text or more, as `polish` does.

    What resisted is visited again once `again` times less of the text is left. Four candidates for a
    comment that must stay, three for a string, more only for what becomes shorter.
    """

    def is_most(token: bytes) -> bool:
        weight = subject.weight
        heavy = _PART * size(token) >= weight
        return heavy and not subject.memory.attempts.knows(_STEP, token, again * weight)

    _polish(subject, is_most)


@declare(
    "polish",
    runs="O(n) for n characters of tokens",
    needs=Needs.SHORT_TREE,
    source="T-Rec, TOSEM 2024; Shrink Ray",
)
def polish(subject: Subject) -> None:
    """Minimise the characters of strings, numbers, comments and operators, the longest first.

    A token of which neither all nor a large part can go is left as it is: three candidates at most,
    four for a comment, seven if it has up to four characters. Of others every character is tried:
    O(n) for n. If it is half of the text or more, its words are minimised: two candidates for each at
    most, or for each of 64 rows of them. Each text of a token is visited once, and all candidates are
    shorter: so this ends. In the place of empty strings a digit is tried, one candidate for each sort
    of quotes.
    """
    _polish(subject, lambda _: True, words=True)
    if subject.is_ready_for_late_passes():
        for quotes in _EMPTY:
            _replace_all(subject, quotes, _DIGIT)


def _polish(subject: Subject, is_wanted: Callable[[bytes], bool], *, words: bool = False) -> None:
    done: set[bytes] = set()
    while subject.is_ready_for_late_passes() and _polish_one(subject, done, is_wanted, words=words):
        pass


def _polish_one(
    subject: Subject, done: set[bytes], is_wanted: Callable[[bytes], bool], *, words: bool
) -> bool:
    """Minimise tokens that were not visited yet until one becomes shorter; tell whether one did."""
    before = subject.tally.accepted
    for token, place in _tokens(subject):
        if token not in done and is_wanted(token):
            done.add(token)
            subject.memory.attempts.note(_STEP, token, subject.weight)
            _minimise(subject, token, place)
            if words and subject.tally.accepted == before and _PART * size(token) >= subject.weight:
                _minimise_words(subject, token, place)
            if subject.tally.accepted > before:
                return True
    return False


def _tokens(subject: Subject) -> list[tuple[bytes, int]]:
    """Return the tokens, each text once with the first place where it begins, the longest first."""
    base = subject.document
    found: dict[bytes, int] = {}
    for node in tokens(base.root, base.text, subject.span):
        if node.end_byte - node.start_byte >= _SHORTEST:
            found.setdefault(base.text[node.start_byte : node.end_byte], node.start_byte)
    if len(found) > _MOST:
        return []
    return sorted(found.items(), key=lambda token: (-len(token[0]), token[0]))


def tokens(root: Node, text: bytes, span: tuple[int, int]) -> Iterator[Node]:
    """Yield what may be shortened of a span (start, end), in the order of the text.

    Leaves, and nodes that have text of their own beside children; an island is a leaf.
    """
    start, end = span
    stack = [root]
    while stack:
        node = stack.pop()
        if node.end_byte <= start or node.start_byte >= end:
            continue
        stack.extend(reversed(node.children))
        inside = start <= node.start_byte and node.end_byte <= end
        if inside and _has_own_text(node, text) and _is_content(node, text):
            yield node


def _has_own_text(node: Node, text: bytes) -> bool:
    """Tell whether something but white space is in no child."""
    children = node.children
    starts = [node.start_byte, *(child.end_byte for child in children)]
    ends = [*(child.start_byte for child in children), node.end_byte]
    return any(text[start:end].strip() for start, end in zip(starts, ends, strict=True))


def _is_content(node: Node, text: bytes) -> bool:
    """Tell whether a node may be shortened: a literal, a comment, an operator or a row of signs."""
    if node.is_named and _CONTENT.search(node.type):
        return True
    signs = _ROW if node.is_named else _SIGNS
    return signs.fullmatch(text, node.start_byte, node.end_byte) is not None


def _replace_all(subject: Subject, old: bytes, new: bytes) -> None:
    """Put a text in the place of all nodes that have another one, at once."""
    base, (first, last) = subject.document, subject.span
    edits: list[Edit] = []
    waiting = [base.root] if old in base.text else []
    while waiting:
        node = waiting.pop()
        start, end = node.byte_range
        if node.is_named and base.text[start:end] == old and first <= start and end <= last:
            edits.append(Edit(start, end, new))
        else:
            waiting += node.children
    if edits:
        subject.first([Candidate(base, tuple(sorted(edits)))])


def _minimise(subject: Subject, token: bytes, place: int) -> None:
    bounds = [(place + start, place + end) for start, end in _characters(token)]
    if _is_quoted(token):
        token, bounds = token[1:-1], bounds[1:-1]
    first = mapped(subject.first, partial(keeping, subject.document, bounds))
    _by_parts(range(len(bounds)), first, _signs(token, len(bounds)))


def _minimise_words(subject: Subject, token: bytes, place: int) -> None:
    """Minimise the words of a token, each with the white space before it, or rows of many."""
    words = [(place + found.start(), place + found.end()) for found in _WORD.finditer(token)]
    first = mapped(subject.first, partial(keeping, subject.document, words))
    rest = tuple(range(len(words)))
    length = len(rest) // _FEW
    while length and _WORDS * length >= len(words):
        rest = sweep(rest, first, length, backward=True)
        length //= 2


def _is_quoted(token: bytes) -> bool:
    """Tell whether a token has its quotes, where a grammar does not tell them from what is between."""
    return len(token) > _SHORTEST and token[:1] == token[-1:] and token[:1] in _QUOTES


def _signs(token: bytes, length: int) -> tuple[int, ...]:
    """Return which characters begin and end a token that has others, too: those of a comment, say."""
    opening, closing = (_signs_at_the_start(one) for one in (token, token[::-1]))
    if not opening or opening == len(token):
        return ()
    return (*range(opening), *range(length - closing, length))


def _signs_at_the_start(text: bytes) -> int:
    return len(text) - len(text.lstrip(_PUNCTUATION))


def _characters(token: bytes) -> list[tuple[int, int]]:
    """Return where each character begins and ends, in bytes; a line end is a single one.

    Many grammars' comments end inside of a CRLF, which stays one.
    """
    text = token.removesuffix(b"\r").decode(errors="surrogateescape")
    sizes = [len(one.encode(errors="surrogateescape")) for one in _CHARACTER.findall(text)]
    return list(pairwise(accumulate(sizes, initial=0)))


def _by_parts(
    items: Sequence[int], first: First[tuple[int, ...]], signs: tuple[int, ...] = ()
) -> None:
    """Sweep with fragments of all, halves, quarters ...; go on below that only after a success.

    Of a few characters each is tried in any case; of more, but not many, one half tells enough. Of
    many a quarter at either end: that goes where a half does, and where what is needed is the middle.
    Where not all can go, its few `signs` may be what has to stay.
    """
    rest = sweep(tuple(items), first, len(items), backward=True)
    total = len(rest)
    if 0 < len(signs) <= _FEW < total:
        hit = first(iter([signs]))
        rest = hit.candidate if hit else rest
    length = len(rest) // 2
    while length and rest:
        if len(rest) < total or total <= _FEW:
            rest = sweep(rest, first, length, backward=True)
        elif length == total // 2:
            quarter = total // 4
            ends = (rest[:-quarter], rest[quarter:])
            hit = first(iter(ends if total >= _MANY else (rest[:length],)))
            rest = hit.candidate if hit else rest
        else:
            return
        length //= 2
