"""`pollard reduce`: shrink a file as long as the oracle shows the failure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from pollard.cli.console import NOT_INTERESTING, say
from pollard.cli.options import (
    PATH_TYPE,
    FilesCommand,
    OracleRequest,
    ProjectOptions,
    own_options,
    pop_preprocessing,
    read_with,
    takes_oracle,
    takes_preprocessing,
)
from pollard.cli.reduce_options import (
    ReduceOptions,
    changes_of_settings,
    journal_of,
    other_failure,
    strategy_of,
)

if TYPE_CHECKING:
    from pollard.cli.output import Output
    from pollard.cli.session import ReportOptions, Session
    from pollard.reduction import Plan


@click.command(
    "reduce",
    cls=FilesCommand,
    short_help="Shrink FILE as long as a command still shows the failure.",
)
@takes_oracle
@click.option(
    "-o",
    "--out",
    metavar="OUT",
    type=PATH_TYPE,
    help="Write the result to OUT; - is standard output. [default: NAME.reduced.EXT beside FILE]",
)
@click.option("--in-place", is_flag=True, help="Replace FILE; the original is in NAME.orig.EXT.")
@click.option(
    "--archive",
    metavar="OUT.tar.gz",
    type=PATH_TYPE,
    help="Write the result of a directory or several files to an archive.",
)
@click.option(
    "--strategy", metavar="S", help="A preset, or passes joined by +: see `pollard strategies`."
)
@click.option(
    "--no-renaming",
    "renaming",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Keep all names, in the default strategy.",
)
@click.option(
    "--no-merging",
    "merging",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Do not replace lines that name a file by its contents.",
)
@click.option(
    "--formatter",
    metavar="COMMAND",
    help="Format the result by COMMAND, from standard input to output; or auto, none.",
)
@click.option(
    "--lines",
    metavar="[FILE:]A:B",
    help="Change only these lines (from 1; also A:, :B, A), of FILE if there are several.",
)
@click.option(
    "-j", "--jobs", metavar="N", callback=read_with("jobs"), help="Runs at a time. [default: cores]"
)
@click.option(
    "--speculation",
    type=click.Choice(["eager", "frugal", "off"]),
    help="How far several jobs run ahead of verdicts. [default: eager]",
)
@click.option("--stats", metavar="STATS.json", type=PATH_TYPE, help="Write sizes and counts there.")
@click.option(
    "--report",
    metavar="REPORT",
    type=PATH_TYPE,
    help="Write a report there: a page (.html) or a bug report in Markdown (.md).",
)
@click.option("--events", is_flag=True, help="Print events on standard output, JSON line by line.")
@click.option("--resume", is_flag=True, help="Go on with the interrupted reduction of FILE.")
@click.option(
    "--other",
    metavar="N",
    type=click.IntRange(1),
    help="Reduce the Nth of the other failures that FILE's last reduction saw.",
)
@click.option(
    "--no-cache",
    "cache",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Do not remember verdicts.",
)
@click.option(
    "--max-runs",
    metavar="N",
    callback=read_with("max_runs", as_written=True),
    help="End the search after N runs, with the best so far.",
)
@click.option(
    "--max-time",
    metavar="T",
    callback=read_with("duration", as_written=True),
    help='End the search after this time, with the best so far: "5m".',
)
@click.option(
    "--no-guard",
    "guard",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Also run what has new syntax errors.",
)
@takes_preprocessing
@click.option(
    "--learn-invalid", is_flag=True, help="Put off edits of a kind that was only ever invalid."
)
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def reduce(**options: Any) -> int:
    """Shrink FILE as long as COMMAND still shows the failure.

    COMMAND runs on each candidate in a directory of its own that holds only the candidate (and what
    --with names); exit code 0 means that the failure is there, unless criteria say otherwise.
    {file} in it is the candidate's path, which is appended if it is missing. Without COMMAND an
    oracle of pollard.toml is used.

    FILE may be a directory, or there may be several: then files go that are not needed, and the
    others shrink. COMMAND runs in a copy of the directory, {dir}; nothing is appended to it.

    \b
    Words of COMMAND that name existing files are found in the current directory; FILE itself
    stands for the candidate. One word with blanks is a line for the shell.

    \b
    Examples:
      pollard reduce crash.c -- gcc -O2 -c {file}
      pollard reduce crash.c --output "internal compiler error" -- gcc -O2 -c {file}
      pollard reduce crash.js --signal SIGSEGV --timeout 5s -- ./engine
      pollard reduce crash.py --lines 10:80 -o small.py -- ./oracle.sh
      pollard reduce crash.json -- 'jq . {file} 2>&1 | grep "Assertion"'
      pollard reduce wrong.py --diagnostic ruff:F821
      pollard reduce project -o small -- make
      pollard reduce a.c b.h --main a.c -o small -- gcc -c {file}

    \b
    Exit codes: 0 reduced, 1 nothing could be reduced, 2 usage or settings, 3 FILE is not
    interesting or the oracle is flaky, 130 interrupted (the best so far is on disk).
    """  # noqa: D301 (\\b is for click)
    request = OracleRequest.pop_from(options)
    preprocessing, project = pop_preprocessing(options), ProjectOptions.pop_from(options)
    given = ReduceOptions(**options, preprocessing=preprocessing, project=project)
    code = _reduce_all(given, request)
    if code == NOT_INTERESTING:
        from pollard.cli.target import hints_about  # noqa: PLC0415 (not for --help)

        for hint in hints_about(request.command, own_options()):
            say(hint)
    return code


def _reduce_all(options: ReduceOptions, request: OracleRequest) -> int:
    if options.file.is_dir() or request.more_files:
        from pollard.cli.folders.folders import reduce_project  # noqa: PLC0415 (not for --help)

        return reduce_project(options, request)
    return _reduce(options, request)


def _reduce(options: ReduceOptions, request: OracleRequest) -> int:
    options.project.require_project()
    if options.archive is not None or not options.merging:
        flag = "--no-merging" if options.archive is None else "--archive"
        raise click.UsageError(f"{flag} is for a directory or several files.")
    from pollard.cli.sandbox import require_consent  # noqa: PLC0415 (not for --help)
    from pollard.cli.session import ReportOptions, Session  # noqa: PLC0415
    from pollard.cli.target import without_links_to  # noqa: PLC0415
    from pollard.journal import claimed  # noqa: PLC0415
    from pollard.oracle import CommandOracle  # noqa: PLC0415

    plan = _plan(options, request)
    require_consent(plan.oracle, allowed=request.allow_unconfined)
    output = _output(options, plan.text)
    if isinstance(plan.oracle, CommandOracle):
        written = (*output.places, *filter(None, (options.report, options.stats)))
        plan = replace(plan, oracle=without_links_to(plan.oracle, written))
    reports = ReportOptions(
        str(options.file), options.quiet, options.events, options.stats, options.report
    )
    with claimed(journal_of(options, options.file), resume=options.resume) as journal:
        session = Session(replace(plan, journal=journal), output, reports)
        code = session.run()
    return _with_companions(plan, session, output, reports, code)


def _with_companions(
    plan: Plan, session: Session, output: Output, reports: ReportOptions, code: int
) -> int:
    """Reduce the companions, if that is wanted, after FILE with the exit code `code`; return both's."""
    from pollard.project.project_plan import companions_plan  # noqa: PLC0415 (not for --help)

    if session.result is None or (companions := companions_plan(plan, session.result)) is None:
        return code
    from pollard.cli.folders.companions_session import CompanionsSession  # noqa: PLC0415

    return CompanionsSession(companions, output, reports, session.statistics()).run_after(code)


