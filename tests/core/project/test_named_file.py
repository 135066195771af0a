"""The statement that the failure's output names is tried first, in its file, before all else."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from pollard.oracle import Criteria
from pollard.oracle.command import CommandOracle
from pollard.passes.strategy import Strategy
from pollard.project.phases.named_file import innermost
from pollard.project.reduction import ProjectReduction
from tests.core.project.support import plan_for, tree_of

FILES = {
    "main.py": "import first\nfirst.start({'a': 1, 'b': {'c': 2}})\n",
    "first.py": "import second\n\n\ndef start(table):\n    return second.step(table['b'])\n",
    "second.py": "LIMIT = 3\n\n\ndef step(row):\n    total = row['d'] + LIMIT\n    return total\n",
}
for _number in range(20):
    FILES[f"part{_number}.py"] = f"VALUE = {_number}\n"
    FILES["first.py"] = f"import part{_number}\n{FILES['first.py']}"


# A program that finds its parts by their place, which no line names.
LOADING = {
    "main.py": "import glob, runpy\nfor part in glob.glob('parts/*'):\n    runpy.run_path(part)\n",
    "parts/first.py": "def step(row):\n    total = row['d'] + 1\n    return total\n\nstep({'a': 3})\n",
    "parts/second.py": "def other(row):\n    return row['b']\n\nother({'b': 2})\n",
    "settings": "level = 4\n",
}


def _reduced(files, command=(sys.executable, "-S", "main.py"), stderr="KeyError: 'd'", **options):
    oracle = CommandOracle([*command], criteria=Criteria(stderr=stderr))
    plan = replace(plan_for(tree_of(files), None), **options)
    plan = replace(plan, each=replace(plan.each, oracle=oracle, strategy=Strategy.parse("default")))
    return ProjectReduction(plan).run()


@pytest.mark.e2e
def test_the_statement_is_left_in_few_runs():
    result = _reduced(FILES)
    assert result.files == {"main.py": b"{}['d']\n"}
    assert result.counts.runs <= 20


@pytest.mark.e2e
def test_what_other_files_declare_gets_a_value_in_the_statement():
    """In the file of the statement the names would be those of its imports, which fail alone."""
    files = FILES | {
        "second.py": "from tables import NAMES, RATES\n\n\ndef step(row):\n"
        "    total = RATES['d'] + NAMES[0]\n    return total\n",
        "tables.py": "NAMES = ['b']\nRATES = {n: 2 for n in NAMES}\n",
    }
    result = _reduced(files)
    assert result.files == {"main.py": b"{}['d']\n"}
    assert result.counts.runs <= 20


@pytest.mark.e2e
def test_a_program_without_an_extension_keeps_the_line_that_names_its_interpreter():
    files = {
        "run": "#!/usr/bin/env python3\nimport second\n\nsecond.step({'a': 1})\n",
        "second.py": FILES["second.py"],
    }
    oracle = CommandOracle(
        ["sh", "-c", f"head -n 1 run >&2; exec {sys.executable} -S run"],
        criteria=Criteria(stderr="(?s)env python3.*KeyError: 'd'"),
    )
    plan = plan_for(tree_of(files), None)
    plan = replace(plan, each=replace(plan.each, oracle=oracle, strategy=Strategy.parse("default")))
    result = ProjectReduction(plan).run().files
    assert result == {"run": b"#!/usr/bin/env python3\n{}['d']\n"}


@pytest.mark.e2e
def test_the_statement_takes_the_place_of_the_program_that_finds_its_file_by_its_place():
    result = _reduced(LOADING)
    assert result.files == {"main.py": b"{}['d']\n"}
    assert result.counts.runs <= 30


@pytest.mark.e2e
def test_files_that_the_command_needs_stay_beside_the_statement():
    line = f"cat settings && {sys.executable} -S main.py"
    assert _reduced(LOADING, ("sh", "-c", line)).files == {"main.py": b"{}['d']\n", "settings": b""}


@pytest.mark.e2e
def test_the_program_stays_if_files_stay_apart():
    assert len(_reduced(LOADING, merging=False).files) > 1


@pytest.mark.e2e
def test_the_file_that_fails_is_reduced_before_those_that_lead_to_it():
    """Here the statement alone does not fail in `close`, and its file does without the others."""
    chain = {
        f"level{number}.py": f"import level{number + 1} as inner\n\n\ndef opened():\n"
        "    table = {}\n    for size in range(3):\n        table[size] = inner.opened()\n"
        "    for key in list(table):\n        if key > 0:\n            del table[key]\n"
        "    found = [table[key] for key in sorted(table)]\n    return found[0]\n"
        + f"\n\ndef unused{number}(text):\n    print(text, {number})\n"
        * 8
        for number in range(8)
    }
    names = [f"extra{number}" for number in range(20)]
    files = {f"{name}.py": f"def {name}(day):\n    return day\n" for name in names} | chain
    files |= {
        "main.py": f"import level0, {', '.join(names)}\n\nlevel0.opened().close()\n"
        + "".join(f"print({name}.{name}(7))\n" for name in names),
        "level8.py": "def close(stack):\n    while stack is not None:\n        stack.pop()\n"
        "\n\ndef opened():\n    stack = []\n    close(stack)\n    return stack\n",
    }
    result = _reduced(files, stderr=r"(?s)in close\n.*IndexError")
    assert list(result.files) == ["main.py"]
    assert result.counts.runs <= 150


@pytest.mark.parametrize(
    ("names", "files"),
    [
        ("inner.rb outer.rb test.rb", "inner.rb test.rb"),
        ("test.js inner.js outer.js test.js", "inner.js test.js"),
        ("test.py outer.py inner.py", "inner.py test.py"),
        ("test.js test.js", "test.js"),
        ("", ""),
    ],
)
def test_the_innermost_file_is_tried_first(names, files):
    places = tuple((name.encode(), line) for line, name in enumerate(names.split()))
    assert innermost(places) == files.encode().split()
