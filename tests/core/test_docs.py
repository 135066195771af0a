"""The documentation must not go stale: what it lists is what there is."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from pollard.cli import console
from pollard.cli.main import cli
from pollard.cli.options import CRITERIA
from pollard.passes.catalogue import PASSES
from pollard.passes.strategy import PRESETS, Strategy
from pollard.search.registry import FAMILIES
from pollard.settings.schema import (
    CriteriaSettings,
    ExecutorSettings,
    LanguageSettings,
    OracleSettings,
    PreprocessingSettings,
    SandboxSettings,
    StreamSettings,
)
from pollard.settings.settings import Settings
from pollard.settings.settings_file import read_settings
from tests.bench import blocks, passes, table

_ROOT = Path(__file__).resolve().parents[2]
_DOCS = _ROOT / "docs"
_PAGES = [_ROOT / "README.md", _ROOT / "CONTRIBUTING.md", *sorted(_DOCS.glob("*.md"))]
_GENERATED = {"benchmarks.md"}
_TABLES = {
    "At the top": Settings,
    "`[oracles.<name>]`": OracleSettings,
    "`[oracles.<name>.sandbox]`": SandboxSettings,
    "The criteria": CriteriaSettings,
    "`[languages.<id>]`": LanguageSettings,
    "`[executor]`": ExecutorSettings,
    "`[preprocessing]`": PreprocessingSettings,
    "`[stream]`": StreamSettings,
}


def _read(page: str) -> str:
    return (_DOCS / page).read_text(encoding="utf-8")


def settings_table(schema: type[Any]) -> str:
    """The table of a class's keys as the page has to show it; run this file to print them all."""
    inherited = {key.name for key in fields(CriteriaSettings)}
    keys = [
        key
        for key in fields(schema)
        if "doc" in key.metadata and (schema is CriteriaSettings or key.name not in inherited)
    ]
    rows = [f"| `{key.name}` | {key.metadata['doc']} | {_default(key)} |\n" for key in keys]
    return "".join(["| key | meaning | if not given |\n|---|---|---|\n", *rows])


def _default(key: Field[Any]) -> str:
    if key.default is MISSING:
        return "required" if key.default_factory is MISSING else ""
    if is_dataclass(key.default):
        return ""
    if key.metadata["default"] is not None:
        return f"`{key.metadata['default']}`"
    return "" if key.default is None or key.default == () else f"`{json.dumps(key.default)}`"


@pytest.mark.parametrize("heading", _TABLES)
def test_the_settings_page_shows_every_key_as_the_schema_has_it(heading: str) -> None:
    _, found, rest = _read("settings.md").partition(heading)
    assert found
    table = re.search(r"^\|.*?\n(?!\|)", rest, re.MULTILINE | re.DOTALL)
    assert table
    assert table[0] == settings_table(_TABLES[heading])


@pytest.mark.parametrize("page", ["docs/settings.md", "README.md"])
def test_examples_of_settings_are_valid(page: str, tmp_path: Path) -> None:
    text = (_ROOT / page).read_text(encoding="utf-8")
    examples = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert examples
    for example in examples:
        file = tmp_path / "pollard.toml"
        file.write_text(example, encoding="utf-8")
        settings = read_settings(file)
        assert settings.oracles
        for oracle in settings.oracles.values():
            oracle.to_oracle(tmp_path)
        if settings.strategy is not None:
            Strategy.parse(settings.strategy)


