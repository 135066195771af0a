"""The commands that are suggested for files of some language; none writes outside a run's directory."""

from __future__ import annotations

_COMMANDS = {
    "bash": "bash {file}",
    "c": "gcc -O2 -c {file} -o out.o",
    "cpp": "g++ -O2 -c {file} -o out.o",
    "csharp": "dotnet script {file}",
    "css": "npx stylelint {file}",
    "dart": "dart analyze {file}",
    "elixir": "elixir {file}",
    "fortran": "gfortran -c {file} -o out.o",
    "go": "go vet {file}",
    "haskell": "ghc -fno-code {file}",
    "html": "npx html-validate {file}",
    "java": "javac -d . {file}",
    "javascript": "node {file}",
    "json": "jq . {file}",
    "julia": "julia {file}",
    "kotlin": "kotlinc {file}",
    "lua": "lua {file}",
    "ocaml": "ocamlc -c {file} -o out.cmo",
    "perl": "perl {file}",
    "php": "php {file}",
    "python": "python3 {file}",
    "r": "Rscript {file}",
    "ruby": "ruby {file}",
    "rust": "rustc --crate-type lib {file}",
    "scala": "scalac -d . {file}",
    "sql": 'sqlite3 :memory: ".read {file}"',
    "swift": "swiftc -typecheck {file}",
    "tsx": "npx tsc --noEmit --jsx preserve {file}",
    "typescript": "npx tsc --noEmit {file}",
    "xml": "xmllint {file}",
    "zig": "zig ast-check {file}",
}


def suggested_command(language: str | None) -> str:
    """Return the usual command for a language, by its canonical id; "" if there is none."""
    return _COMMANDS.get(language or "", "")
