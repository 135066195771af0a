"""Blocks of templates, between tags that the text's own grammar does not know.

Jinja, Django, Liquid and Twig have `{% for x in y %} ... {% endfor %}`, Handlebars and Mustache
`{{#each x}} ... {{/each}}`, Go `{{range .}} ... {{end}}`, ERB `<% if x %> ... <% end %>`, EJS
`<% if (x) { %> ... <% } %>`, and PHP `<?php if (x): ?> ... <?php endif; ?>`. The tag that ends a block
says what began it, so nothing need be known of single engines. Only where it does not, as `end` and
`}`, must the first tag look like a beginning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

Span = tuple[int, int]

# The text of a tag has a limit, since a text may have many beginnings of tags without an end.
_TAG = re.compile(
    rb"(?:\{%(?P<percent>.{0,4096}?)%\}|\{\{(?P<braces>.{0,4096}?)\}\}+|<%(?P<angle>.{0,4096}?)%>"
    rb"|<\?(?:php\b|=)?(?P<question>.{0,4096}?)(?:\?>|\Z)|\[%(?P<square>.{0,4096}?)%\])",
    re.DOTALL,
)
# Most texts have no tag that ends a block, which this finds out quickly.
_ANY_END = re.compile(rb"(?:(?:\{%|\{\{|<%|<\?(?:php\b)?|\[%)[-+~]?\s*(?:end|END|\})|\{\{\{?~?/\w)")

_BLANKS_AND_TRIMS = b" \t\r\n-+~;"
_HEAD = re.compile(rb"(?P<sign>[#^/$<>*]*)\s*(?P<word>[\w.@-]*)")
_NAMED_END = re.compile(rb"end_?(?P<name>\w*)\Z")
# What begins a block that ends with a word for all blocks, such as `end`.
_OPENING_WORDS = frozenset(
    b"begin block case define for foreach if range switch try unless until while with".split()
)
_OPENS_BRACE = re.compile(rb"\{(?:\s*\|[^|]*\|)?\Z")
_OPENS_DO = re.compile(rb"(?:\bdo(?:\s*\|[^|]*\|)?|\{(?:\s*\|[^|]*\|)?)\Z")
_CLOSES_BRACE = re.compile(rb"\}\s*\)*\Z")
_BRACE = b"}"
_MIDDLE_WORDS = frozenset(b"else elif elsif elseif empty ensure in inverse rescue when".split())
_MIDDLE_SIGN = b"^"


@dataclass(frozen=True, slots=True)
class TemplateBlock:
    """A block: the spans of its first tag, of those in between such as `{% else %}`, and of its end."""

    tags: tuple[Span, ...]

    @property
    def span(self) -> Span:
        """All of the block, its tags included."""
        return self.tags[0][0], self.tags[-1][1]

    def parts(self) -> list[Span]:
        """Return the spans between the tags, in order."""
        return [(before[1], after[0]) for before, after in pairwise(self.tags)]


class TemplateTag(NamedTuple):
    """A tag: its span, its text without brackets and signs at either end, and its first word.

    `kind` tells tags with different brackets apart, `sign` is what stands before the word.
    """

    span: Span
    kind: str
    text: bytes
    sign: bytes
    word: bytes

    def is_end(self) -> bool:
        """Return whether it ends a block."""
        return (
            self.sign == b"/"
            or _NAMED_END.match(self.word) is not None
            or _CLOSES_BRACE.match(self.text) is not None
        )

    def is_middle(self) -> bool:
        """Return whether it separates the parts of a block, as `else`, `} else {` and `{{^}}` do."""
        return (
            (self.word in _MIDDLE_WORDS and not self.sign)
            or (self.sign == _MIDDLE_SIGN and not self.word)
            or (self.text.startswith(_BRACE) and _OPENS_BRACE.search(self.text) is not None)
        )

    def is_ended_by(self, end: TemplateTag) -> bool:
        """Return whether `end`, the end of a block, may end one that this tag begins."""
        if end.kind != self.kind or self.is_end() or self.is_middle():
            return False
        if end.sign == b"/":
            return bool(self.sign) and self.word == end.word
        if end.text.startswith(_BRACE):
            return _OPENS_BRACE.search(self.text) is not None
        named = _NAMED_END.match(end.word)
        name = named["name"] if named else b""
        return self.word == name if name else self._begins_any_block()

    def _begins_any_block(self) -> bool:
        if self.word in _OPENING_WORDS:
            return not self.text.endswith(b"end")
        return _OPENS_DO.search(self.text) is not None


def template_blocks(text: bytes, span: Span) -> list[TemplateBlock]:
    """Return the blocks of the part of a text in `span`, in the order of their ends."""
    if _ANY_END.search(text, *span) is None:
        return []
    blocks: list[TemplateBlock] = []
    waiting: list[TemplateTag] = []  # tags without an end so far, most of which begin no block
    for tag in template_tags(text, span):
        if not tag.is_end():
            waiting.append(tag)
            continue
        places = range(len(waiting) - 1, -1, -1)
        place = next((each for each in places if waiting[each].is_ended_by(tag)), None)
        if place is not None:
            middles = [each.span for each in waiting[place + 1 :] if each.is_middle()]
            blocks.append(TemplateBlock((waiting[place].span, *middles, tag.span)))
            del waiting[place:]
    return blocks


def template_tags(text: bytes, span: Span) -> list[TemplateTag]:
    """Return the tags of the part of a text in `span`, in order."""
    found: list[TemplateTag] = []
    for match in _TAG.finditer(text, *span):
        kind = match.lastgroup or ""
        inner = match[kind].strip(_BLANKS_AND_TRIMS).removesuffix(b":").rstrip()
        head = _HEAD.match(inner)
        sign, word = (head["sign"], head["word"]) if head else (b"", b"")
        found.append(TemplateTag(match.span(), kind, inner, sign, word.lower()))
    return found
