"""Whether a command executes the candidate itself, and whether anything confines it then.

A compiler or a linter only reads the candidate. A shell, make or an interpreter does what it says, and
nobody has read it. So users are asked once more before that happens without a sandbox. What a script
of theirs does with the candidate is not known; only the command is read.
"""

from __future__ import annotations

import re
import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING

from pollard.executors.sandbox.sandboxes import Means, means_here
from pollard.oracle.command import names_file
from pollard.oracle.predicate import Predicate
from pollard.oracle.sandbox_policy import SandboxLevel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pollard.oracle import CommandOracle
    from pollard.oracle.predicate import AnyOracle

_SHELLS = r"(?:ba|da|z|k|mk|fi|c|tc)?sh"
# Interpreters, and their options after which the candidate is only data, or is only checked.
_INTERPRETERS = {
    _SHELLS: "-n",
    r"(?:python|pypy)[-0-9.]*": "-c",
    r"(?:node|nodejs|bun)[0-9.]*": "-[ecp]|--eval|--print|--check",
    r"php[0-9.]*": "-[rl]",
    r"(?:perl|ruby|lua|luajit)[-0-9.]*": r"-\w*[ce]",
    r"Rscript|julia|groovy|tclsh[0-9.]*|wish[0-9.]*": "-[eE]",
    r"java": "-jar|-cp|-classpath",
    r"osascript|pwsh|powershell|cscript|wscript": "-e|-Command",
}
# Programs that execute what they find in the directory of a run.
_RUNNERS = frozenset({"make", "gmake", "nmake", "just", "rake", "pytest", "py.test", "tox", "nox"})
# Programs that do so with one of these words.
_RUNNING_WORDS = {
    "cargo": {"run", "test", "bench", "build"},  # a build script is a program
    "deno": {"run", "test"},
    "dotnet": {"run", "test"},
    "go": {"run", "test"},
    "npm": {"run", "start", "test"},
    "npx": {"jest", "mocha", "tsx", "ts-node", "vitest"},
}
_RUNNING_MODULES = frozenset({"doctest", "pytest", "runpy", "unittest"})
# Programs that run the command in their arguments.
_WRAPPERS = frozenset(
    {
        "!",
        "command",
        "env",
        "exec",
        "nice",
        "nohup",
        "setarch",
        "setsid",
        "stdbuf",
        "time",
        "timeout",
    }
    | {"builtin", "chrt", "do", "else", "if", "ionice", "then", "until", "while", "xvfb-run", "{"}
)
_NO_PROGRAM = re.compile(r"-.*|\w+=.*|[0-9.]+[smhd]?|x86_64|linux64")
_CONTROL = frozenset({"&&", "||", ";", ";;", "|", "|&", "&", "(", ")", "\n"})
_REDIRECTION = re.compile(r"[0-9]*(?:[<>]+&?|&>+)")
_SUBSTITUTION = re.compile(r"\$\(([^()]*)\)|`([^`]*)`")
_AWK = re.compile(r"[gmn]?awk")


def executed_by(oracle: CommandOracle, *, on_files: bool = False) -> str:
    """Return the program that executes the candidate, as far as the command tells; "" if none does.

    With `on_files`, the candidate is all files of the directory in which the command runs.
    """
    if oracle.is_server:
        return ""
    appended = not (on_files or oracle.stdin or names_file(oracle.command))
    reader = _CommandReader(
        reads_candidate=oracle.stdin,
        on_files=on_files,
        companions=frozenset(path.name for path in oracle.files),
    )
    if isinstance(oracle.command, str):
        return reader.script(f"{oracle.command} {{file}}" if appended else oracle.command)
    return reader.command([*oracle.command, *(["{file}"] if appended else [])])


