"""`pollard init`: asks what is wrong with a file, tries that at once, and writes the oracle."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 (click and the dataclass need it)
from typing import TYPE_CHECKING

import click

from pollard.cli.console import NOT_INTERESTING, USAGE, complain, say
from pollard.cli.options import PATH_TYPE, allows_unconfined
from pollard.cli.setup.wizard_questions import Wizard

if TYPE_CHECKING:
    from pollard.oracle import CommandOracle
    from pollard.oracle_setup.presets import Trial
    from pollard.oracle_setup.proposing import ProposedOracle
    from pollard.oracle_setup.trying import TriedOracle
    from pollard.oracle_setup.writing import NewSettings
    from pollard.settings import Settings

_ANSWERS = ("command", "second", "limit", "text")


@click.command("init", short_help="Set up an oracle for FILE, and try it at once.")
@click.argument("file", required=False, type=PATH_TYPE)
@click.option(
    "--preset", metavar="NAME", help="What is wrong: crash, hang, differ, wrong, slow or other."
)
@click.option("--command", metavar="C", help='The command that shows it: "gcc -O2 -c {file}".')
@click.option("--second", metavar="C", help="The command to compare with. (differ)")
@click.option("--limit", metavar="L", help='What is too much: "10s" or "500MB". (hang, slow)')
@click.option("--text", metavar="TEXT", help="What it prints that is wrong. (wrong)")
@click.option(
    "--choose", metavar="N", type=click.IntRange(1), help="Recognise the failure by proposal N."
)
@click.option("--name", metavar="NAME", help="The oracle's name. [default: the program's]")
@click.option("--replace", is_flag=True, help="Replace an oracle of that name.")
@click.option("-l", "--language", metavar="L", help="FILE's language; none: no grammar.")
@allows_unconfined
@click.option("-y", "--yes", is_flag=True, help="Write pollard.toml without asking.")
def init(
    file: Path | None,
    preset: str | None,
    choose: int | None,
    name: str | None,
    replace: bool,
    language: str | None,
    yes: bool,
    allow_unconfined: bool,
    **options: str | None,
) -> int:
    """Set up an oracle for FILE: ask what is wrong, try it on FILE, and write pollard.toml.

    On a terminal, asks for what is not given as an option. Shows the failure, and writes nothing if
    FILE does not show it.

    \b
    Examples:
      pollard init crash.c
      pollard init crash.c --preset crash --command "gcc -O2 -c {file}" --yes
      pollard init slow.py --preset slow --command "python3 {file}" --limit 5s --yes
      pollard init odd.py --preset differ --command "python3 {file}" --second "pypy3 {file}"

    Exit codes: 0 written, 2 usage, settings or not written, 3 FILE does not show the failure.
    """  # noqa: D301
    answers = {key: options[key] for key in _ANSWERS if (options[key] or "").strip()}
    wizard = Wizard(preset, {key: str(text) for key, text in answers.items()}, choose)
    subject = _FailingFile.of(wizard.file(file), language)
    trial = wizard.trial(subject.file, subject.language)
    seen = subject.tried(trial, allow_unconfined=allow_unconfined)
    if not seen.proposals:
        return _explain(seen)
    chosen = wizard.proposal(seen.proposals)
    written = subject.new_settings(chosen, name, replace=replace)
    _show(chosen, seen, written)
    if not wizard.may_write(written, replace=replace, yes=yes):
        complain("nothing was written")
        return USAGE
    return _write(written, subject)


@dataclass(frozen=True, slots=True)
class _FailingFile:
    """The file that an oracle is set up for, its language, and its settings.

    `settings_file` is where the oracle will be written; None stands for a new file.
    """

    file: Path
    text: bytes
    language: str | None
    settings: Settings
    settings_file: Path | None

    @classmethod
    def of(cls, file: Path, language: str | None) -> _FailingFile:
        """Read a file and its settings. Raises PollardError, also if they cannot be written."""
        from pollard.cli.target import read_file  # noqa: PLC0415 (not for --help)
        from pollard.settings import settings_for  # noqa: PLC0415
        from pollard.settings.editing import own_file  # noqa: PLC0415
        from pollard.settings.settings_file import find_settings  # noqa: PLC0415
        from pollard.syntax.encodings.encoding import text_of  # noqa: PLC0415
        from pollard.syntax.grammars.languages import grammar_for  # noqa: PLC0415

        text = read_file(file)
        grammar = grammar_for(file.name, text_of(text), language)
        settings = settings_for(file)
        found = find_settings(file.resolve().parent)
        _require_writable(found or own_file(file.resolve().parent))
        return cls(file, text, grammar.name if grammar else None, settings, found)

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.file.resolve().parent

    def tried(self, trial: Trial, *, allow_unconfined: bool) -> TriedOracle:
        """Run a trial on the file; Ctrl-C ends it. Asks if that executes the file unconfined."""
        from pollard.cli.sandbox import require_consent  # noqa: PLC0415 (not for --help)
        from pollard.cli.session import waited_for  # noqa: PLC0415
        from pollard.oracle import CancelToken  # noqa: PLC0415
        from pollard.oracle_setup.trying import trial_oracle, tried  # noqa: PLC0415

        def oracle_of(trial: Trial) -> CommandOracle:
            return trial_oracle(
                trial.definition, self.settings, self.language, self.file.absolute()
            )

        oracle, token = oracle_of(trial), CancelToken()
        require_consent(oracle, allowed=allow_unconfined)
        say(f"running it on {self.file} ...")
        return waited_for(
            lambda: tried(
                trial, oracle, self.file.name, self.text, among_links=oracle_of, cancelled=token
            ),
            token.set,
        )

    def new_settings(
        self, proposal: ProposedOracle, name: str | None, *, replace: bool
    ) -> NewSettings:
        """Return the settings file with a proposal in it. Raises PollardError."""
        from pollard.oracle_setup.writing import new_settings  # noqa: PLC0415 (not for --help)

        return new_settings(
            proposal.definition,
            self.settings,
            self.settings_file,
            self.folder,
            language=self.language,
            name=name,
            replace=replace,
        )


def _explain(seen: TriedOracle) -> int:
    """Say why there is nothing to write, with what the last run printed."""
    complain(seen.describe())
    say("nothing was written")
    return NOT_INTERESTING


def _show(chosen: ProposedOracle, seen: TriedOracle, written: NewSettings) -> None:
    """Show the failure, the times of the runs and the oracle's table."""
    click.echo(f"failure: {chosen.failure}")
    click.echo(f"recognised by: {chosen.title} ({chosen.detail})")
    click.echo(f"time of each run: {seen.times}")
    click.echo(f"\n{written.table}\n")


def _require_writable(path: Path) -> None:
    """Raise OutputError if the settings file is sure to be unwritable, before anything is asked."""
    from pollard.cli.output import OutputError, require_writable  # noqa: PLC0415 (not for --help)

    if (path.is_symlink() or path.exists()) and not path.is_file():
        raise OutputError(f"{path} is not a file that settings can be written to; remove it first.")
    require_writable(path, "make it writable, or copy FILE to a folder of yours")


def _write(written: NewSettings, subject: _FailingFile) -> int:
    from pollard.cli.output import unwritable  # noqa: PLC0415 (not for --help)
    from pollard.system import write_atomically  # noqa: PLC0415

    try:
        write_atomically(written.file.resolve(), written.text.encode("utf-8"))
    except OSError as error:
        raise unwritable(written.file, error, "nothing was written") from error
    file = str(subject.file)
    words = ["pollard", "reduce", f"./{file}" if file.startswith("-") else file]
    if subject.settings.oracles.keys() - {written.name}:
        words += ["--oracle", written.name]
    say(f"the oracle {written.name} is in {written.file}; next: {shlex.join(words)}")
    return 0
