"""The presets: kinds of failures, what users are asked about them, and the trials of the answers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pollard.errors import PollardError
from pollard.oracle_setup.two_versions import comparison
from pollard.quantities import parse_duration, parse_size
from pollard.settings.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class AnswerError(PollardError):
    """An answer, or the lack of one, that makes no trial."""


@dataclass(frozen=True, slots=True)
class PresetQuestion:
    """What the user is asked.

    - `name`: its name among the answers, and the option of `pollard init`
    - `prompt`: the question itself
    - `default`: the answer that is suggested; "" if there is none
    - `optional`: whether the answer may be empty
    - `is_command`: whether the answer is a command, for which the language has a suggestion
    """

    name: str
    prompt: str
    default: str = ""
    optional: bool = False
    is_command: bool = False


_COMMAND = PresetQuestion(
    "command", "The command that shows it, with {file} for the file", is_command=True
)


@dataclass(frozen=True, slots=True)
class OraclePreset:
    """One kind of failure: its name for options, a title and a line for people, and its questions."""

    name: str
    title: str
    detail: str
    questions: tuple[PresetQuestion, ...] = (_COMMAND,)


CRASH = OraclePreset(
    "crash", "It crashes", "a signal, an exception, an internal error or another error message"
)
HANG = OraclePreset(
    "hang",
    "It hangs",
    "it does not end",
    (_COMMAND, PresetQuestion("limit", "After what time does it hang", default="10s")),
)
DIFFER = OraclePreset(
    "differ",
    "Two versions differ",
    "two commands print something different, or end in a different way",
    (
        PresetQuestion("command", "The first command, with {file} for the file", is_command=True),
        PresetQuestion("second", "The second command, with {file} for the file", is_command=True),
    ),
)
WRONG = OraclePreset(
    "wrong",
    "It prints something wrong",
    "it ends as usual, but its output is not what it should be",
    (
        _COMMAND,
        PresetQuestion(
            "text", "What it prints that is wrong (empty: choose from its lines)", optional=True
        ),
    ),
)
SLOW = OraclePreset(
    "slow",
    "Too slow or too much memory",
    "it ends, but it takes too long or needs too much",
    (
        _COMMAND,
        PresetQuestion(
            "limit", 'What is too much: a time such as "5s", or memory such as "500MB"', "5s"
        ),
    ),
)
OTHER = OraclePreset("other", "Something else", "choose from all that a run shows")
PRESETS = (CRASH, HANG, DIFFER, WRONG, SLOW, OTHER)


def preset_named(name: str) -> OraclePreset:
    """Return the preset of this name. Raises AnswerError."""
    known = {preset.name: preset for preset in PRESETS}
    if name not in known:
        names = ", ".join(known)
        message = f"There is no preset {name!r}{suggestion(name, known)}; the presets are: {names}."
        raise AnswerError(message)
    return known[name]


@dataclass(frozen=True, slots=True)
class Trial:
    """An oracle that is tried: its definition without criteria, and what was answered.

    `limit` says which limit must be exceeded, "timeout" or "memory"; it is None for other presets.
    """

    preset: OraclePreset
    answers: Mapping[str, str]
    definition: Mapping[str, Any] = field(default_factory=dict)
    limit: str | None = None

    @property
    def runs(self) -> int:
        """How many times to run it; one run shows what must exceed a limit, which takes time."""
        return 1 if self.limit else 2


def trial_of(preset: OraclePreset, answers: Mapping[str, str], file: Path) -> Trial:
    """Return the trial that these answers make. Raises AnswerError if one is missing or wrong.

    In commands, a word that is the name or path of `file` becomes `{file}`, also as shells complete it.
    """
    given = {name: text.strip() for name, text in answers.items()}
    _require_all(preset, given)
    commands = {
        question.name: _with_placeholder(given[question.name], file)
        for question in preset.questions
        if question.is_command
    }
    if preset is DIFFER:
        return Trial(preset, given, {"command": comparison(**_both(commands))})
    definition = {"command": commands["command"]}
    if preset in (HANG, SLOW):
        limit = _limit(given["limit"], durations_only=preset is HANG)
        definition |= {"exceeds": limit, limit: given["limit"]}
        return Trial(preset, given, definition, limit)
    return Trial(preset, given, definition)


def with_surroundings(trial: Trial) -> Trial:
    """Return a trial whose runs find what is around the file; nothing appends the file to it then."""
    command = _with_file(trial.definition["command"])
    return replace(trial, definition={**trial.definition, "command": command, "around": True})


def _require_all(preset: OraclePreset, given: Mapping[str, str]) -> None:
    known = {question.name for question in preset.questions}
    for name in given.keys() - known:
        message = f"The preset {preset.name!r} does not ask for {name!r}; leave it out."
        raise AnswerError(message)
    for question in preset.questions:
        if not question.optional and not given.get(question.name):
            message = f"The preset {preset.name!r} needs {question.name!r}: {question.prompt}."
            raise AnswerError(message)


def _both(commands: Mapping[str, str]) -> dict[str, str]:
    """Return the two commands to compare, each with the file; a shell would not add it to both."""
    return {
        "first": _with_file(commands["command"]),
        "second": _with_file(commands["second"]),
    }


def _with_file(command: str) -> str:
    return command if re.search(r"\{(?:file|dir)\}", command) else f"{command} {{file}}"


def _with_placeholder(command: str, file: Path) -> str:
    if "{file}" in command:
        return command
    plain = (str(file), str(file.absolute()), file.name)
    with_backslashes = (re.sub(r"[^\w@%+=:,./-]", r"\\\g<0>", name) for name in plain)
    names = "|".join(map(re.escape, (*plain, *with_backslashes)))
    return re.sub(rf"(?<![^\s\"'<])(?:\./)?(?:{names})(?![^\s\"';|&>)])", "{file}", command)


def _limit(text: str, *, durations_only: bool) -> str:
    """Return which limit a text is: "timeout" for a duration, "memory" for a size."""
    try:
        if parse_duration(text) > 0:
            return "timeout"
    except ValueError:
        if not durations_only and _is_size(text):
            return "memory"
    wanted = 'a time such as "10s"' + ("" if durations_only else ' or memory such as "500MB"')
    message = f"The limit must be {wanted}, not {text!r}."
    raise AnswerError(message)


def _is_size(text: str) -> bool:
    try:
        return parse_size(text) > 0
    except ValueError:
        return False
