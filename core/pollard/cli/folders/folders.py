"""`pollard reduce` and `pollard check` for a directory or several files: the request and the plan."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pollard.api.several_files import project_plan_of
from pollard.cli import target
from pollard.cli.folders.folder_output import ArchiveOutput, FolderInPlace, FolderOutput
from pollard.cli.folders.folder_session import FolderSession
from pollard.cli.output import OutputError, require_writable
from pollard.cli.reduce_options import changes_of_settings, journal_of, other_failure, strategy_of
from pollard.cli.report_files import require_report_name
from pollard.cli.sandbox import require_consent
from pollard.cli.session import ReportOptions, waited_for
from pollard.errors import OracleError
from pollard.executors import open_tree_executor
from pollard.file_tree import shown
from pollard.journal import claimed
from pollard.oracle import CancelToken, Check, Health
from pollard.oracle.command import names_file
from pollard.oracle.executor import MAX_TIMEOUT_SECONDS
from pollard.project.leaving_out import LeftOut
from pollard.project.project_files import Project, read_directory, read_files
from pollard.project.project_journal import ProjectJournal
from pollard.project.project_plan import KeptAround, ProjectPlan
from pollard.project.reduction import check_tree
from pollard.project.result_folder import tree_in
from pollard.settings import settings_for
from pollard.syntax.encodings.encoding import encoding_of

if TYPE_CHECKING:
    from pollard.cli.options import OracleRequest, ProjectOptions
    from pollard.cli.reduce_options import ReduceOptions
    from pollard.oracle import CommandOracle
    from pollard.settings import Settings

_UNAVAILABLE = {
    "formatter": "--formatter",
    "language": "-l",
}
_NO_DIAGNOSTICS = "--diagnostic and --lsp are for a single file; give a COMMAND for several."


def reduce_project(options: ReduceOptions, request: OracleRequest) -> int:
    """Reduce a directory or several files; return the exit code."""
    for name, flag in _UNAVAILABLE.items():
        if getattr(options, name):
            raise click.UsageError(f"{flag} is not available for directories and several files.")
    if "reduce_files" in request.changes:
        message = "--reduce-files is for a single file; name all files to reduce before --."
        raise click.UsageError(message)
    if "around" in request.changes:
        raise click.UsageError(
            "--around is for a single file; a run has all files that are reduced."
        )
    opened = _Opened.read((options.file, *request.more_files), options.project)
    changed = {**changes_of_settings(options, request), "formatter": "none"}
    settings = settings_for(opened.project.root / "file").override(changed)
    plan = replace(
        opened.plan(request, settings, options.strategy),
        merging=options.merging,
        kept_around=opened.kept_around(options.lines),
        journal=journal_of(options, *opened.files),
        resume=options.resume,
        name=opened.label,
        place=opened.files[0].resolve(),
    )
    if options.other is not None:
        plan = replace(plan, tree=tree_in(other_failure(options.other, *opened.files).text))
    require_consent(plan.each.oracle, allowed=request.allow_unconfined, on_files=True)
    output = _output(options, opened, plan)
    reports = ReportOptions(
        opened.name, options.quiet, options.events, options.stats, options.report
    )
    with claimed(journal_of(options, *opened.files), resume=options.resume) as journal:
        return FolderSession(replace(plan, journal=journal), output, reports).run()


def check_project(
    file: Path, checks: int | None, request: OracleRequest, options: ProjectOptions
) -> Check:
    """Run the oracle on a directory or several files, as they are."""
    opened = _Opened.read((file, *request.more_files), options)
    settings = settings_for(opened.project.root / "file").override(
        {"checks": checks, "executor": request.executor}
    )
    plan, token = opened.plan(request, settings, None), CancelToken()
    require_consent(plan.each.oracle, allowed=request.allow_unconfined, on_files=True)
    return waited_for(lambda: _checked(plan, token), token.set)


def _checked(plan: ProjectPlan, token: CancelToken) -> Check:
    oracle = plan.each.oracle
    try:
        trees = open_tree_executor(oracle, plan.main)
    except OracleError as error:
        return Check(oracle, Health.BROKEN, (), MAX_TIMEOUT_SECONDS, str(error))
    try:
        return check_tree(trees, plan, cancelled=token)
    finally:
        trees.close()


@dataclass(frozen=True, slots=True)
class _Opened:
    """What the user named, as it was read; `is_directory`: one directory, not several files."""

    name: str
    files: tuple[Path, ...]
    is_directory: bool
    project: Project
    main: Path | None
    notes: tuple[str, ...]

    @classmethod
    def read(cls, files: tuple[Path, ...], options: ProjectOptions) -> _Opened:
        is_directory = len(files) == 1
        left_out = LeftOut.by(options.include, options.exclude)
        if not is_directory and (options.include or options.exclude):
            raise click.UsageError("--include and --exclude are for a directory.")
        project = read_directory(files[0], left_out) if is_directory else read_files(files)
        name = " ".join(map(str, files[:3])) + (" ..." if len(files) > 3 else "")
        return cls(name, files, is_directory, project, options.main, left_out.notes)

    @property
    def label(self) -> str:
        """The name of the directory, or of the first files."""
        names = [path.resolve().name for path in self.files[:3]]
        return ", ".join(names) + (" ..." if len(self.files) > 3 else "")

    def plan(self, request: OracleRequest, settings: Settings, strategy: str | None) -> ProjectPlan:
        if request.diagnostics or request.server is not None:
            raise click.UsageError(_NO_DIAGNOSTICS)
        oracle = target.oracle_for(request, settings, self.project.root / "file", None, self._place)
        return project_plan_of(
            settings,
            self.project,
            oracle,
            strategy=strategy_of(strategy, settings),
            main=self._main_of(oracle),
            notes=self.notes,
        )

    def kept_around(self, lines: str | None) -> KeptAround | None:
        """Return what must stay of the file that --lines FILE:A:B names; None for None."""
        if lines is None:
            return None
        name, separator, numbers = _divided_lines(lines)
        if not separator:
            raise click.UsageError(f"--lines must be FILE:A:B for several files, not {lines!r}.")
        path = self._inside(Path(name))
        entry = self.project.tree.get(path) if path is not None else None
        if path is None or entry is None or not entry.is_file:
            raise click.UsageError(f"--lines {lines}: {name} is not one of the files to reduce.")
        span = target.region(numbers, entry.content, encoding_of(entry.content))
        assert span is not None
        return KeptAround(path, entry.content[: span[0]], entry.content[span[1] :])

    def _main_of(self, oracle: CommandOracle) -> bytes | None:
        """Return the path of the main file; of several files it is the first that `{file}` means."""
        if self.main is not None:
            inside = self._inside(self.main)
            if inside not in self.project.tree:
                raise click.UsageError(f"--main {self.main} is not one of the files to reduce.")
            return inside
        needs_main = oracle.stdin or names_file(oracle.command)
        return self._path(self.files[0]) if needs_main and not self.is_directory else None

    def _place(self, path: Path, *, role: target.Role, around: bool) -> str | None:
        """Return what stands for a reduced file or folder in COMMAND; what runs is the original."""
        if role is not target.Role.OTHER and not self._is_subject(path, role):
            return self._original(path)
        inside = self._path(path)
        if around and target.is_in(self.project.root, path):
            return "{dir}"
        if inside is None:
            return None
        if inside in self.project.tree or (path.is_dir() and self.is_directory):
            return os.path.join("{dir}", shown(inside)) if inside else "{dir}"  # noqa: PTH118
        return None

    def _is_subject(self, path: Path, role: target.Role) -> bool:
        """Return whether what runs is reduced: the main file, or one of the scripts that are all."""
        if self.main is not None and self._inside(path) == self._inside(self.main):
            return True
        files = (each for each, entry in self.project.tree.items() if entry.is_file)
        suffixes = {Path(shown(each)).suffix for each in files}
        return role is target.Role.SCRIPT and suffixes == {path.suffix}

    def _original(self, path: Path) -> str | None:
        """Return the place of a file that the user named from the root; None for any other."""
        below = self.project.root.absolute() / path
        return str(below) if self.is_directory and not path.exists() and below.is_file() else None

    def _inside(self, path: Path) -> bytes | None:
        """Return the path of a file that the user named from here or from the root."""
        return self._path(path) or self._path(self.project.root / path)

    def _path(self, path: Path) -> bytes | None:
        """Return a path below the root; b"" for the root, None if it is outside or does not exist."""
        try:
            inside = path.resolve(strict=True).relative_to(self.project.root.resolve())
        except (OSError, ValueError):
            return None
        return b"" if inside == Path() else os.fsencode(inside.as_posix())


def _divided_lines(lines: str) -> tuple[str, str, str]:
    """Divide FILE:A:B into FILE, a colon and A:B; the colon is "" if there is no FILE."""
    match = re.fullmatch(r"(.+?)(:)(\d*:?\d*)", lines)
    return (match[1], match[2], match[3]) if match and not match[1].isdigit() else ("", "", lines)


def _output(options: ReduceOptions, opened: _Opened, plan: ProjectPlan) -> FolderOutput:
    """Return where the result goes. Raises OutputError for an unwritable place, before any run."""
    given = (options.out is not None) + options.in_place + (options.archive is not None)
    if given > 1:
        raise click.UsageError("Give one of -o, --in-place and --archive.")
    output = _chosen(options, opened)
    journal = plan.journal if plan.resume else None
    output.check(ProjectJournal.read(journal, plan.tree) if journal else None)
    if options.stats is not None:
        require_writable(options.stats, "choose another file for --stats")
    if options.report is not None:
        _check_report(options.report, opened)
    return output


def _check_report(report: Path, opened: _Opened) -> None:
    """Raise OutputError unless a report can be written, outside of what is reduced."""
    require_report_name(report)
    if any(report.resolve().is_relative_to(file.resolve()) for file in opened.files):
        raise OutputError("--report names one of the files, or is among them; choose another file.")
    require_writable(report, "choose another file for --report")


def _chosen(options: ReduceOptions, opened: _Opened) -> FolderOutput:
    first = options.file.resolve()
    if options.in_place:
        if options.other is not None:
            message = "--other reduces other files than DIR has; give -o instead of --in-place."
            raise click.UsageError(message)
        if not opened.is_directory:
            raise click.UsageError("--in-place is for one directory or one file; use -o.")
        return FolderInPlace(options.file)
    if options.archive is not None:
        return ArchiveOutput(_outside(options.archive, "--archive", opened))
    name = first.name if opened.is_directory else first.stem
    infix = f"other-{options.other}" if options.other else "reduced"
    out = options.out or first.with_name(f"{name}.{infix}")
    if str(out) == "-":
        raise OutputError("Several files cannot go to standard output; name a directory with -o.")
    return FolderOutput(_outside(out, "-o", opened))


def _outside(out: Path, option: str, opened: _Opened) -> Path:
    """Return the place of a result. Raises OutputError if it is in the directory to reduce."""
    root = opened.project.root.resolve()
    if opened.is_directory and out.resolve().is_relative_to(root):
        message = f"{out} is in {opened.name} itself; choose a place outside with {option}."
        raise OutputError(message)
    return out