def _plan(options: ReduceOptions, request: OracleRequest) -> Plan:
    from pollard.api import plan_of  # noqa: PLC0415 (not for --help)
    from pollard.cli import target  # noqa: PLC0415
    from pollard.cli.diagnosing import with_diagnostic_named  # noqa: PLC0415
    from pollard.settings import settings_for  # noqa: PLC0415
    from pollard.syntax.encodings.encoding import encoding_of  # noqa: PLC0415
    from pollard.syntax.grammars.languages import grammar_for, is_plain  # noqa: PLC0415

    file = options.file
    text = _original(options, target.read_file(file))
    encoding = encoding_of(text)
    settings = settings_for(file).override(changes_of_settings(options, request))
    grammar = grammar_for(file.name, encoding.decoded(text), options.language)
    oracle = target.oracle_for(request, settings, file, grammar.name if grammar else None)
    plan = plan_of(
        settings,
        text=text,
        filename=file.name,
        oracle=with_diagnostic_named(oracle, file.name, text),
        grammar=grammar,
        plain=is_plain(options.language),
        strategy=strategy_of(options.strategy, settings),
        region=target.region(options.lines, text, encoding),
        encoding=encoding,
    )
    place = file.resolve()
    return replace(
        plan, journal=journal_of(options, options.file), resume=options.resume, place=place
    )


def _original(options: ReduceOptions, text: bytes) -> bytes:
    """Return the text to start from, which FILE no longer has after an interrupted `--in-place`."""
    if options.other:
        return other_failure(options.other, options.file).text
    if not options.resume:
        return text
    from pollard.journal import Journal, journal_directory  # noqa: PLC0415 (not for --help)

    journal = Journal.load(journal_directory(options.file))
    is_ours = options.in_place and any(text == accepted for accepted in journal.texts())
    return journal.original if is_ours else text


def _output(options: ReduceOptions, original: bytes) -> Output:
    """Return where the result goes. Raises OutputError for an unwritable place, before any run."""
    from pollard.cli import output  # noqa: PLC0415 (not for --help)
    from pollard.cli.report_files import require_report_name  # noqa: PLC0415

    _reject_contradictions(options)
    file = options.file
    if options.in_place:
        chosen: output.Output = output.InPlace(file, original)
    else:
        infix = f"other-{options.other}" if options.other else "reduced"
        chosen = output.Output(options.out or output.beside(file, infix), file)
    chosen.check()
    if options.report is not None:
        require_report_name(options.report)
        if options.report.resolve() in (file.resolve(), chosen.path.resolve()):
            raise output.OutputError("--report names FILE or its result; choose another file.")
        output.require_writable(options.report, "choose another file for --report")
    if options.stats is not None:
        others = (file, chosen.path, *([options.report] if options.report else []))
        if options.stats.resolve() in [other.resolve() for other in others]:
            message = "--stats names FILE, its result or its report; choose another file."
            raise output.OutputError(message)
        output.require_writable(options.stats, "choose another file for --stats")
    return chosen


def _reject_contradictions(options: ReduceOptions) -> None:
    if options.in_place and options.out is not None:
        raise click.UsageError("Give -o or --in-place, not both.")
    if options.in_place and options.other is not None:
        raise click.UsageError(
            "--other reduces another text than FILE's; give -o instead of --in-place."
        )
    if options.events and str(options.out) == "-":
        raise click.UsageError("--events and -o - cannot both have standard output.")
