"""From a file's name to a compiled grammar, and queries for that grammar.

Every other room of `pollard.syntax` parses with a grammar that this room found. Three ideas matter:

*One canonical id for each language.* Editors, tools and people call languages by many names: "sh",
"bash" and "shellscript" are one. Pollard uses the language id of the Language Server Protocol where
there is one. `canonical` translates any name into it, and everything else takes canonical ids.

*Many sources, one grammar.* A grammar may come with a package of its own, with a pack of about 170,
or with an older pack. The first source that has one wins. Looking for a grammar imports nothing;
loading it may fail, for example on a version of tree-sitter that does not fit. A language whose own
grammar is not installed borrows that of a *relative*: a `.cuda` file parsed as C++ has errors, but a
tree all the same, and a tree leads to smaller results than lines do.

*Queries outlive grammars.* A query is a list of patterns in tree-sitter's query language. It names
kinds of nodes, which new versions of a grammar rename. `Patterns` compiles each pattern by itself and
drops those that no longer fit.

The modules, in reading order:

- `languages`: the entry point. `detect`, `find` and `available`; other rooms rarely need more.
- `language_facts`: the names, relatives and file types of all languages, read from `languages.toml`.
- `detect`: guesses the language of a file from its name and the beginning of its text.
- `sources`: finds and loads grammars in the installed packages.
- `patterns`: runs queries and evaluates their predicates.
- `spelling`: which bytes make up a name in each language, for counting and finding words.

To add a language, add an entry to `languages.toml`. If its extension is shared with another language,
add a pattern to `detect`. `pollard languages` shows the result.

This room imports no other room of `pollard.syntax`. All others may import it, as may the command
line, the settings and the language server, which use it to name languages.
"""
