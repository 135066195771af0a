"""What a language is called: one canonical id per language, and every other name it goes by.

The canonical id is the language id of the Language Server Protocol where that has one
("shellscript", not "bash"), else the name of the grammar. Case, blanks, hyphens and underscores
never matter.
"""

from __future__ import annotations

_LSP_ID = {
    "bash": "shellscript",
    "gitcommit": "git-commit",
    "make": "makefile",
    "objc": "objective-c",
    "tsx": "typescriptreact",
}
_GRAMMAR = {identifier: grammar for grammar, identifier in _LSP_ID.items()}

# The other names by which editors, tools and people know a language.
_ALIASES = {
    "asm": "assembly assembler nasm gas",
    "awk": "gawk mawk nawk",
    "bsl": "1c onescript",
    "clojure": "clj clojurescript",
    "coffeescript": "coffee",
    "commonlisp": "lisp cl",
    "cpp": "c++ cc cxx cplusplus",
    "csharp": "c# cs",
    "cuda": "cuda-cpp cu",
    "dockerfile": "docker containerfile",
    "dot": "graphviz gv",
    "elisp": "emacs-lisp",
    "elixir": "ex exs",
    "embeddedtemplate": "erb ejs eruby html.erb",
    "erlang": "erl",
    "fixed_form_fortran": "fortran-fixed-form fortran77 f77",
    "fortran": "fortran-free-form fortran-modern f90",
    "fsharp": "f# fs",
    "func": "ton-func",
    "git-commit": "git-message",
    "gitignore": "ignore dockerignore",
    "go": "golang",
    "gomod": "go.mod",
    "gosum": "go.sum",
    "graphql": "gql",
    "groovy": "gradle jenkinsfile",
    "handlebars": "hbs mustache",
    "haskell": "hs lhs",
    "hcl": "packer nomad",
    "html": "htm xhtml",
    "ini": "dosini cfg",
    "janet": "janet-simple",
    "javascript": "js jsx javascriptreact mjs cjs ecmascript node",
    "json": "jsonc json-with-comments jsonl geojson",
    "julia": "jl",
    "kotlin": "kt kts",
    "latex": "tex context plaintex",
    "lex": "flex",
    "linkerscript": "ld lds",
    "llvm": "llvm-ir ll",
    "makefile": "mk gnumake",
    "markdown": "md",
    "matlab": "octave",
    "mermaid": "mmd",
    "objective-c": "obj-c objectivec",
    "opencl": "opencl-c",
    "org": "orgmode",
    "pascal": "delphi objectpascal",
    "perl": "pl",
    "php": "php3 phtml",
    "po": "gettext",
    "powershell": "ps1 pwsh",
    "prolog": "swi-prolog",
    "properties": "java-properties",
    "proto": "proto2 proto3 protobuf",
    "puppet": "pp",
    "purescript": "purs",
    "python": "py python3 py3",
    "qmljs": "qml",
    "query": "tsq tree-sitter-query scm",
    "r": "rlang",
    "racket": "rkt",
    "raku": "perl6",
    "razor": "aspnetcorerazor",
    "rego": "opa",
    "rst": "restructuredtext",
    "ruby": "rb",
    "rust": "rs",
    "shellscript": "sh shell zsh ksh bats",
    "smtlib": "smt smt2 smt-lib",
    "sparql": "rq",
    "sql": "mysql plsql postgres postgresql tsql",
    "starlark": "bazel bzl skylark tiltfile",
    "swift": "apple-swift",
    "systemtap": "stap",
    "tcl": "tk",
    "terraform": "tf tfvars terraform-vars opentofu",
    "typescript": "ts mts cts",
    "typst": "typ",
    "uxntal": "tal",
    "v": "vlang",
    "verilog": "systemverilog sv",
    "vhdl": "vhd",
    "vim": "viml vimscript",
    "wast": "wasm-script",
    "wat": "wasm-text webassembly",
    "xml": "xsl xslt xsd svg",
    "yacc": "bison",
    "yaml": "yml dockercompose github-actions-workflow",
}

#: Languages whose own grammar may be missing, each with the one whose grammar reads most of it. Even a
#: tree with many errors leads to less text in fewer runs than lines do.
RELATIVES = {
    "arduino": "cpp",
    "awk": "javascript",
    "coffeescript": "python",
    "crystal": "ruby",
    "cuda": "cpp",
    "fixed_form_fortran": "fortran",
    "fsharp_signature": "fsharp",
    "handlebars": "html",
    "json5": "json",
    "less": "scss",
    "lex": "cpp",
    "metal": "cpp",
    "opencl": "c",
    "prolog": "python",
    "raku": "perl",
    "razor": "html",
    "smtlib": "scheme",
    "starlark": "python",
    "systemtap": "javascript",
    "terraform": "hcl",
    "vala": "csharp",
    "yacc": "cpp",
}

_SPELT_WITH_UNDERSCORE = ("fsharp_signature", "markdown_inline", "ocaml_interface")

# Editors send these for text that no language describes.
PLAIN = frozenset({"plaintext", "text", "txt", "binary", "none"})


def canonical(language_id: str) -> str:
    """Return the canonical id for any name of a language; an unknown name in lower case."""
    name = language_id.strip().lower()
    return _CANONICAL.get(_key(name), name)


def grammar_name(canonical_id: str) -> str:
    """Return what tree-sitter's own packages call the language: "bash" for "shellscript"."""
    return _GRAMMAR.get(canonical_id, canonical_id)


def readers(canonical_id: str) -> tuple[str, ...]:
    """Return the languages whose grammars read a language: itself, then its relative if it has one."""
    relative = RELATIVES.get(canonical_id)
    return (canonical_id, relative) if relative else (canonical_id,)


def aliases(canonical_id: str) -> tuple[str, ...]:
    """Return the other names of a language, the grammar's own first."""
    grammar = (_GRAMMAR[canonical_id],) if canonical_id in _GRAMMAR else ()
    return (*grammar, *_ALIASES.get(canonical_id, "").split())


def _key(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "")


_CANONICAL = {
    _key(name): identifier
    for identifier in (*_ALIASES, *_LSP_ID.values(), *_SPELT_WITH_UNDERSCORE)
    for name in (identifier, *aliases(identifier))
}
