"""Shorter strings, numbers, comments and operators: their characters are minimised.

T-Rec (TOSEM 2024) and Shrink Ray shorten tokens, too. To keep the text readable, characters are only
removed here, never replaced; but an empty string may become a digit, and a number a shorter one of the
same value.
"""

from __future__ import annotations

import re
import string
from functools import partial
from itertools import accumulate, chain, islice, pairwise
from typing import TYPE_CHECKING

from pollard.engine.declaration import Needs, declare
from pollard.engine.subject import Candidate
from pollard.passes.shortening.literals import shorter_literals
from pollard.passes.text.lines import keeping
from pollard.passes.text.spans import line_spans
from pollard.search.first import mapped
from pollard.search.sweeps import sweep
from pollard.syntax.branches.branches import all_below
from pollard.syntax.tree.edits import Edit, join
from pollard.syntax.tree.sizes import size

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tree_sitter import Node

    from pollard.engine.subject import Subject
    from pollard.passes.text.spans import Spans
    from pollard.search.first import First
    from pollard.syntax.tree.document import Document


# Grammars' names for tokens with content of their own: neither keywords nor names.
_CONTENT_KIND = re.compile(
    "string|comment|number|integer|float|literal|text|content|char|value|escape|fragment|scalar|pod|data|"
    "uninterpreted",
    re.IGNORECASE,
)
# A longer token, and one of several words, has content of its own, whatever the grammar calls it.
_MIN_CONTENT_BYTES = 256
_OPERATOR_SIGNS = re.compile(rb"[-+*/%<>=!&|^~.:?]+")
# Underlines of headings, lines between sections.
_REPEATED_SIGN = re.compile(rb"([^\w\s])\1{3,}\s*")
_QUOTE_SIGNS = b"\"'`"
# Comments begin and end with these.
_PUNCTUATION = string.punctuation.encode().translate(None, _QUOTE_SIGNS)
# Stand for values, and are often all that is needed of a string.
_PLACEHOLDER = re.compile(rb"\{[^{}]*\}|%[-+#0]*\d*(?:\.\d+)?[hlLqjzt]*[a-zA-Z]")
_SPACED_WORD = re.compile(rb"\s*\S+")
_ONE_CHARACTER = re.compile(r"\r\n|.", re.DOTALL)
_EMPTY_STRINGS = (b'""', b"''", b"``")
_DIGIT = b"0"
_POLISH_STEP, _PIECES_STEP = "polish", "pieces"
_MIN_TOKEN_BYTES = 2
# A text with more different tokens is not reduced far enough yet.
_MAX_TOKENS = 200
# A first and a last line may have the quotes of a token.
_MIN_LINES = 3
# How many different numbers get another spelling.
_MAX_NUMBERS = 16
# In a token with at most this many characters, each is tried in any case.
_MAX_CHARACTERS_ONE_BY_ONE = 4
# From this many characters on, a quarter at either end is tried instead of one half.
_MIN_CHARACTERS_FOR_QUARTERS = 16
# Of a token that is half of the text, runs of words are tried: quarters first, then shorter runs while
# there are not too many.
_FIRST_RUNS_OF_WORDS = 4
_MAX_RUNS_OF_WORDS = 64
# A token that is half of a long text is cut into so many pieces at most: lines, else words, else bytes.
_MAX_PIECES = 256
_MIN_PIECES = 16
# If none of so many runs of pieces can go, shorter ones are not tried.
_MAX_FIRST_RUNS = 8


def polish_heavy(subject: Subject, retry_factor: float) -> None:
    """Minimise the characters of each token that is half of the text or more, as `polish` does.

    A token that resisted is visited again once the text has shrunk by `retry_factor`. At most four
    candidates for a comment or a string with placeholders that must stay, three for others; more only
    if it becomes shorter.

    In a long text such a token first loses lines or other pieces.
    """
    while not subject.is_ready_for_late_passes() and _shorten_in_pieces(subject, retry_factor):
        pass

    def is_wanted(token: bytes) -> bool:
        retry_weight = retry_factor * subject.weight
        return _is_half(subject, token) and not subject.memory.attempts.knows(
            _POLISH_STEP, token, retry_weight
        )

    if subject.is_ready_for_late_passes() and next(_heavy_tokens(subject), None):
        _polish(subject, is_wanted)


