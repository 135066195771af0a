"""One file per host language with islands in it, and what a reduction must keep of each."""

from __future__ import annotations

from dataclasses import dataclass

from pollard.syntax.islands.islands import Island, with_islands
from pollard.syntax.tree.document import Document


@dataclass(frozen=True)
class Host:
    """A text, the languages of its islands (of all depths), tokens needed in them, what must go."""

    text: bytes
    inside: frozenset[str]
    needed: tuple[bytes, ...]
    gone: tuple[bytes, ...]


def all_islands(document: Document) -> list[Island]:
    """The islands of a document, and those in them."""
    return [each for each in with_islands(document) if isinstance(each, Island)]


_SCRIPT = b"""
  import { start } from "./start.js";
  const limit = 10;
  function area(width, height) {
    const product = width * height;
    if (product > limit) { report(product, limit); }
    return needle(product);
  }
  area(1, 2);
"""
_STYLE = b"""
  body { margin: 0; padding: 30px; }
  .cell > img, h2 { line-height: 50px; color: teal; height: auto; }
  @media print { .cell { padding: 1rem; } }
"""

HOSTS = {
    "html": Host(
        b"<!DOCTYPE html>\n<html><head><title>A page</title>\n<style>%b</style>\n"
        b"<script type=module>%b</script></head>\n"
        b'<body><p onclick="report(1); area(2, 3)" style="top: 1px; left: 2px;">One</p>\n'
        b'<script type="application/json">{"a": [1, 2]}</script>\n'
        b'<script type="text/template">{{ #if }</script></body></html>\n' % (_STYLE, _SCRIPT),
        frozenset({"javascript", "css", "json"}),
        (b"<style>", b"color: teal", b"<script", b"needle(", b"</script>"),
        (b"report", b"margin", b"import", b"limit"),
    ),
    "vue": Host(
        b'<template>\n  <p v-if="shown" @click="go(1); stay()">{{ first(a) + second(b) }}</p>\n'
        b'</template>\n<script lang="ts">%b</script>\n<style lang="scss">%b</style>\n'
        % (_SCRIPT, _STYLE),
        frozenset({"javascript", "typescript", "scss"}),
        (b"<template>", b"{{", b"second", b"<script", b"needle(", b"<style", b"teal", b"</style>"),
        (b"report", b"margin", b"import", b"limit"),
    ),
    "svelte": Host(
        b"<script>%b</script>\n{#if shown > 1}<p on:click={go}>{first(a) + second(b)}</p>{/if}\n"
        b"<style>%b</style>\n" % (_SCRIPT, _STYLE),
        frozenset({"javascript", "css"}),
        (b"<script>", b"needle(", b"{", b"second", b"<style>", b"color: teal", b"</style>"),
        (b"report", b"margin", b"import", b"limit"),
    ),
    "astro": Host(
        b"---\nconst title = 1;\nconst other = area(title, 2);\n---\n<p class={title}>One</p>\n"
        b"<script>%b</script>\n<style>%b</style>\n" % (_SCRIPT, _STYLE),
        frozenset({"typescript", "typescriptreact", "css"}),
        (b"---", b"other", b"---", b"<script>", b"needle(", b"<style>", b"teal", b"</style>"),
        (b"report", b"margin", b"import", b"limit"),
    ),
    "markdown": Host(
        b"---\ntitle: A page\nauthors:\n  - one\n---\n\n# Heading with *emphasis*\n\n"
        b"A paragraph with `code` and [a link](where).\n\n```js\nimport x from 'y';\n"
        b"function f(a, b) {\n  report(a);\n  return needle(b);\n}\n```\n\n"
        b"```html title\n<p>One</p>\n<script>\nfirst(1);\nsecond(2);\n</script>\n```\n\n"
        b"- an item\n\n  ```python\n  import os\n  third(3)\n  fourth(4)\n  ```\n",
        frozenset({"yaml", "markdown_inline", "javascript", "html", "python"}),
        (
            b"```js",
            b"needle(",
            b"```html",
            b"<script>",
            b"second(",
            b"</script>\n```",
            b"```python",
            b"fourth(",
            b"```",
        ),
        (b"report", b"import", b"first(", b"<p>", b"title", b"third"),
    ),
    "javascript": Host(
        b"const page = html`<ul><li>${items.map(one)}</li><li class=x>${needle}</li></ul>`;\n"
        b"const sheet = css`p { top: 0; color: teal; } b { left: 1px }`;\n"
        b"const rows = query(sql`SELECT a, b FROM t WHERE a = 1`);\n"
        b"export const pattern = /first|(second|third)+/;\n",
        frozenset({"html", "css", "sql", "regex"}),
        (b"html`<ul", b"<li", b"${needle}", b"</ul>`", b"css`", b"teal", b"`", b"/", b"second"),
        (b"items", b"class", b"left", b"SELECT", b"export", b"first", b"third"),
    ),
    "typescript": Host(
        b"const page: Page = html`<ul><li>one</li><li>${needle as string}</li></ul>`;\n"
        b"const query: Query = gql`query { user(id: 1) { name, mail } }`;\n",
        frozenset({"html", "graphql"}),
        (b"html`", b"<li>", b"${needle", b"`", b"gql`", b"user", b"mail", b"`"),
        (b"one", b"name", b"id"),
    ),
    "typescriptreact": Host(
        b"const Box = () => <div style={css`a { top: 0; color: teal }`}>{/a|b+/.test(x)}</div>;\n",
        frozenset({"css", "regex"}),
        (b"css`", b"color: teal", b"`", b"/b"),
        (b"top", b"test", b"|"),
    ),
    "php": Host(
        b"<html>\n<body>\n<?php if ($shown): ?>\n<p>One</p><b>Two</b>\n<?php endif; ?>\n"
        b"<ul><li>three</li><li><?= needle($x) ?></li></ul>\n"
        b'<?php $rows = query("SELECT a, b FROM t WHERE a = 1"); ?>\n</body>\n</html>\n',
        frozenset({"html", "sql"}),
        (b"<ul>", b"<li>", b"needle(", b"<?php", b"query(", b"SELECT", b"FROM t", b"</html>"),
        (b"three", b"One", b"WHERE"),
    ),
    "python": Host(
        b'import re\n\nDATE = re.compile(r"first|needle+|third")\n\n\ndef rows(cursor):\n'
        b'    cursor.execute("SELECT a, b FROM t WHERE a = 1 ORDER BY b")\n    return cursor\n',
        frozenset({"regex", "sql"}),
        (b"re.compile(r", b"needle", b".execute(", b"SELECT", b"FROM t", b")"),
        (b"first", b"WHERE", b"ORDER", b"return"),
    ),
    "embeddedtemplate": Host(
        b"<ul>\n<% rows.each do |row| %>\n<li>one</li><li><%= needle(row) + other(row) %></li>\n"
        b"<% end %>\n</ul>\n",
        frozenset({"html", "ruby"}),
        (b"<ul>", b"<li>", b"<%=", b"needle(", b"%>", b"</ul>"),
        (b"one", b"other"),
    ),
    "twig": Host(
        b"<ul>{% if shown %}<li>one</li><li>{{ needle }}</li>{% endif %}</ul><p>two</p>\n",
        frozenset({"html"}),
        (b"<ul>", b"<li>", b"{{", b"needle"),
        (b"one", b"two"),
    ),
    "heex": Host(
        b"<ul class={@first}><li><%= needle(@a, @b) %></li><li>{other(@c)}</li></ul>\n",
        frozenset({"elixir"}),
        (b"<ul", b"<%=", b"needle(", b"%>", b"</ul>"),
        (b"@b", b"other"),
    ),
    "elixir": Host(
        b'def render(assigns) do\n  ~H"""\n  <ul><li>one</li><li><%= needle(@a, @b) %></li></ul>\n'
        b'  """\nend\n',
        frozenset({"heex", "elixir"}),
        (b"~H", b"<li>", b"<%=", b"needle(", b"%>", b"</ul>"),
        (b"one", b"@b"),
    ),
    "ruby": Host(
        b"query = <<~SQL\n  SELECT a, b FROM t WHERE a = 1\nSQL\nputs(/first|needle/.match(query))\n",
        frozenset({"sql", "regex"}),
        (b"<<~SQL", b"SELECT", b"FROM t", b"SQL", b"/", b"needle", b"match"),
        (b"WHERE", b"first", b"puts"),
    ),
    "rust": Host(
        b"fn main() {\n    let a = [1, 2];\n"
        b'    assert_eq!(needle(a.len(), other(3)), 7, "first {} of {:?}", a[0], a);\n'
        b'    println!("second {}", third(a));\n}\n',
        frozenset({"rust"}),
        (b"assert_eq!(", b"needle(", b"7"),
        (b"other", b"first", b"second", b"third", b"let"),
    ),
    "rst": Host(
        b"Title\n=====\n\n.. code-block:: python\n\n   import os\n   first(1)\n   needle(2)\n\nText.\n",
        frozenset({"python"}),
        (b".. code-block:: python", b"needle("),
        (b"import", b"first"),
    ),
    "org": Host(
        b"* Title\n\n#+begin_src python\nimport os\nfirst(1)\nneedle(2)\n#+end_src\n",
        frozenset({"python"}),
        (b"#+begin_src python", b"needle(", b"#+end_src"),
        (b"import", b"first"),
    ),
    "dockerfile": Host(
        b"FROM debian\nRUN first --one && needle --two three\nCMD last\n",
        frozenset({"shellscript"}),
        (b"RUN", b"needle", b"three"),
        (b"first", b"last"),
    ),
    "xml": Host(
        b"<svg><style>%b</style>\n<script><![CDATA[first(1); needle(2);]]></script></svg>\n"
        % _STYLE.replace(b">", b"p"),
        frozenset({"css", "javascript"}),
        (b"<style>", b"color: teal", b"<script><![CDATA[", b"needle(", b"</svg>"),
        (b"margin", b"first"),
    ),
}
