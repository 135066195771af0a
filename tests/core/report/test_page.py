"""The page has all parts, is well formed, loads nothing, and stays small."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from pollard.report.html.page import page
from pollard.report.report_model import FileInReport, ReportStep
from tests.core.report.making import HOSTILE, hostile_report, reduced, report

_VOID = {"meta", "link", "input", "br"}


class Outline(HTMLParser):
    """The elements of a page in order; fails if one is not closed where it should be."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: dict[str, str] = {}
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.text[tag] = self.text.get(tag, "") + data

    def named(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag == name]


def _steps(html: str) -> list[list[str]]:
    found = re.search(r'id="steps">(.*?)</script>', html, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_the_page_of_a_real_reduction_has_every_part(tmp_path: Path) -> None:
    script = 'grep -o needle "$1"; [ "$(grep -o needle "$1" | wc -l)" -ge 2 ]'
    html = page(reduced(tmp_path / "journal", script=script, cache=False))
    outline = Outline(html)
    sections = [one["id"] for one in outline.named("section")]
    assert sections == [
        "result", "failure", "facts", "curves", "passes", "steps-section", "comparison",
    ]  # fmt: skip
    assert len(outline.named("svg")) == 2
    assert "needle\nneedle" in outline.text["pre"]
    assert "Pollard" in outline.text["li"]


def test_headings_and_tables_are_in_order_for_a_screen_reader() -> None:
    outline = Outline(page(report()))
    levels = [int(tag[1]) for tag, _ in outline.elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert {one.get("scope") for one in outline.named("th")} == {"col", "row"}
    assert len(outline.named("caption")) == len(outline.named("table")) > 0
    assert all(one["role"] == "img" for one in outline.named("svg"))
    assert len(outline.named("title")) == 1 + len(outline.named("svg"))


def test_the_page_refers_to_nothing_outside_itself() -> None:
    outline = Outline(page(report()))
    references = [
        value for _, attributes in outline.elements for key, value in attributes.items()
        if key in ("src", "href", "srcset", "data", "action")
    ]  # fmt: skip
    assert references == ["data:,"]
    assert "url(" not in outline.text["style"]
    assert "@import" not in outline.text["style"]


def test_no_text_of_a_reduction_becomes_an_element() -> None:
    """The browser's tests show that it does not run; here each place is counted."""
    usual, hostile = Outline(page(report())), Outline(page(hostile_report()))
    assert len(hostile.named("script")) == len(usual.named("script"))
    assert hostile.named("img") == []
    assert page(hostile_report()).count("window.hit = 1") > 12
    assert _steps(page(hostile_report()))[0][1] == f"- {HOSTILE}"


def test_the_policy_allows_the_pages_own_script_and_style_only() -> None:
    policy = Outline(page(report())).named("meta")[1]["content"]
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


def test_the_table_of_passes_has_rates_and_leaves_out_idle_passes() -> None:
    html = page(report())
    assert (
        '<th scope="row">heavy</th><td>1</td><td>8</td><td>2</td><td>25%</td><td>20 bytes' in html
    )
    assert '<th scope="row">tidy</th>' not in html


def test_result_has_syntax_colours_of_its_language() -> None:
    assert '<span class="k">for</span>' in page(report())
    unknown = FileInReport(name="x.unknown", original=b"for a", result=b"for a")
    assert "for a</pre>" in page(report(files=(unknown,)))


def test_a_page_without_accepted_candidates_says_so() -> None:
    html = page(report(steps=(), changes=lambda _: iter(())))
    Outline(html)
    assert "No candidate was accepted" in html
    assert "<svg" not in html


@pytest.mark.parametrize("count", [1, 3, 10_000])
def test_ten_thousand_steps_stay_within_the_stated_bound(count: int) -> None:
    steps = tuple(ReportStep(n, 20_000 - n, n, n / 9, "heaviest") for n in range(1, count + 1))
    file = FileInReport(name="a", original=b"x" * 20_000, result=b"x")
    limits: list[int] = []

    def changes(limit: int):
        limits.append(limit)
        return ("- " + "y" * limit for _ in steps)

    html = page(report(files=(file,), steps=steps, changes=changes))
    assert len(_steps(html)) == count
    assert f"at most about {limits[0]:,} characters" in html
    assert len(html) < 4_000_000
    if count == 10_000:
        assert limits == [200]


def test_megabytes_of_differences_are_bounded() -> None:
    original = b"".join(b"line %d\n" % number for number in range(100_000))
    file = FileInReport(name="a.txt", original=original, result=b"line 7\n")
    html = page(report(files=(file,)))
    assert len(html) < 200_000
    assert "lines removed</summary>" in html
    assert "more lines are left out" in html


def test_long_unchanged_parts_are_folded() -> None:
    text = b"".join(b"line %d\n" % number for number in range(50))
    file = FileInReport(name="a.txt", original=text + b"old\n", result=text + b"new\n")
    html = page(report(files=(file,)))
    assert "<summary>50 lines unchanged</summary>" in html
    assert "<ins>+ new\n</ins>" in html


def test_the_files_of_a_directory_have_a_table_and_their_texts() -> None:
    files = (
        FileInReport(
            name="src/a.c", original=b"int a;\nint b;\n", result=b"int a;\n", language="c"
        ),
        FileInReport(name="src/b.c", original=b"int c;\n", result=None, language="c"),
    )
    html = page(replace(report(), files=files))
    Outline(html)
    assert "1 of 2 files are needed." in html
    assert '<th scope="row">src/b.c</th><td>removed</td><td>7 B</td><td></td>' in html
    assert html.count("<h3>src/a.c</h3>") == 2


def test_the_summary_counts_one_run_and_thousands_as_a_reader_would_write_them() -> None:
    assert " in 1 run (" in report(runs=1).summary
    steps = (ReportStep(1, 26, 1, 0.1, "heavy"), ReportStep(2, 14, 17, 0.9, "heaviest"))
    html = page(report(runs=1_200, steps=steps))
    assert " in 1,200 runs (" in html
    assert " after 1 run and " in _steps(html)[0][0]
