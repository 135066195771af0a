"""The questions of `pollard init`; where nobody can answer, options must."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pollard.cli.console import on_terminal, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pollard.oracle_setup.presets import OraclePreset, PresetQuestion, Trial
    from pollard.oracle_setup.proposing import ProposedOracle
    from pollard.oracle_setup.writing import NewSettings


class Wizard:
    """Asks for what was not given as an option; all questions are on standard error.

    Without a terminal it takes the defaults, and raises `click.UsageError` where there is none.
    """

    def __init__(self, preset: str | None, answers: Mapping[str, str], choice: int | None) -> None:
        self._preset = preset
        self._answers = dict(answers)
        self._choice = choice
        self._can_ask = sys.stdin.isatty() and on_terminal()

    def file(self, given: Path | None) -> Path:
        """Return the file to set up an oracle for."""
        if given is not None:
            return given
        self._require_terminal("Name a FILE.")
        return Path(_asked("The file that shows the failure")).expanduser()

    def trial(self, file: Path, language: str | None) -> Trial:
        """Return the trial of the preset and the answers for a file."""
        from pollard.oracle_setup.presets import preset_named, trial_of  # noqa: PLC0415 (not for --help)

        if self._preset is None:
            self._require_terminal("Say what is wrong with --preset.")
        chosen = preset_named(self._preset) if self._preset else self._chosen_preset(file)
        for question in chosen.questions:
            if question.name not in self._answers:
                self._answers[question.name] = self._answer(question, language)
        return trial_of(chosen, self._answers, file)

    def proposal(self, proposals: Sequence[ProposedOracle]) -> ProposedOracle:
        """Return the proposal that the user chose; the first is the most likely one."""
        if self._choice is not None and self._choice > len(proposals):
            raise click.UsageError(f"There are only {len(proposals)} proposals for --choose.")
        if self._choice is None:
            many = len(proposals) > 1 and self._can_ask
            rows = [f"{each.title} ({each.detail})" for each in proposals]
            self._choice = _chosen("By what is the failure recognised?", rows) if many else 1
        return proposals[self._choice - 1]

    def may_write(self, written: NewSettings, *, replace: bool, yes: bool) -> bool:
        """Return whether the settings may be written; asks unless options tell."""
        if written.replaced and not replace:
            problem = f"{written.file.name} has an oracle {written.name} already"
            self._require_terminal(f"{problem}; choose another --name, or --replace it.")
            return click.confirm(f"{problem}; replace it?", err=True)
        if yes:
            return True
        self._require_terminal("Say with --yes that it may be written.")
        return click.confirm(f"Write this to {written.file}?", default=True, err=True)

    def _chosen_preset(self, file: Path) -> OraclePreset:
        from pollard.oracle_setup.presets import PRESETS  # noqa: PLC0415 (not for --help)

        rows = [f"{preset.title}: {preset.detail}" for preset in PRESETS]
        return PRESETS[_chosen(f"What is wrong with {file}?", rows) - 1]

    def _answer(self, question: PresetQuestion, language: str | None) -> str:
        from pollard.oracle_setup.suggested_commands import suggested_command  # noqa: PLC0415

        suggested = suggested_command(language) if question.is_command else question.default
        if self._can_ask:
            default = suggested or ("" if question.optional else None)
            return _asked(question.prompt, default)
        if question.is_command or not (question.optional or question.default):
            raise click.UsageError(f"Give --{question.name}: {question.prompt}.")
        return question.default

    def _require_terminal(self, instead: str) -> None:
        if not self._can_ask:
            raise click.UsageError(instead)


def _asked(prompt: str, default: str | None = None) -> str:
    answer: str = click.prompt(prompt, default=default, show_default=bool(default), err=True)
    return answer


def _chosen(question: str, rows: Sequence[str]) -> int:
    """Let the user choose one of several rows by its number, from 1."""
    say(question)
    for number, row in enumerate(rows, 1):
        say(f"  {number}  {row}")
    number = click.prompt("Number", type=click.IntRange(1, len(rows)), default=1, err=True)
    return int(number)
