"""Variables of templates: what a tag assigns, and where a tag takes a value.

Jinja and Twig have `{% set a = b %}`, Liquid `{% assign a = b %}`, Django
`{% with a = b %} ... {% endwith %}`, Go `{{ $a := .b }}`, ERB and EJS `<% a = b %>`. PHP has a grammar,
which knows its variables.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pollard.syntax.names.markup.template_blocks import template_blocks, template_tags
from pollard.syntax.tree.edits import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.syntax.names.markup.template_blocks import Span, TemplateTag
    from pollard.syntax.tree.document import Document


_NAME_AND_VALUE = rb"(?P<name>\$?[A-Za-z_]\w*)\s*%b\s*(?P<value>\S.*)"
_WITH_WORD = rb"(?:(?:assign|const|let|set|var|with)\s+)?" + _NAME_AND_VALUE % rb"=(?![=>])"
# By the kind of a tag.
_ASSIGNMENTS = {
    "percent": re.compile(_WITH_WORD, re.DOTALL),
    "angle": re.compile(_WITH_WORD, re.DOTALL),
    "braces": re.compile(rb"(?:with\s+)?" + _NAME_AND_VALUE % rb":=", re.DOTALL),
}
_NO_WORD_BEFORE, _NO_WORD_AFTER = rb"(?<![\w.$])", rb"(?!\w)"
_ASSIGNED_AGAIN = re.compile(rb"\s*[-+*/]?=(?![=~])")
# What needs no brackets: a name, a path, a number or a string.
_ATOM = re.compile(rb"""[\w.$]+(?:\[[^][\s]*\])?|"[^"]*"|'[^']*'""")
_MAX_USES = 4
# What the names in tags with these brackets mean is known to no grammar. In the others there is code.
_KINDS_WITH_VALUES = frozenset(("braces", "percent", "square"))
# A path or a name; strings, the words of tags' signs, calls and names of arguments are passed over.
# A filter's name stands where Handlebars declares one: `{{#each lines as |line|}}`.
_VALUE = re.compile(
    rb"""(?:"[^"]*"|'[^']*'|[#/^]\s*\w+|\|\s*(?P<declared>\w+)|[\w.$@]+\s*(?:\(|=(?!=)))|"""
    rb"(?P<value>[$@.]?[A-Za-z_]\w*(?P<rest>(?:\.\w+|\[[^][\s]*\])*))(?!\w)"
)


def with_template_values(document: Document) -> Iterator[list[Edit]]:
    """Yield the edits that put what a tag assigns in the place of its name in later tags.

    The tag goes, and the one that ends its block. A variable that is assigned again stays.
    """
    text = document.text
    span = 0, len(text)
    tags = template_tags(text, span)
    blocks = {block.span[0]: block.tags for block in template_blocks(text, span)} if tags else {}
    for tag in tags:
        assignment = _ASSIGNMENTS.get(tag.kind)
        found = assignment.fullmatch(tag.text) if assignment else None
        if found is None:
            continue
        name = re.compile(_NO_WORD_BEFORE + re.escape(found["name"]) + _NO_WORD_AFTER)
        later = (each.span for each in tags if each.span[0] > tag.span[0])
        places = [place.span() for where in later for place in name.finditer(text, *where)]
        is_assigned_again = any(_ASSIGNED_AGAIN.match(text, end) for _, end in places)
        if not 0 < len(places) <= _MAX_USES or is_assigned_again:
            continue
        value = found["value"]
        new = value if _ATOM.fullmatch(value) else b"(" + value + b")"
        gone = blocks.get(tag.span[0], (tag.span,))
        yield sorted([*(Edit(*each) for each in gone), *(Edit(*each, new) for each in places)])


def template_value_spans(document: Document, *, is_foreign: bool) -> Iterator[Span]:
    """Yield where tags take values: at paths such as `order.price`, and at names of earlier tags.

    Tags that the grammar reads as code are left out, unless it is another language's (`is_foreign`).
    """
    text, known = document.text, set[bytes]()
    for tag in template_tags(text, (0, len(text))):
        if tag.kind not in _KINDS_WITH_VALUES or not (is_foreign or _is_text(tag, document)):
            continue
        start, end = tag.span
        names: set[bytes] = set()
        for found in _VALUE.finditer(text, start, end):
            name = found["value"]
            if name and (found["rest"] or name in known):
                yield found.span("value")
            names.add(name or found["declared"] or b"")
        known |= names


def _is_text(tag: TemplateTag, document: Document) -> bool:
    """Return whether the grammar finds nothing in a tag, as in the text of a page."""
    start, end = tag.span
    around = document.root.descendant_for_byte_range(start, end)
    parts = around.named_children if around else []
    return not any(part.start_byte < end and start < part.end_byte for part in parts)
