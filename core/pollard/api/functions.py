"""The functions of `import pollard` for a single text, and for a mapping of files `reduce` as well."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, cast, overload

from pollard.api.call_arguments import settings_of, with_arguments_of
from pollard.api.job import Job
from pollard.api.plan_making import plan_of
from pollard.api.public_oracle import Oracle, engine_oracle_of
from pollard.executors import check_oracle
from pollard.passes.strategy import Strategy
from pollard.reduction import Reduction
from pollard.settings.usual_formatters import AUTO, usual_formatter
from pollard.syntax.encodings.encoding import encoding_of
from pollard.syntax.grammars.languages import available, grammar_for, is_plain

if TYPE_CHECKING:
    import os

    from pollard.api.public_oracle import FilesOracle, OracleLike
    from pollard.events import Event, Result
    from pollard.oracle import Check
    from pollard.oracle.command import CommandOracle
    from pollard.project.outcome import ProjectResult

P = ParamSpec("P")


def reduction_of(
    source: str | bytes | os.PathLike[str],
    oracle: OracleLike,
    *,
    filename: str | None = None,
    language: str | None = None,
    strategy: str | Sequence[str] = "default",
    jobs: int = 1,
    speculation: Literal["eager", "frugal", "off"] = "eager",
    region: tuple[int, int] | None = None,
    renaming: bool = True,
    guard: bool = True,
    learn_invalid: bool = False,
    checks: int = 3,
    cache: bool = True,
    max_runs: int | None = None,
    max_time: float | str | None = None,
    timeout: float | None = None,
    on_event: Callable[[Event], None] | None = None,
) -> Reduction:
    """Return the reduction that `reduce` carries out; `reduce` explains the arguments."""
    settings = settings_of(locals())
    text, name = _read(source, filename)
    if region is not None and not 0 <= region[0] <= region[1] <= len(text):
        message = f"region must be a span (start, end) within the {len(text)} bytes, not {region}"
        raise ValueError(message)
    encoding = encoding_of(text)
    grammar = grammar_for(name, encoding.decoded(text), language)
    engine_oracle = engine_oracle_of(oracle, timeout)
    if isinstance(oracle, Oracle) and oracle.formatter == AUTO and grammar:
        formatter = usual_formatter(grammar.name)
        engine_oracle = replace(cast("CommandOracle", engine_oracle), formatter=formatter)
    plan = plan_of(
        settings,
        text=text,
        filename=name,
        oracle=engine_oracle,
        grammar=grammar,
        plain=is_plain(language),
        strategy=Strategy.parse(strategy),
        region=region,
        encoding=encoding,
    )
    return Reduction(plan, on_event or (lambda _: None))


class _Reduce(Protocol[P]):
    """How `reduce` is called: with one text or file, or with several files."""

    @overload
    def __call__(self, *args: P.args, **options: P.kwargs) -> Result: ...

    @overload
    def __call__(
        self, source: Mapping[str, str | bytes], oracle: FilesOracle, **options: Any
    ) -> ProjectResult: ...


def _for_files_as_well(function: Callable[P, Result]) -> _Reduce[P]:
    """Return a decorator's function: `function`, or `reduce_files` for a mapping."""

    @functools.wraps(function)
    def reduce(*args: Any, **options: Any) -> Result | ProjectResult:
        if isinstance(args[0] if args else options.get("source"), Mapping):
            from pollard.api.several_files import reduce_files  # noqa: PLC0415 (not for one text)

            return reduce_files(*args, **options)
        return function(*args, **options)

    return cast("_Reduce[P]", reduce)


