"""Blocks of templates: which tag ends which block, in the ways of many engines."""

from __future__ import annotations

import pytest

from pollard.syntax.names.markup.template_blocks import template_blocks


def _blocks(text: bytes) -> list[tuple[bytes, ...]]:
    """The tags of each block, as they are written."""
    found = template_blocks(text, (0, len(text)))
    return [tuple(text[start:end] for start, end in block.tags) for block in found]


@pytest.mark.parametrize(
    "tags",
    [
        (b"{% for x in y %}", b"{% endfor %}"),
        (b"{%- for x in y -%}", b"{%- else -%}", b"{%- endfor -%}"),
        (b"{% case x %}", b"{% when 1 %}", b"{% when 2 %}", b"{% endcase %}"),
        (b"{% block a %}", b"{% endblock a %}"),
        (b"{% if x %}", b"{% end_if %}"),
        (b"{{#each x as |a b|}}", b"{{else}}", b"{{/each}}"),
        (b"{{~#if x~}}", b"{{^}}", b"{{~/if~}}"),
        (b"{{#a.b}}", b"{{/a.b}}"),
        (b"{{^a}}", b"{{/a}}"),
        (b'{{#*inline "a"}}', b"{{/inline}}"),
        (b"{{- range $i, $x := .y -}}", b"{{- else -}}", b"{{- end -}}"),
        (b"{{ if eq .x 1 }}", b"{{ else if .y }}", b"{{ end }}"),
        (b"<% f.each do |x| %>", b"<% end %>"),
        (b"<% if x -%>", b"<% elsif y -%>", b"<% else -%>", b"<% end -%>"),
        (b"<%= form_for x do |f| %>", b"<% end %>"),
        (b"<% if (x) { %>", b"<% } else { %>", b"<% } %>"),
        (b"<% x.forEach(function (y) { %>", b"<% }); %>"),
        (b"<?php if (x): ?>", b"<?php else: ?>", b"<?php endif; ?>"),
        (b"<?php foreach ($a as $b) { ?>", b"<?php } ?>"),
        (b"[% FOREACH x IN y %]", b"[% END %]"),
    ],
)
def test_the_last_tag_says_which_block_it_ends(tags: tuple[bytes, ...]):
    assert _blocks(b"a {{ b }} <%= c %> {% set d = 1 %}".join((b"", *tags, b""))) == [tags]


def test_blocks_in_blocks_have_their_own_ends():
    text = b"{{if a}}{{range b}}{{if c}}{{else}}d{{end}}{{end}}{{else}}e{{end}}"
    assert _blocks(text) == [
        (b"{{if c}}", b"{{else}}", b"{{end}}"),
        (b"{{range b}}", b"{{end}}"),
        (b"{{if a}}", b"{{else}}", b"{{end}}"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        b"{% endfor %}",
        b"{% for x in y %}",
        b"{% if x %}{% endfor %}",
        b"{% if x %}<% end %>",
        b"{{ a }}{{ end }}",
        b"{{a}}{{/a}}",
        b"<% x = f if y %><% end %>",
        b"int a[1][1] = {{1}}; /* {{/ */",
    ],
)
def test_what_does_not_belong_together_is_no_block(text: bytes):
    assert _blocks(text) == []


def test_blocks_are_only_found_inside_of_the_region():
    text = b"{% if x %}{% if y %}{% endif %}{% endif %}"
    assert len(template_blocks(text, (10, 31))) == 1
    assert template_blocks(text, (11, 31)) == []
