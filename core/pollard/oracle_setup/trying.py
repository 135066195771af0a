"""Runs a trial on the file, and once on an empty file, which shows criteria that hold for anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.executors import check_oracle
from pollard.oracle.checking.check import Health
from pollard.oracle.checking.hints import NOT_FOUND_CODE, missed
from pollard.oracle.failures.selection import read_signature
from pollard.oracle.signature import SameFailure
from pollard.oracle_setup.presets import with_surroundings
from pollard.oracle_setup.proposing import obstacle, proposals
from pollard.quantities import format_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pollard.oracle import Cancellable, Check, CommandOracle, Run, Share, Signature
    from pollard.oracle_setup.presets import Trial
    from pollard.oracle_setup.proposing import ProposedOracle
    from pollard.settings import Settings

#: The name of an oracle that is tried, and the source of its settings in messages.
TRIAL_NAME = "trial"
ANSWERS = "the answers"

_ALREADY_EMPTY = (
    "An empty file is interesting, too, so nothing would be left of this one; the failure must be "
    "recognised by something else."
)


@dataclass(frozen=True, slots=True)
class TriedOracle:
    """What a trial showed: the check, and the oracles that hold for the file.

    `obstacle` is one sentence that says why there are none; "" if there are.
    """

    check: Check
    proposals: tuple[ProposedOracle, ...] = ()
    obstacle: str = ""

    @property
    def health(self) -> Health:
        """Whether the file shows the failure."""
        if not self.check.runs:
            return Health.BROKEN
        return Health.INTERESTING if self.proposals else Health.UNINTERESTING

    def describe(self) -> str:
        """Return what happened, in several lines for a person."""
        if self.proposals:
            return (
                f"The file shows it: {self.proposals[0].failure}.\nTime of each run: {self.times}"
            )
        return "\n".join([self.obstacle, *self.check.describe().splitlines()[1:]])

    @property
    def times(self) -> str:
        """The times of the runs, for people: "0.03 s, 0.04 s"."""
        return ", ".join(format_duration(run.seconds) for run in self.check.runs)


def trial_oracle(
    definition: Mapping[str, object],
    settings: Settings,
    language: str | None,
    file: Path,
    origin: str = ANSWERS,
) -> CommandOracle:
    """Return an oracle for `file` that is not configured, with the workspace's limits.

    Its workspace is that of the settings, or else the folder of the file. `origin` says in messages
    where the definition comes from. Raises PollardError.
    """
    merged = settings.merge({"oracles": {TRIAL_NAME: dict(definition)}}, origin)
    oracle = merged.oracle_for(language, TRIAL_NAME)
    return oracle.to_oracle(settings.workspace or file.parent, file)


def tried(
    trial: Trial,
    oracle: CommandOracle,
    filename: str,
    text: bytes,
    *,
    among_links: Callable[[Trial], CommandOracle] | None = None,
    cancelled: Cancellable | None = None,
    share: Share | None = None,
) -> TriedOracle:
    """Run a trial, whose oracle is `oracle`, on a file called `filename`. Raises `Cancelled`.

    If it misses files, it is run once more with what is around the file, by the oracle that
    `among_links` returns for such a trial; that is the trial if it misses less.
    """

    def runs_on(content: bytes, times: int) -> Check:
        return check_oracle(oracle, filename, content, runs=times, cancelled=cancelled, share=share)

    checked = runs_on(text, trial.runs)
    if among_links is not None and _misses_files(checked):
        alone = trial, oracle, checked
        trial = with_surroundings(trial)
        oracle = among_links(trial)
        checked = runs_on(text, trial.runs)
        if not _misses_less(checked, alone[-1]):
            trial, oracle, checked = alone
    if not checked.runs:
        return TriedOracle(checked, obstacle=checked.error)
    found = proposals(trial, checked.runs, text)
    if not found:
        return TriedOracle(checked, obstacle=obstacle(trial, checked.runs, text))
    empty = runs_on(b"", 1).runs[:1] if text else ()
    marked = [replace(each, shown_by_empty_file=_shown(each, empty)) for each in found]
    kept = tuple(each for each in marked if not each.shown_by_empty_file)
    return TriedOracle(checked, kept, "" if kept else _ALREADY_EMPTY)


def _misses_files(checked: Check) -> bool:
    """Return whether a trial misses files that may be around its own; no link brings a program."""
    return any(run.exit_code != NOT_FOUND_CODE and missed(run) for run in checked.runs[:1])


def _misses_less(checked: Check, before: Check) -> bool:
    return bool(checked.runs) and not missed(before.runs[0]) <= missed(checked.runs[0])


def _shown(proposal: ProposedOracle, runs: Sequence[Run]) -> bool:
    """Return whether one of the runs is interesting and shows the same kind of failure."""
    criteria, failure = proposal.criteria, proposal.signature
    return any(
        criteria.holds(run)
        and (failure is None or _is_like(failure, read_signature(run, criteria)))
        for run in runs
    )


def _is_like(failure: Signature, seen: Signature | None) -> bool:
    return seen is None or failure.agrees(seen, SameFailure.KIND)