def risk_of(oracle: AnyOracle, *, on_files: bool = False) -> str:
    """Return a sentence for the user if candidates are executed and nothing confines them; else ""."""
    if isinstance(oracle, Predicate):
        return ""
    on_files = on_files or oracle.reduce_files
    program = executed_by(oracle, on_files=on_files)
    if not program or (oracle.cluster and oracle.sandbox.level is not SandboxLevel.OFF):
        return ""
    if oracle.sandbox.level is SandboxLevel.OFF:
        reason = "its sandbox is off"
    else:
        means, reason = means_here()
        if means is not Means.NOTHING:
            return ""
    what = "the files that are" if on_files else "the file that is"
    return (
        f"This command executes {what} reduced ({program}), and no sandbox confines it: {reason}. "
        "Versions with parts missing may delete or change whatever you may."
    )


class _CommandReader:
    """Reads commands; each method returns the program that executes the candidate, or ""."""

    def __init__(
        self, *, reads_candidate: bool, on_files: bool, companions: frozenset[str]
    ) -> None:
        self._reads_candidate = reads_candidate  # on standard input
        self._on_files = on_files
        self._companions = companions
        self._in_run_directory = False  # relative paths start there

    def script(self, text: str) -> str:
        """Read a script for a shell."""
        before, self._in_run_directory = self._in_run_directory, True
        parts = [text, *(found[1] or found[2] for found in _SUBSTITUTION.finditer(text))]
        commands = (words for part in parts for words in _simple_commands(part))
        found = next(filter(None, map(self.command, commands)), "")
        self._in_run_directory = before
        return found

    def command(self, words: Sequence[str]) -> str:
        """Read the words of one command."""
        rest = _without_wrappers(words)
        if not rest:
            return ""
        program, arguments = rest[0], rest[1:]
        name = PurePath(program.replace("\\", "/")).name.removesuffix(".exe")
        if self._is_candidate(program, is_program=True):
            return program
        if name in _RUNNERS or _RUNNING_WORDS.get(name, set()).intersection(arguments[:1]):
            return name
        if _AWK.fullmatch(name):
            return name if "-f {file}" in " ".join(arguments) else ""
        for pattern, harmless in _INTERPRETERS.items():
            if re.fullmatch(pattern, name):
                return self._interpreted(name, arguments, harmless, is_shell=pattern == _SHELLS)
        return ""

    def _interpreted(
        self, name: str, arguments: Sequence[str], harmless: str, *, is_shell: bool
    ) -> str:
        """Read the arguments of an interpreter, up to the program that it runs."""
        rest = list(arguments)
        while rest:
            word = rest.pop(0)
            if re.fullmatch(harmless, word):
                return ""
            if word == "-m" and rest:
                return name if rest[0] in _RUNNING_MODULES else ""
            if is_shell and re.fullmatch(r"-\w*c", word):
                return self.script(rest[0]) if rest else ""
            if _REDIRECTION.fullmatch(word) or word in ("-", "-s"):
                continue
            if not word.startswith("-"):
                return name if self._is_candidate(word) else ""
        return name if self._reads_candidate or self._in_run_directory else ""

    def _is_candidate(self, word: str, *, is_program: bool = False) -> bool:
        """Return whether a word is the candidate, or a file that can only come from it."""
        if "{file}" in word:
            return True
        if word.startswith(("/", "{workspace}", "-")) or PurePath(word).name in self._companions:
            return False
        if word.startswith("{dir}"):
            return True
        is_path = word.startswith("./") if is_program else True
        return is_path and (self._on_files or self._in_run_directory)


def _without_wrappers(words: Sequence[str]) -> list[str]:
    """Return the words without what runs the real program, and without assignments."""
    rest = list(words)
    while rest and (PurePath(rest[0]).name in _WRAPPERS or re.match(r"\w+=", rest[0])):
        rest.pop(0)
        while rest and _NO_PROGRAM.fullmatch(rest[0]):
            rest.pop(0)
    return rest


def _simple_commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each simple command of a script, roughly."""
    lexer = shlex.shlex(
        text.replace("\\\n", " ").replace("\n", " ; "), posix=True, punctuation_chars=True
    )
    lexer.wordchars += "{}$@%+!^,:"
    words: list[str] = []
    try:
        for word in lexer:
            if word in _CONTROL:
                yield words
                words = []
            else:
                words.append(word)
    except ValueError:  # quotes that do not match
        pass
    yield words
