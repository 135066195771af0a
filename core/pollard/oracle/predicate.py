"""An oracle that is a Python function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from pollard.errors import OracleError
from pollard.oracle.command import CommandOracle, require_possible
from pollard.oracle.signature import SameFailure
from pollard.oracle.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Predicate:
    """A Python function that returns whether a candidate shows the failure.

    - `function`: takes the candidate's bytes and returns True, False or a `Verdict`, always the same
      for the same bytes. An exception ends the reduction with an `OracleError`, so catch those that
      candidates may cause.
    - `where`: "threads" calls it in the thread that reduces or, with several jobs, in that many
      threads; a call cannot be stopped there. "processes" calls it in up to `jobs` processes that
      live as long as the reduction. A call there that takes too long or is no longer needed is
      killed, with the processes that it started. The function must be picklable, so define it at
      the top level of a module; a script must start the reduction under
      `if __name__ == "__main__":`. The function may start programs, but no `multiprocessing`
      processes.
    - `timeout`: the limit of a call in seconds, only in processes. None: 10 times the first call,
      at least 1 s and at most 300 s.
    - `fingerprint`: a text that changes when the answers may, such as a version. With one, verdicts
      are kept on disk for later reductions; without one, only until the reduction ends.
    - `runs_required`: (k, n) for a flaky failure: k of n calls must be interesting.
    - `name`: its name in messages; "" for the function's own name.

    Raises `OracleError` for a `timeout` in threads and for impossible values.

    >>> import pollard
    >>> pollard.reduce(b"[1, 2, [3, 4]]", pollard.Predicate(lambda text: b"3" in text)).text
    b'3'
    """

    function: Callable[[bytes], bool | Verdict]
    where: Literal["threads", "processes"] = "threads"
    timeout: float | None = None
    fingerprint: str | None = None
    runs_required: tuple[int, int] = (1, 1)
    name: str = ""

    formatter: ClassVar[None] = None
    same_failure: ClassVar[SameFailure] = SameFailure.OFF

    def __post_init__(self) -> None:
        if not self.name:
            function_name = getattr(self.function, "__qualname__", None) or repr(self.function)
            object.__setattr__(self, "name", function_name)
        if self.where not in ("threads", "processes"):
            message = f'A predicate runs in "threads" or in "processes", not in {self.where!r}.'
            raise OracleError(message)
        if self.timeout is not None and (self.where == "threads" or not self.timeout > 0):
            message = (
                f"The predicate {self.name!r} cannot have the timeout {self.timeout!r}: it must be "
                'above 0 seconds, and only a call in a process can be stopped (where="processes").'
            )
            raise OracleError(message)
        require_possible(self.runs_required, self.name)

    def verdict(self, text: bytes) -> Verdict:
        """Call the function here and return its verdict.

        Raises `OracleError` if it raises anything but KeyboardInterrupt, or returns something else.
        """
        try:
            answer: object = self.function(text)
        except (Exception, SystemExit) as error:
            message = (
                f"The predicate {self.name!r} raised {type(error).__name__}: {error}. If candidates "
                "may cause that, catch it and return False."
            )
            raise OracleError(message) from error
        if isinstance(answer, Verdict):
            return answer
        if not isinstance(answer, bool):
            message = (
                f"The predicate {self.name!r} returned {answer!r:.60}; it must return True, False or a "
                "Verdict."
            )
            raise OracleError(message)
        return Verdict.INTERESTING if answer else Verdict.UNINTERESTING


AnyOracle = CommandOracle | Predicate
