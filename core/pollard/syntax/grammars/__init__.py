"""From a file's name to a compiled grammar, and queries for that grammar.

Every other room of `pollard.syntax` parses with a grammar that this room found. Three ideas matter:

*One canonical id for each language.* Editors, tools and people call languages by many names: "sh",
"bash" and "shellscript" are one. Pollard uses the language id of the Language Server Protocol where
there is one. `canonical` translates any name into it, and everything else takes canonical ids.

*Many sources, one grammar.* A grammar may come with a package of its own, with a pack of many, or
with an older pack. The first source that has one wins. Looking for a grammar imports nothing;
loading it may fail, for example on a version of tree-sitter that does not fit. A language whose own
grammar is not installed borrows that of a *relative*: a `.cuda` file parsed as C++ has errors, but
a tree all the same, and a tree leads to smaller results than lines do.

*Queries outlive grammars.* A query is a list of patterns in tree-sitter's query language. It names
kinds of nodes, which new versions of a grammar rename. `Patterns` compiles each pattern by itself
and drops those that no longer fit.

The modules, in reading order:

- `languages`: the entry point. `detect`, `find` and `available`; other rooms rarely need more.
- `language_facts`: the names, relatives and file types of all languages, read from
  `languages.toml`; guesses the language of a file from its name and the beginning of its text.
- `sources`: finds and loads grammars in the installed packages.
- `patterns`: runs queries and evaluates their predicates.

To add a language, add an entry to `languages.toml`. If its extension is shared with another
language, add a pattern to `language_facts`. `pollard languages` shows the result.

Why not a library for file types? None covers enough. Of the 466 extensions, 135 file names and 89
interpreters in `languages.toml`, Pygments 2.21 assigns 212, 40 and none to the same language (but
`get_lexer_for_filename` chooses it for only 205 of the extensions), and identify 2.6 assigns 179,
48 and 15. More than half of the entries would stay, next to a second table that translates the
library's names into grammars.

This room imports no other room of `pollard.syntax`. All others may import it, as may the command
line, the settings and the language server, which use it to name languages.
"""
