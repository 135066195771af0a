"""The functions of `import pollard`, and the making of plans that all front ends share.

A request (the arguments of `reduce`, the options of the command line, an editor's command) becomes a
`Plan` through `Settings` and `plan_of`. A `Reduction` carries the plan out; a `Job` gives it a thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent import futures
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Protocol, TypeVar, cast, overload

from pollard.errors import OracleError
from pollard.executors import check_oracle
from pollard.limits import SearchLimits
from pollard.oracle.predicate import Predicate
from pollard.oracle.verdict import Verdict
from pollard.passes.strategy import Strategy
from pollard.reduction import Plan, Reduction
from pollard.settings.schema import LanguageSettings, OracleSettings
from pollard.settings.settings import Settings
from pollard.settings.structure import typed
from pollard.settings.usual_formatters import AUTO, notes_on, usual_formatter
from pollard.speculation import Speculation
from pollard.syntax.encodings.encoding import encoding_of
from pollard.syntax.grammars.languages import available, grammar_for, is_plain

if TYPE_CHECKING:
    import os
    from collections.abc import Generator

    from pollard.events import Event, Result
    from pollard.oracle import Check
    from pollard.oracle.command import CommandOracle
    from pollard.oracle.predicate import AnyOracle
    from pollard.project.outcome import ProjectResult
    from pollard.syntax.encodings.encoding import Encoding
    from pollard.syntax.grammars.languages import Grammar

P = ParamSpec("P")
T = TypeVar("T")

_CALL = "the call"


class Oracle(OracleSettings):
    """A command that shows the failure, and the criteria that its outcome must meet.

    The keys and their values are those of `[oracles.NAME]` in `pollard.toml`. All criteria that are
    given must hold; with none, the exit code must be 0. Each run begins in a directory of its own with
    the candidate and copies of `files`.

    - `command`: the program and its arguments, or one text for the shell. `{file}` stands for the
      candidate's path, `{dir}` for its directory and `{workspace}` for `workspace`. Without `{file}`
      the path is appended.
    - `exit_code`, `signal`: one or several accepted numbers; signals also by name.
    - `stdout`, `stderr`, `output`: a regular expression to be found in that stream, or in either.
    - `not_exit_code`, `not_signal`, `not_stdout`, `not_stderr`, `not_output`: the reverse.
    - `diagnostic`: a diagnostic such as "ruff:F821", or several, that the command must report.
    - `kind`: "command", or "lsp" for a language server, which stays and is asked for diagnostics.
    - `crashes`: whether a language server must crash.
    - `not_diagnostic`: a diagnostic, or several, that must not be reported.
    - `request`, `at`, `fails`: what a language server is asked for instead of diagnostics, such as
      "textDocument/hover"; where, as a text of the file with `<^>` at the position; and whether it must
      refuse.
    - `invalid`: a mapping of the same criteria, for candidates that never got as far as the failure.
    - `stdin`: give the candidate on standard input instead of as an argument.
    - `timeout`: longest run, in seconds or as in "10s"; "none" for no limit. None: 10 times the first
      run, at least 1 s and at most 300 s.
    - `exceeds`: "timeout" or "memory", the limit that an interesting run exceeds.
    - `memory`: most memory of a run, in bytes or as in "2GiB". None: four fifths of the machine's.
    - `output_limit`: most bytes that are read of each stream. None: 1 MiB.
    - `files`: files to copy beside the candidate, relative to `workspace`; also patterns, "*.h".
    - `runs_required`: (k, n) or "k of n" for a flaky failure: k of n runs must be interesting.
    - `same_failure`: how closely a candidate's failure must agree with the original's: "kind" (the
      type of the exception, the code of the diagnostic, ...), "strict" (message and frames, too) or
      "off" (the criteria alone decide). None: "kind".
    - `sandbox`: a mapping of what runs may do outside their directory: `level` ("default", "strict"
      or "off"), `read`, `write`, `network` and `env`.
    - `warm`: whether a Python program stays loaded between runs, so that each run is a copy of it;
      "auto": where that is at least twice as fast; "protocol": the command itself stays, and is
      told the path of each candidate.
    - `formatter`: a command that formats the result, from standard input to standard output; "auto":
      the language's usual one.
    - `workspace`: the folder to which paths are relative. None: the current directory.
    - `name`: the oracle's name in messages.

    Raises `OracleError` if a value is wrong.

    >>> import pollard
    >>> oracle = pollard.Oracle(["cat", "{file}"], stdout='"needle"', timeout="10s")
    >>> pollard.reduce('[1, {"a": ["needle", 2]}]', oracle, language="json").text
    b'"needle"'
    """

    __slots__ = ("workspace",)

    workspace: Path

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        exit_code: int | Sequence[int] | None = None,
        signal: int | str | Sequence[int | str] | None = None,
        stdout: str | None = None,
        stderr: str | None = None,
        output: str | None = None,
        not_exit_code: int | Sequence[int] | None = None,
        not_signal: int | str | Sequence[int | str] | None = None,
        not_stdout: str | None = None,
        not_stderr: str | None = None,
        not_output: str | None = None,
        diagnostic: str | Sequence[str] | None = None,
        kind: str | None = None,
        crashes: bool | None = None,
        not_diagnostic: str | Sequence[str] | None = None,
        request: str | None = None,
        at: str | None = None,
        fails: bool | None = None,
        exceeds: Literal["timeout", "memory"] | None = None,
        invalid: Mapping[str, object] | None = None,
        stdin: bool | None = None,
        timeout: float | str | None = None,
        memory: int | str | None = None,
        output_limit: int | str | None = None,
        files: Sequence[str] | None = None,
        runs_required: str | tuple[int, int] | None = None,
        same_failure: str | None = None,
        sandbox: Mapping[str, object] | None = None,
        warm: bool | Literal["auto", "protocol"] | None = None,
        formatter: str | Sequence[str] | None = None,
        workspace: str | os.PathLike[str] | None = None,
        name: str = "oracle",
    ) -> None:
        given = {key: value for key, value in locals().items() if value is not None}
        oracle = _read_keys(OracleSettings, given, name)
        language = _read_keys(LanguageSettings, given, name)
        values = {key.name: getattr(oracle, key.name) for key in fields(OracleSettings)}
        super().__init__(**{**values, "name": name, "formatter": language.formatter})
        object.__setattr__(self, "workspace", Path(workspace or ".").absolute())


def _read_keys(schema: type[T], given: Mapping[str, object], name: str) -> T:
    """Return the settings class `schema`, with its keys read from `given`. Raises OracleError."""
    keys = {key.name for key in fields(schema) if "doc" in key.metadata}  # type: ignore[arg-type]
    read = typed(schema, {key: given[key] for key in keys & given.keys()})
    if isinstance(read, list):
        path, error = ".".join(read[0].path), read[0].error
        raise OracleError(f"The oracle {name!r} is wrong: '{path}' {error}.")
    return read


def plan_of(
    settings: Settings,
    *,
    text: bytes,
    filename: str,
    oracle: AnyOracle,
    grammar: Grammar | None,
    plain: bool = False,
    strategy: Strategy | None = None,
    region: tuple[int, int] | None = None,
    encoding: Encoding | None = None,
) -> Plan:
    """Return the plan for a text under these settings; `Plan` explains the arguments.

    The command line, the language server and this module all make their plans with it. Raises
    `OracleError` if the cluster of the oracle cannot be asked for its workers.
    """
    return Plan(
        text=text,
        filename=filename,
        oracle=oracle,
        notes=notes_on(oracle.formatter, grammar.name if grammar else None),
        grammar=grammar,
        plain=plain,
        strategy=strategy,
        renaming=settings.renaming,
        jobs=_jobs(settings, oracle),
        speculation=Speculation(settings.speculation),
        region=region,
        encoding=encoding,
        guard=settings.guard,
        preprocessing=settings.preprocessing.to_preprocessing(),
        learn_invalid=settings.learn_invalid,
        checks=settings.checks,
        cache=settings.cache,
        search_limits=SearchLimits(settings.max_runs or None, settings.max_time),
    )


def _jobs(settings: Settings, oracle: AnyOracle) -> int:
    """Return the number of runs at a time; on a cluster, by default, all that its workers can do.

    An editor is asked about one text at a time.
    """
    if not isinstance(oracle, Predicate) and oracle.diagnoser is not None:
        return 1
    cluster = None if isinstance(oracle, Predicate) else oracle.cluster
    if cluster is None or settings.jobs != "auto":
        return settings.workers
    from pollard.executors.cluster.scheduler_connection import threads_of  # noqa: PLC0415 (rare)

    return threads_of(cluster)


# The arguments of `reduce` and `reduce_files` that are settings as well.
_SETTINGS = ("renaming", "jobs", "speculation", "guard", "learn_invalid", "checks", "cache")
_LIMITS = ("max_runs", "max_time")


def settings_of(arguments: Mapping[str, Any]) -> Settings:
    """Return the settings that a call makes with its arguments."""
    return Settings().override({key: arguments[key] for key in (*_SETTINGS, *_LIMITS)}, _CALL)


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


def with_arguments_of(model: Callable[P, object]) -> Callable[[Callable[..., T]], Callable[P, T]]:
    """Return a decorator that gives a function, for type checkers and `help`, `model`'s arguments."""

    def declare(function: Callable[..., T]) -> Callable[P, T]:
        returned = inspect.signature(function).return_annotation
        signature = inspect.signature(model).replace(return_annotation=returned)
        function.__signature__ = signature  # type: ignore[attr-defined]
        return function

    return declare


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
            from pollard.api_files import reduce_files  # noqa: PLC0415 (imports this module)

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
    - `checks`: how many times to run the original first.
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