def _heavy_tokens(subject: Subject) -> Iterator[Node]:
    """Yield the tokens that are half of the text or more. Looks only at nodes that are as long."""
    text, half = subject.document.text, subject.weight / 2
    for node in tokens(subject.document.root, text, subject.span, half):
        if _is_half(subject, text[node.start_byte : node.end_byte]):
            yield node


def _shorten_in_pieces(subject: Subject, retry_factor: float) -> bool:
    """Remove pieces of a token that is half of the text; return whether any could go.

    Halves of its pieces are tried, then quarters and eighths and, if one of these could go, shorter
    runs down to single pieces. A token that resisted is left alone, as by `polish_heavy`.
    """
    if subject.document.language is None:
        return False
    base, attempts = subject.document, subject.memory.attempts
    node = next((each for each in _heavy_tokens(subject) if not each.child_count), None)
    if node is None:
        return False
    token = base.text[node.start_byte : node.end_byte]
    if attempts.knows(_PIECES_STEP, token, retry_factor * subject.weight):
        return False
    attempts.note(_PIECES_STEP, token, subject.weight)
    return _remove_pieces(subject, _pieces(token), node.start_byte)


def _remove_pieces(subject: Subject, spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Remove pieces of a token at a place, the longest runs first; return whether any could go."""
    pieces = [(place + start, place + end) for start, end in spans]
    first = mapped(subject.first, partial(keeping, subject.document, pieces))
    rest, length = tuple(range(len(pieces))), len(pieces) // 2
    while length and (len(rest) < len(pieces) or _MAX_FIRST_RUNS * length >= len(pieces)):
        rest = sweep(rest, first, length, backward=True)
        length = min(length, len(rest)) // 2
    return len(rest) < len(pieces)


def _pieces(token: bytes) -> list[tuple[int, int]]:
    """Return the spans of the pieces of a long token: runs of lines, of words or of bytes."""
    for split in (line_spans, _spaced_words):
        spans = split(token)
        if len(spans) >= _MIN_PIECES:
            break
    else:
        spans = [(place, place + 1) for place in range(len(token))]
    length = -(-len(spans) // _MAX_PIECES)
    runs = [spans[first : first + length] for first in range(0, len(spans), length)]
    return [(run[0][0], run[-1][1]) for run in runs]


def _spaced_words(token: bytes) -> Sequence[tuple[int, int]]:
    """Return the spans of the words of a token, each with the white space before it."""
    return [found.span() for found in _SPACED_WORD.finditer(token)]


def _is_half(subject: Subject, token: bytes) -> bool:
    """Return whether a token is half of the text or more."""
    return 2 * size(token) >= subject.weight


@declare(
    "polish",
    runs="O(n) for n characters of tokens",
    needs=Needs.SHORT_TREE,
    source="T-Rec, TOSEM 2024; Shrink Ray",
)
def polish(subject: Subject) -> None:
    """Minimise the characters of strings, numbers, comments and operators, the longest first.

    One with several lines loses lines first, in at most 14 candidates if none can go. A token of which
    neither all nor a large part can go is left alone: after at most three candidates, four for a
    comment or a string with placeholders, seven if it has up to four characters. Of others every
    character is tried, O(n) for n. If a token is half of the text and none of that can go, its words
    are minimised.

    Then a digit is tried in the place of empty strings, one candidate for each kind of quotes, and
    shorter spellings of numbers, such as `2e5` or the sum of two. Each
    different token is visited once, and all candidates are shorter, so the pass ends.
    """
    _polish(subject, lambda _: True, words=True)
    if subject.is_ready_for_late_passes():
        for quotes in _EMPTY_STRINGS:
            _replace_all(subject, quotes, _DIGIT)
        literals = islice(shorter_literals(subject.document, subject.span), _MAX_NUMBERS)
        for old, new in list(literals):
            _replace_all(subject, old, new)


def _polish(subject: Subject, is_wanted: Callable[[bytes], bool], *, words: bool = False) -> None:
    done: set[bytes] = set()
    while subject.is_ready_for_late_passes() and _polish_one(subject, done, is_wanted, words=words):
        pass


def _polish_one(
    subject: Subject, done: set[bytes], is_wanted: Callable[[bytes], bool], *, words: bool
) -> bool:
    """Minimise tokens that were not visited yet until one becomes shorter; return whether one did."""
    before = subject.tally.accepted
    for token, places in _tokens(subject):
        place = places[0]
        if token not in done and is_wanted(token):
            done.add(token)
            subject.memory.attempts.note(_POLISH_STEP, token, subject.weight)
            lines = line_spans(token)
            # A half of its characters mostly ends inside of a line.
            if len(lines) >= _MIN_LINES and _remove_pieces(subject, lines, place):
                return True
            _minimise(subject, token, place)
            if words and subject.tally.accepted == before:
                _minimise_words(subject, token, places)
            if subject.tally.accepted > before:
                return True
    return False


def _tokens(subject: Subject) -> list[tuple[bytes, list[int]]]:
    """Return the different tokens, each with the offsets of its occurrences, the longest first."""
    base = subject.document
    found: dict[bytes, set[int]] = {}
    nodes = (node.byte_range for node in tokens(base.root, base.text, subject.span))
    spans = chain(nodes, _texts_of_branches(subject))
    for start, end in (span for span in spans if span[1] - span[0] >= _MIN_TOKEN_BYTES):
        found.setdefault(base.text[start:end], set()).add(start)
    if len(found) > _MAX_TOKENS:
        return []
    ordered = sorted(found.items(), key=lambda token: (-len(token[0]), token[0]))
    return [(token, sorted(places)) for token, places in ordered]


def tokens(root: Node, text: bytes, span: tuple[int, int], min_bytes: float = 0) -> Iterator[Node]:
    """Yield the nodes in a span (start, end) that may be shortened, in the order of the text.

    They are leaves, or have text beside their children; an island is a leaf. Nodes of less than
    `min_bytes` bytes are left out.
    """
    start, end = span
    stack = [root]
    while stack:
        node = stack.pop()
        if node.end_byte <= start or node.start_byte >= end:
            continue
        if node.end_byte - node.start_byte < min_bytes:
            continue
        stack.extend(reversed(node.children))
        inside = start <= node.start_byte and node.end_byte <= end
        if inside and _has_own_text(node, text) and _is_content(node, text):
            yield node


def _texts_of_branches(subject: Subject) -> Iterator[tuple[int, int]]:
    """Yield the spans of texts that are no tokens of the document's own tree.

    These are texts between the children of branches, such as words beside a link, and tokens of
    islands. A token with children, such as a string with values in it, is shortened as a whole.
    """
    text = subject.document.text
    for branch in all_below(subject.root, subject.span):
        if not branch.is_within(subject.span):
            continue
        is_content = _is_content(branch.inner_node, text)
        if is_content and not branch.children:
            yield branch.start, branch.end
        elif branch.children and not is_content:
            starts = [branch.start, *(child.end for child in branch.children)]
            ends = [*(child.start for child in branch.children), branch.end]
            for start, end in zip(starts, ends, strict=True):
                if text[start:end].strip():
                    yield start, end


def _has_own_text(node: Node, text: bytes) -> bool:
    """Return whether a node has text other than white space outside of its children."""
    children = node.children
    starts = [node.start_byte, *(child.end_byte for child in children)]
    ends = [*(child.start_byte for child in children), node.end_byte]
    return any(text[start:end].strip() for start, end in zip(starts, ends, strict=True))


def _is_content(node: Node, text: bytes) -> bool:
    """Return whether a node may be shortened: a literal, comment, operator or row of signs."""
    if not node.child_count and _is_text(text[node.start_byte : node.end_byte]):
        return True
    if node.is_named and _CONTENT_KIND.search(node.type):
        return True
    signs = _REPEATED_SIGN if node.is_named else _OPERATOR_SIGNS
    return signs.fullmatch(text, node.start_byte, node.end_byte) is not None


def _is_text(token: bytes) -> bool:
    """Return whether a token is long or has several words: then it is neither a keyword nor a name."""
    return len(token) >= _MIN_CONTENT_BYTES or len(token.split(maxsplit=1)) > 1


def _replace_all(subject: Subject, old: bytes, new: bytes) -> None:
    """Try to replace all nodes whose text is `old` together."""
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
    characters = _characters(token)
    if _is_quoted(token):
        token, characters = token[1:-1], [(start - 1, end - 1) for start, end in characters[1:-1]]
        place += 1
    bounds = [(place + start, place + end) for start, end in characters]
    first = mapped(subject.first, partial(keeping, subject.document, bounds))
    signs = _signs(token, len(bounds)) or _placeholders(token, characters)
    _by_parts(range(len(bounds)), first, signs)


def _minimise_words(subject: Subject, token: bytes, places: Sequence[int]) -> None:
    """Minimise the words of a token that is half of the text, or that stands in several places.

    They go in all places at once, each with the white space before it; runs of words if many. A long
    token is cut into other pieces if it has few words.
    """
    if len(places) == 1 and not _is_half(subject, token):
        return
    words = _pieces(token) if len(token) >= _MIN_CONTENT_BYTES else _spaced_words(token)
    first = mapped(subject.first, partial(_keeping_words, subject.document, words, places))
    rest = tuple(range(len(words)))
    length = max(len(rest) // _FIRST_RUNS_OF_WORDS, 1) if len(rest) > 1 else 0
    while length and _MAX_RUNS_OF_WORDS * length >= len(words):
        rest = sweep(rest, first, length, backward=True)
        length //= 2


def _keeping_words(
    base: Document, words: Spans, places: Sequence[int], kept: Sequence[int]
) -> Candidate:
    """Return the candidate that keeps only some of the words of a token, in each of its places."""
    spans = ([(place + start, place + end) for start, end in words] for place in places)
    return Candidate(base, join(edit for each in spans for edit in keeping(base, each, kept).edits))


def _is_quoted(token: bytes) -> bool:
    """Return whether a token includes its quotes, as in grammars without a node for the content."""
    return len(token) > _MIN_TOKEN_BYTES and token[:1] == token[-1:] and token[:1] in _QUOTE_SIGNS


def _signs(token: bytes, length: int) -> tuple[int, ...]:
    """Return the numbers of the signs at both ends of a token that has others, such as a comment's."""
    opening, closing = (_signs_at_the_start(text) for text in (token, token[::-1]))
    if not opening or opening == len(token) or opening + closing > _MAX_CHARACTERS_ONE_BY_ONE:
        return ()
    return (*range(opening), *range(length - closing, length))


def _placeholders(token: bytes, characters: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the numbers of the characters of placeholders such as `%d` and `{}` in a string."""
    spans = [found.span() for found in _PLACEHOLDER.finditer(token)]
    return tuple(
        number
        for number, (start, end) in enumerate(characters)
        if any(first <= start and end <= last for first, last in spans)
    )


def _signs_at_the_start(text: bytes) -> int:
    return len(text) - len(text.lstrip(_PUNCTUATION))


def _characters(token: bytes) -> list[tuple[int, int]]:
    """Return the span in bytes of each character; a line end is one character.

    Many grammars end a comment in the middle of a CRLF; its CR is left alone.
    """
    text = token.removesuffix(b"\r").decode(errors="surrogateescape")
    characters = _ONE_CHARACTER.findall(text)
    sizes = [len(each.encode(errors="surrogateescape")) for each in characters]
    return list(pairwise(accumulate(sizes, initial=0)))


def _by_parts(
    items: Sequence[int], first: First[tuple[int, ...]], signs: tuple[int, ...] = ()
) -> None:
    """Sweep with fragments of all, halves, quarters ...; go on to shorter ones only after a success.

    A few characters are tried one by one in any case. Of more, only the second half is tried; of many,
    a quarter at either end, which also works if what is needed is in the middle. If not everything can
    go, the few `signs` of a comment or the placeholders of a string may be all that has to stay.
    """
    rest = sweep(tuple(items), first, len(items), backward=True)
    total = len(rest)
    if 0 < len(signs) < total and total > _MAX_CHARACTERS_ONE_BY_ONE:
        hit = first(iter([signs]))
        rest = hit.candidate if hit else rest
    length = len(rest) // 2
    while length and rest:
        if len(rest) < total or total <= _MAX_CHARACTERS_ONE_BY_ONE:
            rest = sweep(rest, first, length, backward=True)
        elif length == total // 2:
            quarter = total // 4
            ends = (rest[:-quarter], rest[quarter:])
            hit = first(iter(ends if total >= _MIN_CHARACTERS_FOR_QUARTERS else (rest[:length],)))
            rest = hit.candidate if hit else rest
        else:
            return
        length //= 2
