"""An oracle that is a command, and the arguments of each of its runs: placeholders, PATH, the shell."""

from __future__ import annotations

import hashlib
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.oracle.criteria import Criteria
from pollard.oracle.diagnostics.surroundings import Companion
from pollard.oracle.diagnostics.tools import fingerprint_of_tools
from pollard.oracle.diagnostics.wanted import (
    is_of_editor,
    is_of_server,
    no_tool,
    only_in_editors,
)
from pollard.oracle.failures.printed import fingerprint_of_readers
from pollard.oracle.sandbox_policy import SandboxPolicy
from pollard.oracle.signature import SameFailure
from pollard.oracle.warm.warm_runs import WarmRuns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pollard.oracle.diagnostics.protocol_diagnostics import Diagnoser
    from pollard.oracle.diagnostics.server_request import ServerRequest
    from pollard.oracle.diagnostics.surroundings import Surroundings

# Other braces (awk '{print}', ${VAR}) are not placeholders. Quotes that directly enclose a placeholder
# are replaced with it, since the value is quoted, too.
_PLACEHOLDER = re.compile(r"(?<!\$)\{(?P<name>file|dir|workspace)\}")
_QUOTED_PLACEHOLDER = re.compile(rf"(?P<quote>[\"'])?{_PLACEHOLDER.pattern}(?(quote)(?P=quote))")
_SHELL = "/bin/sh"
# Options whose value is a file that the command writes.
_WRITING = re.compile(r"-o|-M[FJ]|--(?:out|output)(?:-?file)?")


@dataclass(frozen=True, slots=True)
class PreparedCommand:
    """A command whose program was found, and whose placeholders are filled in for each run."""

    command: tuple[str, ...] | str
    program: str
    append_file: bool
    workspace: Path

    def arguments(self, file: Path, directory: Path) -> list[str]:
        """Return the argument list for the candidate `file` in a run directory, both absolute."""
        values = self._values(file, directory)
        if isinstance(self.command, str):
            return [_SHELL, "-c", self._script(values)]
        filled = [_fill(word, values) for word in self.command]
        return [*filled, values["file"]] if self.append_file else filled

    def program_for(self, file: Path, directory: Path) -> str:
        """Return the program to execute, which may be the candidate itself or a file beside it."""
        return _fill(self.program, self._values(file, directory))

    def paths(self) -> list[Path]:
        """Return the workspace, the program, and the absolute paths that the command names."""
        named = words(self.command, self.workspace)
        values = [word.partition("=")[2] for word in named]  # of options such as --config=FILE
        paths = map(Path, (self.program, *named, *values))
        return [self.workspace, *(path for path in paths if path.is_absolute())]

    def _values(self, file: Path, directory: Path) -> dict[str, str]:
        return {"file": str(file), "dir": str(directory), "workspace": str(self.workspace)}

    def _script(self, values: Mapping[str, str]) -> str:
        assert isinstance(self.command, str)
        script = _QUOTED_PLACEHOLDER.sub(
            lambda found: shlex.quote(values[found["name"]]), self.command
        )
        return f"{script} {shlex.quote(values['file'])}" if self.append_file else script


def prepare(
    command: tuple[str, ...] | str, workspace: Path, *, stdin: bool, owner: str = "oracle"
) -> PreparedCommand:
    """Find the program of `command`; relative paths start at `workspace`.

    `owner` is "oracle" or "formatter", for messages. Raises `OracleError` if the program does not
    exist or is not executable.
    """
    append = not stdin and not names_file(command)
    if isinstance(command, str):
        return PreparedCommand(command, _SHELL, append, workspace)
    program = command[0].replace("{workspace}", str(workspace))
    return PreparedCommand(command, _find(program, workspace, owner), append, workspace)


def names_file(command: tuple[str, ...] | str) -> bool:
    """Return whether the placeholder `{file}` is in the command."""
    text = command if isinstance(command, str) else "\0".join(command)
    return any(found["name"] == "file" for found in _PLACEHOLDER.finditer(text))


def words(command: tuple[str, ...] | str, workspace: Path) -> list[str]:
    """Return the words of `command` with `{workspace}` filled in; a shell string is split roughly."""
    if isinstance(command, str):
        try:
            split = shlex.split(command)
        except ValueError:
            split = command.split()
    else:
        split = list(command)
    return [word.replace("{workspace}", str(workspace)) for word in split]


def inner_words(command: tuple[str, ...] | str, workspace: Path) -> list[str]:
    """Return the words of `command` and, of each word that is a script for a shell, its words."""
    found = words(command, workspace)
    return [*found, *(inner for word in found if " " in word for inner in words(word, workspace))]


def names_output(command: Sequence[str], number: int) -> bool:
    """Return whether a word of a command, `number` from 0, names a file that the command writes."""
    return number > 0 and _WRITING.fullmatch(command[number - 1]) is not None


def _fill(word: str, values: Mapping[str, str]) -> str:
    return _PLACEHOLDER.sub(lambda found: values[found["name"]], word)


