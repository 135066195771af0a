"""The signature of a failure, and how closely two of them must agree."""

from __future__ import annotations

import enum
import json
from dataclasses import astuple, dataclass


class SameFailure(enum.Enum):
    """How closely the failure of a candidate must agree with the original's.

    - `STRICT`: the same kind, generalised message and innermost frames
    - `KIND`: the same kind, such as the exception's type or the diagnostic's code
    - `OFF`: the criteria alone decide
    """

    STRICT = "strict"
    KIND = "kind"
    OFF = "off"


class Severity(enum.IntEnum):
    """How much a failure says about a run; of several failures, the most severe one counts.

    - `CRASH`: the program itself broke: signal, panic, failed assertion, internal compiler error
    - `EXCEPTION`: an uncaught exception of an interpreter
    - `DIAGNOSTIC`: an error with a code, such as E0308
    - `ERROR`: an error without a code
    - `WARNING`: a warning with a code
    """

    WARNING = 0
    ERROR = 1
    DIAGNOSTIC = 2
    EXCEPTION = 3
    CRASH = 4


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure as a reader found it in what a run printed.

    - `kind`: its type: an exception's type, a diagnostic's code, a sanitizer's class, ...
    - `message`: its first line, with numbers, paths, addresses, quoted text and identifiers generalised
    - `where`: where it was raised, for people: "load", "line 13"; "" if unknown
    - `frames`: the innermost functions, at most three, the innermost first
    - `severity`: how it ranks among several failures
    - `principal`: whether of equally severe failures of this reader the "first" or the "last" counts
    - `first_line`, `last_line`: the lines that it covers, counted from 0, both inclusive
    """

    kind: str
    message: str = ""
    where: str = ""
    frames: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR
    reader: str = ""
    principal: str = "first"
    first_line: int = 0
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class Signature:
    """The failure of one run; the fields are those of `Failure`.

    - `crash`: whether the program itself broke, rather than reported an error in its input
    - `ending`: how the run ended: "exit code 1" or "SIGSEGV"
    """

    kind: str
    message: str = ""
    where: str = ""
    frames: tuple[str, ...] = ()
    crash: bool = False
    ending: str = ""

    def agrees(self, other: Signature, degree: SameFailure) -> bool:
        """Return whether both are the same failure as far as `degree` asks."""
        if degree is SameFailure.OFF:
            return True
        if degree is SameFailure.KIND:
            return self.kind == other.kind
        return (self.kind, self.message, self.frames, self.ending) == (
            other.kind,
            other.message,
            other.frames,
            other.ending,
        )

    def encoded(self) -> str:
        """Return the signature as JSON, for a file or a column of a database."""
        return json.dumps(astuple(self))

    @classmethod
    def decoded(cls, text: str) -> Signature:
        """Return the signature that `encoded` wrote. Raises ValueError or TypeError."""
        kind, message, where, frames, crash, ending = json.loads(text)
        return cls(kind, message, where, tuple(frames), crash, ending)

    def __str__(self) -> str:
        """Describe the failure in a few words: "ValueError, raised in load"."""
        if not self.where:
            return self.kind
        return (
            f"{self.kind}, raised {'on' if self.where.startswith('line ') else 'in'} {self.where}"
        )