def test_the_page_on_algorithms_names_every_pass_and_preset() -> None:
    page = _read("algorithms.md")
    headings = re.findall(r"^### (`.+`)$", page, re.MULTILINE)
    named = [name for heading in headings for name in re.findall(r"`([^`]+)`", heading)]
    assert sorted(named) == sorted(PASSES)
    presets = dict(re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|", page, re.MULTILINE))
    assert presets == {name: ", ".join(steps) for name, steps in PRESETS.items()}


def test_the_page_on_algorithms_gives_a_reason_for_each_step_of_the_default() -> None:
    section = _read("algorithms.md").partition("## The default strategy\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.+?`) \| .+ \|$", section, re.MULTILINE)
    named = [name for row in rows for name in re.findall(r"`([^`]+)`", row)]
    assert tuple(named) == PRESETS["default"]


def test_the_table_of_passes_is_that_of_their_declarations() -> None:
    assert blocks.read(passes.PAGE, "passes") == passes.table(), "run python -m tests.bench.passes"


def test_the_extension_suggests_every_preset_and_pass() -> None:
    manifest = json.loads(passes.MANIFEST.read_text(encoding="utf-8"))
    setting = passes.strategy_setting(manifest)
    assert setting["anyOf"] == passes.schema(), "run python -m tests.bench.passes"


def test_the_page_on_using_names_every_preset() -> None:
    named = re.findall(r"^\| `([^-`][^`]*)` \| ", _read("using.md"), re.MULTILINE)
    assert set(named) == set(PRESETS)


def test_the_readme_compares_what_was_measured() -> None:
    measured = {
        row.case: f"{row.size} in {row.runs:,}"
        for row in table.read(_DOCS / "benchmarks.tsv")
        if row.is_usual and (row.strategy, row.jobs) == ("default", 1)
    }
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| ([\w-]+) \| [\d,]+ \| ([^|]*) \|", readme, re.MULTILINE))
    assert len(told) > 1
    assert told == {case: measured[case] for case in told}


def test_the_page_on_oracles_names_every_criterion() -> None:
    positive = [name for name in CRITERIA if not name.startswith("not_")]
    page = _read("oracles.md")
    for name in positive:
        assert f"`{name}`" in page
        assert f"`--{name.replace('_', '-')}`" in page


def test_exit_codes_are_those_of_the_command_line() -> None:
    codes = [int(code) for code in re.findall(r"^\| (\d+) \| ", _read("using.md"), re.MULTILINE)]
    assert codes == [
        console.REDUCED,
        console.NOTHING_REDUCED,
        console.USAGE,
        console.NOT_INTERESTING,
        console.INTERRUPTED,
    ]


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_commands_and_options_exist(page: Path) -> None:
    """Every `pollard VERB --option` in a code block or in `code` is one that the program knows."""
    text = page.read_text(encoding="utf-8")
    called = re.findall(r"\bpollard ([a-z]+)((?: +(?!-- )[^\n`]*)?)", text)
    for verb, rest in called:
        if verb not in cli.list_commands(None):  # type: ignore[arg-type]
            continue
        command = cli.get_command(None, verb)  # type: ignore[arg-type]
        assert command is not None
        known = {flag for param in command.params for flag in (*param.opts, *param.secondary_opts)}
        ours = re.sub(r'"[^"]*"', "", re.split(r"(?:^| )-- ", rest)[0])  # --lsp "SERVER --stdio"
        options = re.findall(r"(?<![\w-])--[a-z][a-z-]*", ours)
        assert set(options) <= known | {"--help", "--debug"}, (verb, rest)


@pytest.mark.parametrize("page", _PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if Path(target).name not in _GENERATED:
            assert (page.parent / target).exists(), target


def test_the_picture_is_whole_and_loads_nothing_from_elsewhere() -> None:
    picture = (_DOCS / "demo.svg").read_text(encoding="utf-8")
    assert "url(http" not in picture
    assert "@font-face" not in picture
    assert "@import" not in picture
    assert picture.count("orders.py:") == 3


if __name__ == "__main__":
    for _heading, _schema in _TABLES.items():
        print(f"{_heading}\n\n{settings_table(_schema)}")


def test_the_page_on_algorithms_names_every_list_minimiser_and_suffix() -> None:
    page = _read("algorithms.md")
    rows = re.findall(r"^\| `([^`]+)` \| .* \| .* \| (?:after|with) .* \|$", page, re.MULTILINE)
    assert rows == [family.name for family in FAMILIES]
    for suffix in (suffix for family in FAMILIES for suffix in family.suffixes):
        assert suffix.label or f"`-{suffix}`" in page, suffix
