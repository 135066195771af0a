"""The usual formatters of languages, for `formatter = "auto"`.

Each reads a text on standard input and prints it. The first that is installed is used, by its absolute
path: so a consent names, and covers, the program that runs.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from pollard.syntax.grammars.language_facts import canonical

AUTO = "auto"
"""The value of `formatter` that means the language's usual one."""

_CLANG_FORMAT = ("clang-format", "--assume-filename={file}")
_PRETTIER = ("prettier", "--stdin-filepath", "{file}")
_COMMANDS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("python",), ("black", "-q", "-")),
    (("python",), ("ruff", "format", "--stdin-filename", "{file}", "-")),
    (("c", "cpp", "objective-c", "cuda-cpp", "proto3"), _CLANG_FORMAT),
    (("java",), ("google-java-format", "-")),
    (("java",), _CLANG_FORMAT),
    (("javascript", "typescript", "typescriptreact", "json", "yaml", "markdown"), _PRETTIER),
    (("html", "css", "scss", "less", "graphql", "vue"), _PRETTIER),
    (("go",), ("gofmt",)),
    (("rust",), ("rustfmt",)),
    (("shellscript",), ("shfmt", "-")),
    (("lua",), ("stylua", "-")),
    (("json",), ("jq", ".")),
    (("perl",), ("perltidy",)),
    (("toml",), ("taplo", "fmt", "-")),
    (("terraform",), ("terraform", "fmt", "-")),
    (("nix",), ("nixfmt",)),
    (("zig",), ("zig", "fmt", "--stdin")),
    (("elixir",), ("mix", "format", "-")),
    (("ocaml",), ("ocamlformat", "--impl", "-")),
    (("haskell",), ("ormolu", "--stdin-input-file", "{file}")),
    (("swift",), ("swift-format",)),
    (("xml",), ("xmllint", "--format", "-")),
)


def usual_commands(language: str | None) -> list[tuple[str, ...]]:
    """Return the commands of a language's usual formatters, the preferred one first."""
    if language is None:
        return []
    wanted = canonical(language)
    return [command for ids, command in _COMMANDS if wanted in map(canonical, ids)]


def usual_formatter(language: str | None) -> tuple[str, ...]:
    """Return the command of the first usual formatter that is installed; () if there is none."""
    for program, *arguments in usual_commands(language):
        if found := shutil.which(program):
            return (str(Path(found).absolute()), *arguments)
    return ()
