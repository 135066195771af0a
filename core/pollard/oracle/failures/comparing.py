"""The original's failure, with which candidates are compared, and the other failures met on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pollard.oracle.failures.printed import failures_in
from pollard.oracle.signature import SameFailure, Signature
from pollard.oracle.verdict import Verdict

if TYPE_CHECKING:
    from pollard.oracle.verdict import Run

_MAX_OTHERS = 100


@dataclass(frozen=True, slots=True)
class OriginalFailure:
    """The failure of the original, and how closely a candidate's must agree with it.

    `signatures` are those of all runs that checked the original. If they differ, each of them counts.
    If there are none, the criteria alone decide, unless `is_plain_output`: what their patterns match
    is no failure that a program reports, and must not be one in a candidate either. So a program that
    prints "wrong total" does not become one that dies of the name that stood before "wrong total".
    `heard` is the failure that a script read, where nothing else tells, in `heard_text`. Candidates
    are compared with it only once a search has ended at another one.
    """

    signatures: tuple[Signature, ...] = ()
    degree: SameFailure = SameFailure.KIND
    is_plain_output: bool = False
    heard: Signature | None = None
    heard_text: str = ""

    @property
    def told(self) -> Signature | None:
        """The failure of the first run, or what a script read of it."""
        return self.first or self.heard

    @property
    def first(self) -> Signature | None:
        """The failure of the first run, if it tells which it is."""
        return next(iter(self.signatures), None)

    def admits(self, failure: Signature | None) -> bool:
        """Return whether a candidate that meets the criteria shows the failure; None: it tells none."""
        if self.degree is SameFailure.OFF:
            return True
        if not self.signatures:
            return failure is None or not self.is_plain_output
        return failure is not None and any(
            failure.agrees(signature, self.degree) for signature in self.signatures
        )

    def is_unheard(self, run: Run) -> bool:
        """Return whether a script read another failure in a run than in that of the original.

        To compare kinds, it counts as the same if the original's run told it too, in whatever place:
        of several errors another one may come last.
        """
        failure = run.failure
        if failure is None or self.heard is None or failure.agrees(self.heard, self.degree):
            return False
        told = failures_in(self.heard_text) if self.degree is SameFailure.KIND else []
        return not any(
            failure.kind == each.kind or (failure.message and failure.message in each.message)
            for each in told
        )

    @property
    def as_heard(self) -> OriginalFailure:
        """The same failure for runs that tell what a script reads."""
        return OriginalFailure((self.heard,) if self.heard else (), self.degree)

    def is_shown_by(self, run: Run) -> bool:
        """Return whether a run meets the criteria with this failure."""
        return run.verdict is Verdict.INTERESTING and self.admits(run.failure)

    def differs(self, failure: Signature) -> bool:
        """Return whether a failure is of another kind than the original's."""
        return all(failure.kind != signature.kind for signature in self.signatures)


def has_changed(original: Signature | None, result: Signature | None) -> bool:
    """Return whether the result's failure is of another kind, or only one of the two is known."""
    if original is None or result is None:
        return original is not result
    return original.kind != result.kind


def compared(original: Signature | None, result: Signature | None) -> list[str]:
    """Return lines for people that compare the failures of the original and of the result.

    No line if neither is known; one line if they are the same.
    """
    if original is None and result is None:
        return []
    if original == result:
        return [f"the failure is the same: {original}"]
    changed = has_changed(original, result)
    return [
        "THE FAILURE HAS CHANGED:" if changed else "the failure is of the same kind:",
        f"  original: {_detailed(original)}",
        f"  result:   {_detailed(result)}",
    ]


def _detailed(failure: Signature | None) -> str:
    if failure is None:
        return "unknown: neither output nor exit status tells"
    message = f" ({failure.message})" if failure.message not in ("", failure.kind) else ""
    return f"{failure}{message}"


@dataclass(frozen=True, slots=True)
class OtherFailure:
    """A failure of another kind than the original's, and the smallest text that showed it.

    `runs` is the number of candidates that showed it. If the text is an archive of several files,
    `size` is the bytes of these.
    """

    failure: Signature
    text: bytes = field(repr=False)
    runs: int = 1
    size: int | None = None

    @property
    def bytes(self) -> int:
        """The size of the text, or of the files in it."""
        return len(self.text) if self.size is None else self.size


class OtherFailures:
    """Collects other failures by kind: the smallest text of each, of equals the first."""

    def __init__(self) -> None:
        self._by_kind: dict[str, OtherFailure] = {}

    @property
    def found(self) -> tuple[OtherFailure, ...]:
        """The failures in the order in which they were first seen."""
        return tuple(self._by_kind.values())

    def copy(self) -> OtherFailures:
        """Return another collection of the same failures."""
        copied = OtherFailures()
        copied.take_back(self)
        return copied

    def take_back(self, earlier: OtherFailures) -> None:
        """Forget what was noted after `earlier`, a copy."""
        self._by_kind = dict(earlier._by_kind)

    def add(self, failure: Signature, text: bytes) -> None:
        """Note a candidate with another failure; above 100 kinds, new ones are ignored."""
        known = self._by_kind.get(failure.kind)
        if known is not None:
            smallest = known if len(known.text) <= len(text) else OtherFailure(failure, text)
            self._by_kind[failure.kind] = OtherFailure(
                smallest.failure, smallest.text, known.runs + 1
            )
        elif len(self._by_kind) < _MAX_OTHERS:
            self._by_kind[failure.kind] = OtherFailure(failure, text)
