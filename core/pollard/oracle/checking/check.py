"""Checks before a reduction that the oracle holds for the original every time."""

from __future__ import annotations

import enum
import shlex
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.oracle.checking.flakiness import Frequency
from pollard.oracle.checking.hints import hints_for
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.oracle.failures.comparing import OriginalFailure
from pollard.oracle.predicate import Predicate
from pollard.oracle.sandbox_policy import SandboxLevel
from pollard.oracle.signature import SameFailure
from pollard.oracle.verdict import Run, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from pollard.oracle.checking.flakiness import Flakiness
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.executor import Cancellable, Executor
    from pollard.oracle.predicate import AnyOracle
    from pollard.oracle.sandbox_policy import SandboxPolicy
    from pollard.oracle.signature import Signature
    from pollard.oracle.warm.warm_runs import WarmTrial

_MIN_TIMEOUT_SECONDS = 1.0
_TIMEOUT_FACTOR = 10
# A limit that leaves less than this much room may stop runs only because the machine is busy.
_MIN_COMFORTABLE_FACTOR = 3
_MAX_SHOWN_LINES = 20
_RARE = "hint: if it fails only sometimes, check it with more runs: checks = 20 (--checks 20)."
_SILENT = (
    "The command prints nothing, so failures are not compared, and the search cannot begin where the "
    "program fails; let it print what the program prints (such as grep without -q)."
)
_NOT_TOLD = (
    "The output does not tell which failure this is, so failures are not compared; a command that "
    "also prints the failure changes that (such as grep without -q)."
)
_HIDDEN = (
    "The command hides it, so failures are compared only at the end, and from then on if it is "
    "another; a command that also prints the failure changes that (such as grep without -q)."
)


class Health(enum.Enum):
    """The combined result of several runs on the original.

    - `INTERESTING`: all runs showed the failure, or as many as the oracle requires
    - `UNINTERESTING`: none did
    - `FLAKY`: some did, but too few
    - `BROKEN`: the oracle could not be run
    """

    INTERESTING = "interesting"
    UNINTERESTING = "not interesting"
    FLAKY = "flaky"
    BROKEN = "could not start"