def _find(program: str, workspace: Path, owner: str) -> str:
    if "{" in program and _PLACEHOLDER.search(program):
        return program  # the candidate itself, or a file copied beside it
    if Path(program).name == program:
        found = shutil.which(program)
        if found is None:
            raise OracleError(_not_found(program, workspace, owner))
        return str(Path(found).absolute())
    path = workspace / program
    if not path.exists():
        message = f"The {owner}'s command {program!r} does not exist; correct its path."
        raise OracleError(message)
    if path.is_dir() or shutil.which(str(path)) is None:
        message = f"The {owner}'s command {str(path)!r} is not executable; run: chmod +x {path}"
        raise OracleError(message)
    return str(path)


def _not_found(program: str, workspace: Path, owner: str) -> str:
    if (workspace / program).is_file():
        return (
            f"The {owner}'s command {program!r} was not found on PATH; there is a file of that name "
            f"in {workspace}: write ./{program} to run it."
        )
    return (
        f"The {owner}'s command {program!r} was not found on PATH; install it or correct its name."
    )


def is_file(path: Path) -> bool:
    """Return whether a path, which may be any word of a command, is a file; a long one is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def require_possible(runs_required: tuple[int, int], name: str) -> None:
    """Raise `OracleError` unless 1 <= k <= n for the pair (k, n); `name` is the oracle's."""
    required, total = runs_required
    if not 1 <= required <= total:
        message = (
            f"The oracle {name!r} asks for {required} of {total} runs; "
            "the first number must be between 1 and the second."
        )
        raise OracleError(message)


#: Bytes kept of each output stream unless the user says otherwise.
OUTPUT_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class Cluster:
    """The scheduler to which runs are sent: its address, or the file that it wrote when it started."""

    scheduler: str | None = None
    scheduler_file: Path | None = None

    def __str__(self) -> str:
        """Name the scheduler as the user did."""
        return self.scheduler or f"of {self.scheduler_file}"


