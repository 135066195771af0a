"""What the functions take as an oracle, and the engine's oracle for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from pollard.errors import OracleError
from pollard.oracle.predicate import Predicate
from pollard.oracle.verdict import Verdict
from pollard.settings.schema import LanguageSettings, OracleSettings
from pollard.settings.structure import typed

if TYPE_CHECKING:
    import os

    from pollard.oracle.predicate import AnyOracle

T = TypeVar("T")


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
