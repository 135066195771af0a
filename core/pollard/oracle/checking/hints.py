"""Hints what to change in an oracle, or its command, that a run on the original did not satisfy."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.oracle.command import is_file, names_output, words
from pollard.oracle.criteria import suggestions
from pollard.oracle.diagnostics.wanted import WantedDiagnostic, name_of, wanted_from
from pollard.oracle.sandbox_policy import SandboxLevel

if TYPE_CHECKING:
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.verdict import Run

#: The exit code by which a shell says that it did not find a command.
NOT_FOUND_CODE = 127

# What programs say of files, modules and programs that they miss; npx looks for those in its registry.
_MISSING = re.compile(
    rb"no such file|not found|(?:can|could) ?not (?:find|resolve)|n't find|no module named|ENOENT"
    rb"|getaddrinfo|no rule to make|no makefile",
    re.IGNORECASE,
)
_DIRECTORIES = re.compile(rb"[^\s'\"]*[/\\]")
_LEFT_BEHIND = (
    "hint: a run does not see what is around the file; --around (around = true) links it."
)
# What programs print when a file, a process or the network is refused to them.
_DENIED = re.compile(
    "[Rr]ead-only file system|[Pp]ermission denied|Operation not permitted|Network is unreachable"
    "|[Nn]ame resolution|resolve host|ENOTFOUND|EROFS|EACCES|EPERM"
)
_NOT_WRITTEN = re.compile("[Rr]ead-only file system|EROFS")
# What a shell does not take literally between double quotes.
_NOT_LITERAL = re.compile(r'["$`\\!]')
_ABSOLUTE = re.compile(r"(?:^|[\s'\"`(=:])(/[^\s'\"`():;,]+)")


def hints_for(oracle: CommandOracle, run: Run, tree: frozenset[bytes]) -> list[str]:
    """Return what to change so that a run shows the failure; `tree` has the paths beside the file."""
    hints = []
    if run.timed_out:
        hints.append("hint: give the oracle more time if it needs it.")
    if oracle.memory is not None:
        hints.append(f"hint: it had {oracle.memory} bytes of memory; raise the limit?")
    if oracle.criteria.empty and run.exit_code not in (0, NOT_FOUND_CODE):
        hints.append(_without_criteria(run))
    reported = _reported(oracle, run)
    if reported is not None:
        hints.append(f"hint: what it reported is called --diagnostic {_quoted(str(reported))}.")
    flags = [*_with_flags(oracle, run), *_as_patterns(oracle, run)]
    hints += flags
    if run.exit_code == NOT_FOUND_CODE:
        hints.append("hint: exit code 127 is how a shell says that a command was not found.")
    if not tree and oracle.surroundings is None and missed(run):
        hints.append(_LEFT_BEHIND)
    hints += _misplaced(oracle, tree)
    is_confined = oracle.sandbox.level is not SandboxLevel.OFF and not oracle.diagnoser
    is_told = reported is not None or flags
    return [*hints, _denied(run)] if is_confined and not is_told else hints


def missed(run: Run) -> frozenset[bytes]:
    """Return the lines of a run that say what it misses, without the directories of paths."""
    lines = (run.stderr + b"\n" + run.stdout).splitlines()
    return frozenset(_DIRECTORIES.sub(b"", line) for line in lines if _MISSING.search(line))


def _reported(oracle: CommandOracle, run: Run) -> WantedDiagnostic | None:
    """Return what a run reported in the place of a diagnostic that must be reported."""
    others = (wanted_from(text).instead(run) for text in oracle.criteria.diagnostic)
    return next((other for other in others if other is not None), None)


def _with_flags(oracle: CommandOracle, run: Run) -> list[str]:
    """Return a hint for each diagnostic that a compiler's usual command does not report."""
    wanted = [wanted_from(text) for text in oracle.criteria.diagnostic]
    is_usual = oracle.name == name_of(wanted)
    return [
        f"hint: {each.tool.title} may report it only where it compiles; add its command: --diagnostic "
        f"{_quoted(str(each))} -- {' '.join((each.tool.command[0], '-O2', *each.flags))} -c {{file}}."
        for each in wanted
        if is_usual and each.tool.flags and each.is_missing(run)
    ]


def _as_patterns(oracle: CommandOracle, run: Run) -> list[str]:
    """Return a hint for each pattern that does not match, but is printed as it stands."""
    return [
        f"hint: that text is printed, but characters such as ( and . have a meaning in a pattern; "
        f"write --{stream} {_quoted(pattern)}."
        for stream, pattern in oracle.criteria.printed_as_they_stand(run)
    ]


def _without_criteria(run: Run) -> str:
    """Return a hint how to recognise the run, in case it shows the failure."""
    likeliest = [each.definition for each in suggestions(run)[:1]]  # none for a time-out
    definitions = [{"exceeds": "timeout"}] if run.timed_out else likeliest
    ways = (
        f"if this run shows the failure, recognise it by --{name.replace('_', '-')} "
        f"{_quoted(str(value))} (in an oracle's settings {name} = "
        f"{json.dumps(value, ensure_ascii=False)})"
        for definition in definitions
        for name, value in definition.items()
    )
    return "; ".join(["hint: without criteria exit code 0 means interesting", *ways]) + "."


def _quoted(word: str) -> str:
    """Return a word for a shell, in double quotes if it has single ones and double ones will do."""
    takes_doubles = "'" in word and not _NOT_LITERAL.search(word)
    return f'"{word}"' if takes_doubles else shlex.quote(word)


def _denied(run: Run) -> str:
    """Return a hint about the sandbox, with the line that sounds as if something was denied."""
    lines = (run.stderr + b"\n" + run.stdout).decode("utf-8", "replace").splitlines()
    told = next((line.strip() for line in lines if _DENIED.search(line)), "")
    if not told:
        return (
            "hint: does it need more than a sandbox allows? level = 'off' in the oracle's sandbox "
            "settings tells (on the command line --sandbox off)."
        )
    place = _denied_place(told) or "PATH"
    return (
        f"hint: the sandbox may have denied what the command needs ({told}); allow it in the "
        f"oracle's sandbox settings: write = {json.dumps([place])}, network = true or the like, or "
        f"try level = 'off' (on the command line --allow-write {shlex.quote(place)}, "
        "--allow-network, --sandbox off)."
    )


def _denied_place(told: str) -> str:
    """Return the folder that a line says cannot be written; "" if it names none that exists.

    What may not be read could be a secret, so there the user has to think of the path.
    """
    found = _ABSOLUTE.search(told) if _NOT_WRITTEN.search(told) else None
    path = Path(found[1]) if found else Path("/")
    place = path if path.is_dir() else path.parent
    return str(place) if len(place.parts) > 1 and place.is_dir() else ""


def _misplaced(oracle: CommandOracle, tree: frozenset[bytes]) -> list[str]:
    """Return a hint for each relative path that exists in the workspace, where no run takes place.

    The paths of a `tree` that is reduced exist where runs take place, too.
    """
    copied = {path.name for path in oracle.files}
    copied |= {os.fsdecode(path) for path in tree}
    has_program = not isinstance(oracle.command, str)
    told = words(oracle.command, oracle.workspace)
    arguments = [
        word
        for number, word in enumerate(told)
        if number >= has_program and not names_output(told, number)
    ]
    return [
        f"hint: {word} is in the workspace, but runs take place in empty directories: "
        f"write {{workspace}}/{word}, or list it in `files`."
        for word in arguments
        if os.path.normpath(word) not in copied
        and not word.startswith("/")
        and is_file(oracle.workspace / word)
    ]
