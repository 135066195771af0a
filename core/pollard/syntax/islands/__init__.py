"""Texts in other languages inside a document: scripts in HTML, fenced code in Markdown, SQL in strings.

To the grammar of an HTML page a script is a single token. Without this room a reduction could only
keep or delete it as a whole. picireny-2016 (section 3) parses such tokens, called *islands*, with
grammars of their own. So does Pollard, in three steps:

1. *Find.* A tree-sitter query for the host's language marks the nodes whose text is in another
   language, and says which one. The folder `queries` has one such query for each host; editors use
   the same format for highlighting. `injections` evaluates it.
2. *Parse.* An `Island` is a `Document` over the whole text in which only some ranges are parsed.
   Its nodes have the offsets of the document, so edits and layout need no translation. Parsing is
   lazy: most candidates never need the tree of an island.
3. *Graft.* `pollard.syntax.branches` puts the children of the island's root in the place of the
   children of its host. After that a pass walks through an island as through any other node.

Two words recur. The *host* is the node that an island's tree hangs from, such as the content of a
`<script>` element. *Guests* are nodes of the host's language inside the island, such as the `${x}`
in a template string of HTML; they are not parsed with the island and come back in their places when
it is grafted.

The guard must look into islands, since their host's grammar accepts anything there. `IslandGuard`
parses the islands that a candidate's edits touch and rejects the candidate if one has more errors
than before.

The modules, in reading order:

- `injections`: from a document to the places where other languages begin.
- `islands`: `Island`, `Islands` by place, `innermost`, and `IslandGuard`.

To support a new host, add a query to `queries` and a sample to `tests/core/syntax/islands.py`.

This room imports `grammars` and `tree`. The rooms `branches`, `names` and `layout` and the engine
import it.
"""
