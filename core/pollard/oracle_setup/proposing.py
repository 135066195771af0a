"""What the runs of a trial show: oracles that hold for the file, or one sentence why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pollard.oracle.checking.hints import NOT_FOUND_CODE
from pollard.oracle.criteria import Criteria, signal_name, suggestions
from pollard.oracle.failures.selection import read_signature
from pollard.oracle_setup import two_versions
from pollard.oracle_setup.presets import CRASH, DIFFER, WRONG
from pollard.quantities import format_duration
from pollard.settings.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pollard.oracle.signature import Signature
    from pollard.oracle.verdict import Run
    from pollard.oracle_setup.presets import Trial

_MAX_WRONG_LINES = 12
_MAX_LINE_CHARACTERS = 160
_SPECIAL_CHARACTER = re.compile(r"[\\.^$*+?{}\[\]|()]")
_UNREADABLE = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class ProposedOracle:
    """An oracle that holds for the file.

    - `title`, `detail`: by what it recognises the failure, for people
    - `definition`: all keys of its table in the settings
    - `signature`: the failure that candidates must show, too; None if nothing tells
    - `shown_by_empty_file`: whether an empty file is interesting, too, so that nothing would be left
    """

    title: str
    detail: str
    definition: Mapping[str, Any]
    signature: Signature | None
    shown_by_empty_file: bool = False

    @property
    def criteria(self) -> Criteria:
        """The criteria in the definition."""
        return criteria_of(self.definition)

    @property
    def failure(self) -> str:
        """The failure that the reduction will keep, in a few words for people."""
        if self.signature is None:
            return f"{self.title} (nothing else is compared)"
        return str(self.signature)


def criteria_of(definition: Mapping[str, Any]) -> Criteria:
    """Return the criteria in the definition of an oracle."""
    oracle = Settings.from_mapping({"oracles": {"trial": dict(definition)}}).oracles["trial"]
    return replace(oracle.to_criteria(), exceeds=oracle.exceeds)


def proposals(trial: Trial, runs: Sequence[Run], text: bytes) -> list[ProposedOracle]:
    """Return the oracles for which all runs of a trial on `text` are interesting, the best first."""
    found = [_proposal(trial, *each, runs[0]) for each in _candidates(trial, runs[0], text)]
    return [each for each in found if all(map(each.criteria.holds, runs))]


def obstacle(trial: Trial, runs: Sequence[Run], text: bytes) -> str:
    """Return one sentence on what a trial without proposals showed instead of the failure."""
    run = runs[0]
    if _is_not_found(run):
        line = _last_line(run.stderr)
        return f"The shell did not find a command{f': {line}' if line else ''}."
    if any(_candidates(trial, run, text)):
        return "The runs of the command showed different things; make it deterministic first."
    return f"The file does not show it: {_instead(trial, run)}."


_Candidate = tuple[str, str, dict[str, Any]]


def _proposal(
    trial: Trial, title: str, detail: str, keys: Mapping[str, Any], run: Run
) -> ProposedOracle:
    definition = {**trial.definition, **keys}
    return ProposedOracle(title, detail, definition, read_signature(run, criteria_of(definition)))


def _candidates(trial: Trial, run: Run, text: bytes) -> Iterator[_Candidate]:
    """Yield title, detail and criteria of what the first run shows, the most likely first."""
    if _is_not_found(run):
        return
    if trial.limit is not None:
        yield from _beyond_limit(trial, run)
    elif run.timed_out or run.memory_exceeded:
        return
    elif trial.preset is DIFFER:
        yield from _different(run, text)
    elif trial.preset is WRONG:
        yield from _wrong_output(trial.answers.get("text", ""), run)
    elif trial.preset is not CRASH or run.exit_code != 0:
        seen = suggestions(run, text, read_signature(run, Criteria()))
        yield from ((each.title, each.detail, dict(each.definition)) for each in seen)


def _beyond_limit(trial: Trial, run: Run) -> Iterator[_Candidate]:
    limit = trial.answers["limit"]
    if trial.limit == "timeout" and run.timed_out:
        yield f"It does not end within {limit}", f"timeout = {limit}", {}
    if trial.limit == "memory" and run.memory_exceeded:
        yield f"It needs more than {limit} of memory", f"memory = {limit}", {}


def _different(run: Run, text: bytes) -> Iterator[_Candidate]:
    """Yield the difference with the failure that one of the commands reported, and without it."""
    seen = two_versions.difference(run)
    if seen is None:
        return
    title, keys = f"The two versions differ: {seen}", {"stdout": two_versions.criterion(seen)}
    failed = replace(run, stdout=b"", exit_code=1)
    failure = read_signature(failed, Criteria(stderr="."))
    if failure is not None and two_versions.has_failed(seen):
        for told in suggestions(failed, text, failure)[:1]:
            yield title, f"with {failure}, {told.detail}", {**keys, **told.definition}
    yield title, "exactly this difference", keys


def _wrong_output(wanted: str, run: Run) -> Iterator[_Candidate]:
    """Yield the lines that contain a text; without one all lines, those at the end first.

    The run must end as it does now, so that a crash on the way does not count.
    """
    keys = {"signal": signal_name(run)} if signal_name(run) else {"exit_code": run.exit_code or 0}
    end = f"and it ends with {_ending(run)}"
    streams = {name: getattr(run, name).decode("utf-8", "replace") for name in ("stdout", "stderr")}
    if wanted:
        holders = (name for name, printed in streams.items() if wanted in printed)
        for name in holders:
            yield f"It prints: {wanted}", end, {name: _literal(wanted), **keys}
        return
    lines = [(name, line) for name, text in streams.items() for line in text.splitlines()[::-1]]
    suitable = [each for each in dict.fromkeys(lines) if _is_suitable(each[1])]
    for name, line in suitable[:_MAX_WRONG_LINES]:
        yield f"It prints: {line}", end, {name: f"^{_literal(line)}$", **keys}


def _is_suitable(line: str) -> bool:
    return (
        bool(line.strip())
        and len(line) <= _MAX_LINE_CHARACTERS
        and line.isprintable()
        and _UNREADABLE not in line
    )


def _literal(text: str) -> str:
    return _SPECIAL_CHARACTER.sub(r"\\\g<0>", text)


def _instead(trial: Trial, run: Run) -> str:
    """Return what a run did that does not show the failure, without a full stop."""
    if run.timed_out:
        return f"the command did not end within {format_duration(run.seconds)}"
    if run.memory_exceeded:
        return "the command needed too much memory"
    if trial.preset is DIFFER:
        return (
            "both commands print the same on standard output and end in the same way (2>&1 after "
            "both also compares standard error)"
        )
    ended = f"the command ended after {format_duration(run.seconds)} with {_ending(run)}"
    if trial.preset is WRONG:
        wanted = trial.answers.get("text")
        return f"{ended} and printed {f'no {wanted!r}' if wanted else 'nothing'}"
    line = _last_line(run.stderr) or _last_line(run.stdout)
    return f"{ended}; the last line that it printed: {line}" if line else ended


def _ending(run: Run) -> str:
    return signal_name(run) or f"exit code {run.exit_code}"


def _is_not_found(run: Run) -> bool:
    """Return whether a command is missing, also one of two that are compared."""
    seen = two_versions.difference(run)
    codes = two_versions.exit_codes(seen) if seen else (run.exit_code,)
    return NOT_FOUND_CODE in codes


def _last_line(printed: bytes) -> str:
    lines = printed.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:_MAX_LINE_CHARACTERS].rstrip(".") if lines else ""