@dataclass(frozen=True, slots=True)
class CommandOracle:
    """A command that shows the failure, with its criteria and limits.

    `command` is an argument list, or a string given to the shell, with `{file}`, `{dir}` and
    `{workspace}`; with `stdin` the candidate is on standard input instead of being an argument.
    `timeout` is in seconds (None: 10 times the first run, within 1 to 300 s), `memory` and
    `output_limit` in bytes. `files` are copied beside the candidate under their base names;
    they are absolute or relative to `workspace`. `runs_required` is (k, n) for a flaky oracle:
    interesting if at least k of n executions are. `same_failure` says how closely a candidate's
    failure must agree with the original's. `formatter` is a command that formats the result; ()
    stands for the language's usual one, none of which is installed. It does not affect verdicts,
    but it runs where the oracle runs, and the user consents to both together. `sandbox` says what
    both may do outside the directory of a run. With `surroundings`, `files` keep their places
    relative to the candidate. With `is_server` the command is a language server, which stays and gets
    candidates as versions of a document; its diagnostics are its standard output, or
    its answer to the `request` if there is one. `warm` says whether
    the program stays loaded between runs; with `PROTOCOL` the command itself stays and is asked. With a
    `cluster` the runs take place on its workers. With a `diagnoser` there is no command: a front end
    says what its own tools report, and that is the standard output. With `reduce_files` the `files` are
    reduced after the candidate; it does not affect verdicts.

    Raises `OracleError` for an empty command (without `diagnoser`), impossible `runs_required`, a
    limit that runs must exceed and that is not set, or impossible `reduce_files`.
    """

    command: tuple[str, ...] | str
    name: str = "oracle"
    criteria: Criteria = field(default_factory=Criteria)
    invalid: Criteria | None = None
    timeout: float | None = None
    memory: int | None = None
    output_limit: int = OUTPUT_LIMIT
    files: tuple[Path, ...] = ()
    stdin: bool = False
    workspace: Path = field(default_factory=Path.cwd)
    languages: tuple[str, ...] = ()
    runs_required: tuple[int, int] = (1, 1)
    same_failure: SameFailure = SameFailure.KIND
    formatter: tuple[str, ...] | str | None = None
    sandbox: SandboxPolicy = field(default_factory=SandboxPolicy)
    surroundings: Surroundings | None = None
    is_server: bool = False
    request: ServerRequest | None = None
    warm: WarmRuns = WarmRuns.OFF
    cluster: Cluster | None = None
    diagnoser: Diagnoser | None = field(default=None, compare=False)
    reduce_files: bool = False

    def __post_init__(self) -> None:
        program = self.command if isinstance(self.command, str) else "".join(self.command[:1])
        if not program.strip() and self.diagnoser is None:
            message = f"The oracle {self.name!r} has an empty command; name a program to run."
            raise OracleError(message)
        require_possible(self.runs_required, self.name)
        self._require_the_exceeded_limit()
        self._require_a_source_of_diagnostics()
        if self.reduce_files:
            self._require_reducible_files()

    def _require_the_exceeded_limit(self) -> None:
        limit = self.criteria.exceeds
        if limit is not None and getattr(self, limit) is None:
            example = '"10s"' if limit == "timeout" else '"500MB"'
            message = (
                f"The oracle {self.name!r} does not say which {limit} its runs must exceed; give it "
                f"one, such as {limit} = {example} (on the command line --{limit})."
            )
            raise OracleError(message)

    def _require_a_source_of_diagnostics(self) -> None:
        criteria = [self.criteria, *([self.invalid] if self.invalid else [])]
        named = [text for each in criteria for text in (*each.diagnostic, *each.not_diagnostic)]
        unnamed = [text for text in named if is_of_server(text)]
        if unnamed and not self.is_server:
            raise OracleError(no_tool(unnamed[0]))
        unasked = [text for text in named if is_of_editor(text)]
        if unasked and self.diagnoser is None:
            raise OracleError(only_in_editors(unasked[0]))

    def _require_reducible_files(self) -> None:
        if not self.files:
            message = (
                f"The oracle {self.name!r} has no files to reduce beside the candidate; name them in "
                "files (on the command line --with FILE), or leave out reduce_files."
            )
            raise OracleError(message)
        if self.stays or self.cluster is not None or self.surroundings is not None:
            message = (
                f"The oracle {self.name!r} cannot have reduce_files, which needs a command that starts "
                "on this machine for each run, and neither a diagnostic nor around; leave it out."
            )
            raise OracleError(message)

    @property
    def _reads_diagnostics(self) -> bool:
        return bool(self.criteria.diagnostic or self.criteria.not_diagnostic)

    @property
    def stays(self) -> bool:
        """Whether something that goes on running is told each candidate."""
        return self.is_server or self.warm is WarmRuns.PROTOCOL or self.diagnoser is not None

    @property
    def sources(self) -> tuple[Path, ...]:
        """The absolute paths of `files`."""
        return tuple(self.workspace / path for path in self.files)

    @property
    def companions(self) -> tuple[Companion, ...]:
        """What a run's directory has besides the candidate."""
        if self.surroundings is not None:
            return self.surroundings.companions(self.sources)
        return tuple(Companion(path, Path(path.name)) for path in self.sources)

    @property
    def inside(self) -> Path:
        """The candidate's directory, relative to the run's directory."""
        return self.surroundings.inside if self.surroundings else Path()

    @property
    def needs_output(self) -> bool:
        """Whether a verdict depends on what the command prints, by a criterion or by its failure."""
        invalid = self.invalid is not None and self.invalid.needs_output
        reads_failure = self.same_failure is not SameFailure.OFF
        return reads_failure or invalid or self.criteria.needs_output

    def fingerprint(self) -> str:
        """Return a hash of all that can change a verdict except the candidate and the timeout.

        It covers the command, the criteria, the contents of `files`, and path, size and modification
        time of each argument that is an existing file or a program on PATH.
        """
        digest = hashlib.blake2b(digest_size=16)
        for part in (*self._settings(), *self._programs(), *self._contents()):
            data = part if isinstance(part, bytes) else part.encode("utf-8", "surrogateescape")
            digest.update(b"%d:%s" % (len(data), data))
        return digest.hexdigest()

    def _settings(self) -> Iterator[str]:
        for value in (
            self.command,
            self.criteria,
            self.invalid,
            self.memory,
            self.output_limit,
            self.stdin,
            self.runs_required,
            # Not the degree: a verdict is kept with its failure, so it serves every degree.
            fingerprint_of_readers() if self.needs_output else "",
            fingerprint_of_tools() if self._reads_diagnostics else "",
            str(self.workspace),
            self.sandbox,
            self.surroundings,
            self.is_server,
        ):
            yield repr(value)
        if self.criteria.exceeds == "timeout":  # otherwise the cache knows what a limit changes
            yield repr(self.timeout)
        if self.request is not None:
            yield repr(self.request)
        if self.warm is WarmRuns.PROTOCOL:  # otherwise it does not affect verdicts
            yield repr(self.warm)

    def _programs(self) -> Iterator[str]:
        paths = [self.workspace / word for word in words(self.command, self.workspace)]
        # Any word can be a program: `! gcc ... | grep ...`, `env A=1 gcc`, `sh -c "gcc ..."`. But
        # other files that an inner script names, such as a log, may change with every run.
        for word in inner_words(self.command, self.workspace):
            found = shutil.which(word) if Path(word).name == word else None
            paths += [Path(found)] if found else []
        paths += self.surroundings.read_files() if self.surroundings else ()
        for path in paths:
            if is_file(path):
                status = path.stat()
                yield f"{path.resolve()} {status.st_size} {status.st_mtime_ns}"

    def _contents(self) -> Iterator[str | bytes]:
        for source in self.sources:
            inside = sorted(source.rglob("*")) if source.is_dir() else [source]
            for path in inside:
                yield str(path)
                if path.is_file():
                    yield path.read_bytes()