@dataclass(frozen=True, slots=True)
class Check:
    """The result of checking an oracle on the original.

    - `oracle`: the oracle that was checked, as the engine keeps it
    - `health`: the verdicts of all runs, taken together
    - `runs`: the runs, in order; empty if the oracle could not be run
    - `timeout`: the limit of each run in seconds, chosen from the first run
    - `error`: why the oracle could not be run, in one sentence; "" if it could
    - `flakiness`: what was measured about a flaky failure; None if nothing was
    - `sandbox_warning`: what runs may do although the oracle's policy forbids it; "" if nothing
    - `remarks`: sentences about the workers of a cluster
    - `warm`: what a trial of warm runs showed; None if there was none
    - `tree`: the paths of the files that each run finds in its directory, where several are reduced
    - `overheard`: a run to hear what a script reads, if no other run told the failure
    """

    oracle: AnyOracle
    health: Health
    runs: tuple[Run, ...]
    timeout: float
    error: str = ""
    flakiness: Flakiness | None = None
    sandbox_warning: str = ""
    remarks: tuple[str, ...] = ()
    warm: WarmTrial | None = None
    tree: frozenset[bytes] = frozenset()
    overheard: Run | None = None

    @property
    def interesting(self) -> bool:
        """Whether a reduction may begin."""
        return self.health is Health.INTERESTING

    @property
    def first_interesting(self) -> Run | None:
        """The first run that was interesting, if any."""
        return next((run for run in self.runs if run.verdict is Verdict.INTERESTING), None)

    @property
    def telling(self) -> Run | None:
        """The interesting run whose output tells most about the failure, if any."""
        return self.heard or self.first_interesting

    @property
    def heard(self) -> Run | None:
        """The run in which a script's reading was heard; None if nothing was."""
        run = self.overheard
        is_told = run is not None and run.verdict is Verdict.INTERESTING and run.stdout
        return run if is_told else None

    @property
    def is_untold(self) -> bool:
        """Whether failures cannot be compared, since nothing told which one the original's is."""
        return self.interesting and self._is_expected_to_tell and not self.signatures

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """The different failures that the interesting runs showed; empty if one of them told none."""
        told = [failure for failure in self._shown if failure is not None]
        return tuple(dict.fromkeys(told)) if len(told) == len(self._shown) else ()

    @property
    def _shown(self) -> list[Signature | None]:
        """The failure of each interesting run; None where nothing told it."""
        return [run.failure for run in self.runs if run.verdict is Verdict.INTERESTING]

    @property
    def original_failure(self) -> OriginalFailure:
        """What the failure of each candidate is compared with."""
        if isinstance(self.oracle, Predicate):
            return OriginalFailure(degree=self.oracle.same_failure)
        is_plain_output = self.oracle.criteria.has_pattern and not any(self._shown)
        failure = OriginalFailure(self.signatures, self.oracle.same_failure, is_plain_output)
        if self.heard is None:
            return failure
        text = self.heard.stdout.decode("utf-8", "replace")
        return replace(failure, heard=self.heard.failure, heard_text=text)

    @property
    def signature(self) -> Signature | None:
        """The failure that the first interesting run showed, if its output or its end tells."""
        return next(iter(self.signatures), None)

    @property
    def first_seconds(self) -> float:
        """Seconds that the first run took; 0 if none could start."""
        return self.runs[0].seconds if self.runs else 0.0

    @property
    def hits(self) -> int:
        """Number of interesting runs."""
        return sum(run.verdict is Verdict.INTERESTING for run in self.runs)

    @property
    def frequency(self) -> Frequency:
        """How often the original failed; for a flaky failure, in all runs of it that were measured."""
        return self.flakiness.plain if self.flakiness else Frequency(self.hits, len(self.runs))

    @property
    def measured_runs(self) -> int:
        """Number of runs, those included that measured a flaky failure or told more about it."""
        runs = self.flakiness.runs if self.flakiness else len(self.runs)
        return runs + (self.overheard is not None)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user about what may go wrong in a reduction."""
        notes = []
        slowest = max((run.seconds for run in self.runs), default=0.0)
        if self._fears_timeouts and _MIN_COMFORTABLE_FACTOR * slowest > self.timeout:
            notes.append(
                f"The time limit is tight: a run on the file took {slowest:.1f} s, and the limit is "
                f"{self.timeout:.1f} s; set a longer timeout."
            )
        notes += [self.sandbox_warning] if self.sandbox_warning else []
        return (*notes, *self.remarks, *([str(self.warm)] if self.warm else []))

    @property
    def silence(self) -> str:
        """What to change in a script whose exit code is all that says that a program failed, or ""."""
        is_silent = all(run.exit_code == 0 and not run.stdout + run.stderr for run in self.runs)
        return _SILENT if self.is_untold and is_silent and not self.heard else ""

    def describe(self) -> str:
        """Return what happened and what to do, in several lines for a person."""
        if not self.runs:
            return self.error
        missed = [run for run in self.runs if run.verdict is not Verdict.INTERESTING]
        run = missed[0] if missed else self.runs[0]
        if isinstance(self.oracle, Predicate):
            lines = [f"function: {self.oracle.name}", _returned(run)]
        else:
            lines = [*_observed(self.oracle, run)]
            hints = [] if self.interesting else hints_for(self.oracle, run, self.tree)
            lines += hints or ([_RARE] if self.health is Health.UNINTERESTING else [])
        advice = self.flakiness.advice(self.oracle) if self.flakiness else []
        return "\n".join([self._headline(), *advice, *self._told(), *self.notes, *lines])

    def _headline(self) -> str:
        hits, total = self.hits, len(self.runs)
        if self.health is Health.FLAKY:
            return (
                f"The oracle {self.oracle.name!r} is flaky: {hits} of {total} runs on the "
                "unchanged file were interesting; make it deterministic, or require k of n runs."
            )
        if self.health is Health.INTERESTING:
            return f"The file is interesting: {hits} of {total} runs showed the failure."
        return f"The file is not interesting: the oracle {self.oracle.name!r} does not hold for it."

    def _told(self) -> list[str]:
        """Return a line that names the failure, or says why it will not be compared."""
        if not self.interesting:
            return []
        if self.heard and self.heard.failure:
            return [f"This failure: {self.heard.failure}", _HIDDEN]
        if not self.signatures:
            return [self.silence or _NOT_TOLD] if self._is_expected_to_tell else []
        kinds = dict.fromkeys(map(str, self.signatures))
        return [f"This failure: {' or '.join(kinds)}"]

    @property
    def _fears_timeouts(self) -> bool:
        """Whether a run that is stopped would be taken for one without the failure."""
        oracle = self.oracle
        is_wanted = not isinstance(oracle, Predicate) and oracle.criteria.exceeds == "timeout"
        return self.interesting and not is_wanted

    @property
    def _is_expected_to_tell(self) -> bool:
        """Whether failures are compared, and no pattern of the criteria says which one is meant."""
        oracle = self.oracle
        return not (
            isinstance(oracle, Predicate)
            or oracle.same_failure is SameFailure.OFF
            or oracle.criteria.needs_output
        )


def check(
    executor: Executor,
    text: bytes,
    *,
    runs: int = 3,
    cancelled: Cancellable | None = None,
    on_interesting: Callable[[], None] = lambda: None,
) -> Check:
    """Run the oracle on the original at least `runs` times and compare the verdicts.

    The executor's timeout is chosen from the first run, unless the oracle has one. For an oracle that
    asks for k of n runs, at least n take place, and that share of them must be interesting.
    `on_interesting` is called after the first run if that was interesting. Raises `Cancelled`.
    """
    oracle = executor.oracle
    try:
        seen = [executor.run(text, cancelled=cancelled, capture=True)]
        executor.timeout = _timeout(oracle, seen[0])
        if seen[0].verdict is Verdict.INTERESTING:
            on_interesting()
        total = max(runs, oracle.runs_required[1])
        seen += [executor.run(text, cancelled=cancelled, capture=True) for _ in range(total - 1)]
    except OracleError as error:
        return Check(oracle, Health.BROKEN, (), MAX_TIMEOUT_SECONDS, str(error))
    return Check(oracle, _health(oracle, seen), tuple(seen), executor.timeout)


def _timeout(oracle: AnyOracle, first: Run) -> float:
    if oracle.timeout is not None:
        return oracle.timeout
    return min(max(_TIMEOUT_FACTOR * first.seconds, _MIN_TIMEOUT_SECONDS), MAX_TIMEOUT_SECONDS)


def _health(oracle: AnyOracle, seen: list[Run]) -> Health:
    hits = sum(run.verdict is Verdict.INTERESTING for run in seen)
    required, total = oracle.runs_required
    if hits == 0:
        return Health.UNINTERESTING
    return Health.INTERESTING if hits * total >= required * len(seen) else Health.FLAKY


def _returned(run: Run) -> str:
    if run.timed_out:
        return f"it was stopped after {run.seconds:.1f} s"
    return f"it answered after {run.seconds:.2f} s: {run.verdict.value}"


def _observed(oracle: CommandOracle, run: Run) -> list[str]:
    """Return the command, how the run ended, which criteria held, and the end of its output."""
    command = oracle.command if isinstance(oracle.command, str) else shlex.join(oracle.command)
    if oracle.diagnoser is not None:
        command = f"none; {oracle.diagnoser.name} is asked for its own diagnostics"
    answered = (oracle.is_server or oracle.diagnoser) and run.exit_code == 0 and not run.timed_out
    ending = f"it answered after {run.seconds:.2f} s" if answered else _ending(run)
    lines = [f"command: {command}", *_confinement(oracle.sandbox), ending, *_reasons(oracle, run)]
    for name, data in (("stdout", run.stdout), ("stderr", run.stderr)):
        tail = data.decode("utf-8", "replace").splitlines()[-_MAX_SHOWN_LINES:]
        lines += [f"{name}:", *(f"    {line}" for line in tail)] if tail else []
    return lines


def _confinement(policy: SandboxPolicy) -> list[str]:
    """Return a line about what the sandbox of the oracle lets it do; none without a sandbox."""
    if policy.level is SandboxLevel.OFF:
        return []
    exceptions = ", ".join(f"it {each}" for each in policy.exceptions())
    besides = f", but {exceptions}" if exceptions else ""
    return [f"sandbox: level {policy.level.value}{besides}"]


def _ending(run: Run) -> str:
    if run.timed_out:
        return f"it was stopped after {run.seconds:.1f} s"
    if run.memory_exceeded:
        return "it was stopped because it used too much memory"
    if run.signal is not None:
        return f"it was killed by signal {run.signal} after {run.seconds:.2f} s"
    return f"it ended after {run.seconds:.2f} s with exit code {run.exit_code}"


def _reasons(oracle: CommandOracle, run: Run) -> list[str]:
    if run.verdict is Verdict.INVALID and oracle.invalid is not None:
        return ["the criteria for invalid candidates hold:", *oracle.invalid.explain(run)]
    return oracle.criteria.explain(run)