class Job:
    """A reduction in a thread of its own, made by `start`; any thread may use it.

    Awaiting a job returns its result without blocking the event loop; cancelling the task that awaits
    it cancels the job. Leaving `with` cancels a job that still runs and waits for its end.
    """

    def __init__(self, reduction: Reduction) -> None:
        self._reduction = reduction
        self._future: futures.Future[Result] = futures.Future()
        self._future.set_running_or_notify_cancel()
        self._thread = threading.Thread(target=self._run, name="reduction", daemon=True)
        self._thread.start()

    @property
    def best(self) -> bytes:
        """The smallest interesting text so far; at first the original."""
        return self._reduction.best

    @property
    def done(self) -> bool:
        """Whether the job has ended, with a result or an error."""
        return self._future.done()

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the end and return the result; after `cancel`, the best text so far.

        Raises `TimeoutError` if the job still runs after `timeout` seconds (it goes on), `Cancelled` if
        it was cancelled before the search began, and what `reduce` raises.
        """
        try:
            return self._future.result(timeout)
        except futures.TimeoutError as error:  # not the built-in one before Python 3.11
            if self.done:
                raise
            raise TimeoutError(f"The reduction has not ended within {timeout} s.") from error

    def cancel(self) -> None:
        """End within half a second with the best text so far; a call in a thread is not stopped."""
        self._reduction.cancel()
        self._reduction.resume()

    def pause(self) -> None:
        """Start no further run of the oracle until `resume`."""
        self._reduction.pause()

    def resume(self) -> None:
        """Go on after `pause`."""
        self._reduction.resume()

    def __enter__(self) -> Job:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
        self._thread.join()

    def __await__(self) -> Generator[Any, None, Result]:
        return self._awaited().__await__()

    async def _awaited(self) -> Result:
        ended = asyncio.wrap_future(self._future)
        try:
            return await asyncio.shield(ended)
        except asyncio.CancelledError:
            self.cancel()
            await asyncio.wait([ended])
            with contextlib.suppress(Exception):
                ended.result()  # or asyncio complains that nobody has seen the error
            raise

    def _run(self) -> None:
        try:
            self._future.set_result(self._reduction.run())
        except BaseException as error:
            self._future.set_exception(error)  # raised where the result is waited for


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


def engine_oracle_of(oracle: OracleLike, timeout: float | None) -> AnyOracle:
    """Return what the engine runs for an oracle. Raises ValueError for an impossible timeout."""
    if timeout is not None and not timeout > 0:
        message = f"timeout must be above 0 seconds, not {timeout}"
        raise ValueError(message)
    given: Oracle | Predicate
    if isinstance(oracle, (Oracle, Predicate)):
        given = oracle
    elif callable(oracle):
        given = Predicate(oracle)
    else:
        given = Oracle(oracle)
    engine_oracle = given.to_oracle(given.workspace) if isinstance(given, Oracle) else given
    return engine_oracle if timeout is None else replace(engine_oracle, timeout=timeout)


OracleLike = Oracle | Predicate | str | Sequence[str] | Callable[[bytes], bool | Verdict]
FilesOracle = OracleLike | Callable[[Mapping[str, bytes]], bool | Verdict]
