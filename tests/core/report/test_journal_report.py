"""A report says what the reduction did, from nothing but what it left on disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pollard.journal import HEADER_FILE, Journal
from pollard.limits import SearchLimits
from pollard.oracle import CommandOracle, Predicate
from pollard.report.account import Account, command_line
from pollard.report.journal_report import report_of_journal
from pollard.report.report_model import NoReportError
from tests.core.reductions import JSON, plan, shell, watched
from tests.core.report.making import reduced

_PRINTS = 'grep -o needle "$1"; [ "$(grep -o needle "$1" | wc -l)" -ge 2 ]'


def test_the_report_agrees_with_the_result(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    done = watched(plan(_PRINTS, journal=journal, cache=False))
    report = report_of_journal(journal)
    assert report.name == "case.json"
    assert report.files[0].original == JSON
    assert report.files[0].result == done.result.text
    assert report.files[0].language == "json"
    assert (report.runs, report.passes) == (done.result.counts.runs, done.result.passes)
    assert report.output == "needle\nneedle"
    assert report.state == ""
    assert report.command.endswith("sh case.json")


def test_each_step_has_its_size_its_cost_and_its_pass(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    done = watched(plan(journal=journal, cache=False))
    steps = report_of_journal(journal).steps
    assert [step.size for step in steps] == [len(text) for text in done.texts]
    costs = [step.runs for step in steps]
    assert costs == sorted(costs)
    assert 0 < costs[0] <= costs[-1] <= done.result.counts.runs
    passes = {each.name for each in done.result.passes}
    assert {step.pass_name for step in steps} <= passes


def test_the_changes_lead_from_the_original_to_the_result(tmp_path: Path) -> None:
    report = reduced(tmp_path / "journal")
    changes = list(report.changes(4_000))
    assert len(changes) == len(report.steps) > 1
    removed = {line[2:] for change in changes for line in change.splitlines() if line[0] == "-"}
    assert '  "third": {"a": null, "b": {"c": true}}' in removed


def test_a_reduction_that_ended_at_a_limit_says_so(tmp_path: Path) -> None:
    limits = SearchLimits(max_runs=3)
    report = reduced(tmp_path / "journal", search_limits=limits, cache=False)
    assert "ended at a limit" in report.state


def test_a_killed_reduction_still_has_a_report(tmp_path: Path) -> None:
    """Without its end, a report has the texts and costs so far, the command and the versions."""
    journal = tmp_path / "journal"
    whole = reduced(journal, cache=False)
    account = Account.read(journal)
    assert account is not None
    unfinished = replace(
        account, ending="running", counts=None, passes=(), reduced_bytes=None, output=""
    )
    unfinished.write(journal)
    report = report_of_journal(journal)
    assert "had not ended" in report.state
    assert report.steps == whole.steps
    assert report.runs == whole.steps[-1].runs
    assert report.command == whole.command


def test_a_journal_of_an_older_version_has_a_report(tmp_path: Path) -> None:
    """It has neither an account nor costs; sizes and texts are all that is known."""
    journal = tmp_path / "journal"
    whole = reduced(journal)
    (journal / "report.json").unlink()
    texts = list(Journal.load(journal).texts())
    old = Journal.begin(journal, Journal.load(journal).header, JSON)
    for text in texts:
        old.append(text)
    old.close()
    report = report_of_journal(journal)
    assert report.files[0].result == whole.files[0].result
    assert [step.size for step in report.steps] == [len(text) for text in texts]
    assert {step.pass_name for step in report.steps} == {"unknown pass"}


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"name": "x", "counts": 3}'])
def test_a_damaged_account_counts_as_none(tmp_path: Path, damage: str) -> None:
    journal = tmp_path / "journal"
    reduced(journal)
    (journal / "report.json").write_text(damage)
    assert report_of_journal(journal).name == "case.json"
    assert report_of_journal(journal).command == ""


def test_without_a_journal_there_is_an_explanation(tmp_path: Path) -> None:
    with pytest.raises(NoReportError, match="cannot be read"):
        report_of_journal(tmp_path)


def test_a_resumed_reduction_adds_the_costs_of_its_sessions(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    of = plan(journal=journal)
    first = watched(replace(of, search_limits=SearchLimits(max_runs=8))).result
    second = watched(replace(of, resume=True)).result
    report = report_of_journal(journal)
    assert first.ended_by == "max_runs"
    assert second.counts.runs > 0
    assert report.runs == first.counts.runs + second.counts.runs
    costs = [step.runs for step in report.steps]
    assert costs == sorted(costs)
    assert report.state == ""


def test_no_account_is_left_without_a_journal_of_ones_own(tmp_path: Path) -> None:
    watched(plan())
    assert list(tmp_path.rglob("report.json")) == []


def test_the_directory_of_a_run_is_left_out_of_the_output(tmp_path: Path) -> None:
    """It says nothing to others, and would be in every message of a compiler."""
    oracle = shell('echo "$1:1: broken"; grep -q needle "$1"')
    report = reduced(tmp_path / "journal", oracle=oracle)
    assert report.output == "case.json:1: broken"


def test_long_output_keeps_its_ends(tmp_path: Path) -> None:
    oracle = shell('echo first; seq 100000; echo last; grep -q needle "$1"')
    output = reduced(tmp_path / "journal", oracle=oracle).output
    assert output.startswith("first\n1\n")
    assert output.endswith("\nlast")
    assert "characters are left out" in output
    assert len(output) < 21_000


def test_the_header_alone_names_the_file(tmp_path: Path) -> None:
    """A reduction that was killed before its account was written."""
    journal = tmp_path / "journal"
    reduced(journal)
    for name in ("report.json", "reductions"):
        (journal / name).unlink()
    assert (journal / HEADER_FILE).exists()
    report = report_of_journal(journal)
    assert (report.name, report.steps) == ("case.json", ())
    assert report.files[0].result == JSON


@pytest.mark.parametrize(
    ("command", "filename", "line"),
    [
        (("cc", "-c", "{file}"), "a b.c", "cc -c 'a b.c'"),
        (("cc", "-c"), "a.c", "cc -c a.c"),
        ("cc -c '{file}' 2>&1 | grep x", "a b.c", "cc -c 'a b.c' 2>&1 | grep x"),
        (("make", "-C", "{dir}"), None, "make -C ."),
        (("cc", "{dir}/src/a.c"), None, "cc ./src/a.c"),
        ("cd {dir} && make", None, "cd . && make"),
    ],
)
def test_the_command_can_be_typed_where_the_files_are(
    command: tuple[str, ...] | str, filename: str | None, line: str
) -> None:
    assert command_line(CommandOracle(command), filename) == line


def test_a_command_that_reads_standard_input_gets_it() -> None:
    assert command_line(CommandOracle(("jq", "."), stdin=True), "a.json") == "jq . < a.json"


def test_a_function_has_no_command() -> None:
    assert command_line(Predicate(lambda _: True), "a.json") == ""
