"""The usual formatters of languages, for `formatter = "auto"`.

Each reads a text on standard input and prints it. The first that is installed is used, by its absolute
path: so a consent names, and covers, the program that runs.
"""

from __future__ import annotations

import shlex
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


def notes_on(formatter: str | tuple[str, ...] | None, language: str | None) -> tuple[str, ...]:
    """Return what to tell the user of a usual formatter: which it is, or that there is none.

    `formatter` is the engine's: () stands for a usual one that is not installed.
    """
    if formatter == ():
        return (_no_formatter(language),)
    if isinstance(formatter, tuple) and formatter == usual_formatter(language):
        return (f"The result will be formatted by {shlex.join(formatter)}.",)
    return ()


def _no_formatter(language: str | None) -> str:
    names = [command[0] for command in usual_commands(language)]
    if not names:
        return "The result will not be formatted: Pollard knows no formatter for this language."
    return f"The result will not be formatted: install {' or '.join(dict.fromkeys(names))}."