@_for_files_as_well
@with_arguments_of(reduction_of)
def reduce(*args: Any, **options: Any) -> Result:
    """Shrink a text while the oracle holds for it, and return the result.

    - `source`: `bytes` and `str` are the text itself, a `str` as UTF-8. A path object
      (`pathlib.Path`) is a file to read; the file is not changed. With a mapping from paths to
      contents, this is `reduce_files`.
    - `oracle`: a command, as an `Oracle` or as its `command` alone; or a function that takes the
      candidate's bytes and returns True, False or a `Verdict`. The function is called in this thread,
      with several jobs in that many threads. A `Predicate` calls it in processes with a timeout.
    - `filename`: the name of candidates. None: the path's name, or "input" for a text.
    - `language`: any of its names; "none" for plain text. None: detected from `filename` and the text.
    - `strategy`: a preset, passes joined by `+`, or a list of passes; `pollard strategies` lists them.
    - `jobs`: oracle runs at a time. The result is the same for any number.
    - `speculation`: how far several jobs run ahead of verdicts: "eager", as far as jobs are free;
      "frugal", only runs that are more likely needed than not; or "off", which starts no processes.
    - `region`: the span (start, end) that may change, in bytes. None: all of the text.
    - `renaming`: whether the default strategy may change names.
    - `guard`: skip candidates with new syntax errors, except for a few at the end.
    - `learn_invalid`: put off edits of a kind that has only ever been invalid.
    - `checks`: how many times to run the original first; the result is run twice as often.
    - `cache`: keep the verdicts of commands on disk for later reductions.
    - `max_runs`, `max_time`: end the search after so many runs, or after a time in seconds or as
      in "5m", with the best text so far. None: no limit.
    - `timeout`: the longest run in seconds, in place of the oracle's own.
    - `on_event`: a function that is called in this thread with each `Event`.

    Raises `NotInteresting` if the oracle does not hold for the original, `OracleError` if it cannot
    be run, `Unstable` if it no longer holds for any accepted text, `OSError` if the file cannot be
    read, `ValueError` for an impossible `region` or `timeout`, and other `PollardError`s for wrong
    arguments. A KeyboardInterrupt also ends the running command.

    >>> import pollard
    >>> result = pollard.reduce('{"a": [1, 2, {"b": null}]}', lambda text: b"null" in text)
    >>> result.text, result.original.bytes, result.reduced.bytes
    (b'null', 26, 4)

    Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (TSE 2002),
    for delta debugging; the page on algorithms names the source of each pass.
    """
    return reduction_of(*args, **options).run()


@with_arguments_of(reduction_of)
def start(*args: Any, **options: Any) -> Job:
    """Start `reduce` in a thread of its own, and return a handle to it.

    The arguments are those of `reduce`; `on_event` and a function that is the oracle are called in the
    job's threads. Wrong arguments raise here; `Job.result` raises later errors.

    >>> import pollard
    >>> with pollard.start(b"[1, [2, 3]]", lambda text: b"3" in text, language="json") as job:
    ...     job.result(timeout=60).text
    b'3'
    """
    return Job(reduction_of(*args, **options))


@with_arguments_of(reduction_of)
async def reduce_async(*args: Any, **options: Any) -> Result:
    """Await `reduce` without blocking the event loop.

    The arguments are those of `reduce`; `on_event` is called in the event loop's thread, a function
    that is the oracle in others. Cancelling the task cancels the reduction and waits for its end.

    >>> import asyncio, pollard
    >>> asyncio.run(pollard.reduce_async(b"[1, [2, 3]]", lambda text: b"3" in text)).text
    b'3'
    """
    listener, loop = options.pop("on_event", None), asyncio.get_running_loop()
    if listener is not None:
        options["on_event"] = functools.partial(loop.call_soon_threadsafe, listener)
    return await Job(await asyncio.to_thread(reduction_of, *args, **options))


def check(
    source: str | bytes | os.PathLike[str],
    oracle: OracleLike,
    *,
    filename: str | None = None,
    runs: int = 3,
    timeout: float | None = None,
) -> Check:
    """Run the oracle on a text `runs` times, as `reduce` does first, and return the outcome.

    The other arguments are as for `reduce`. A flaky failure is run more often, for at most 80 s, to
    measure how often it occurs and what would make it certain. If the oracle cannot be run, the
    `Check` says why. Raises `OSError` if the file cannot be read, and `ValueError` for an impossible
    `timeout`.

    >>> import pollard
    >>> print(pollard.check(b"[1, 2]", lambda text: b"2" in text, runs=2).describe().splitlines()[0])
    The file is interesting: 2 of 2 runs showed the failure.
    """
    text, name = _read(source, filename)
    engine_oracle = engine_oracle_of(oracle, timeout)
    return check_oracle(engine_oracle, name, text, runs=runs, on_step=lambda _: None)


def languages() -> list[str]:
    """Return the names of the languages that have a grammar here, sorted.

    `reduce` also accepts other usual names of them.

    >>> import pollard
    >>> "json" in pollard.languages()
    True
    """
    return [grammar.name for grammar in available()]


def _read(source: str | bytes | os.PathLike[str], filename: str | None) -> tuple[bytes, str]:
    """Return the text and the file name of its candidates."""
    if isinstance(source, str):
        return source.encode(), filename or "input"
    if isinstance(source, bytes):
        return source, filename or "input"
    path = Path(source)
    return path.read_bytes(), filename or path.name
