"""A line that only names other files goes with them, and with nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pollard.project.links.imports import Imports
from pollard.project.reduction import ProjectReduction
from tests.core.project.support import plan_for, reduced, tree_of


def without(files, *removed, guard=True):
    """Return the texts that are left without some files."""
    left = Imports(tree_of(files), guard=guard).without(frozenset(map(str.encode, removed)))
    return {path.decode(): entry.content.decode() for path, entry in left.items()}


@pytest.mark.parametrize(
    ("name", "line", "removed"),
    [
        ("a.c", '#include "lib/b.h"\n', "lib/b.h"),
        ("a.py", "from lib.part import f\n", "lib/part.py"),
        ("a.js", 'const b = require("./part")\n', "part.js"),
        ("a.js", 'import { b } from "./part.js"\n', "part.js"),
        ("a.rs", "mod part;\n", "part.rs"),
        ("a.rb", 'require_relative "part"\n', "part.rb"),
        ("a.sh", ". ./b.sh\n", "b.sh"),
        ("a.tex", "\\input{lib/part}\n", "lib/part.tex"),
        ("a.rst", ".. include:: lib/part.rst\n", "lib/part.rst"),
    ],
)
def test_the_line_that_names_a_file_goes_with_it(name, line, removed):
    files = {name: line + "x\n", removed: "y\n"}
    assert without(files, removed) == {name: "x\n"}


@pytest.mark.parametrize(
    ("name", "text", "left"),
    [
        ("Makefile", "O = src/a.o src/b.o src/c.o\n", "O = src/a.o src/c.o\n"),
        ("Makefile", "O = src/b.o \\\n  src/c.o\n", "O = src/c.o\n"),
        ("make.sh", "gcc -o x src/a.c src/b.c\n", "gcc -o x src/a.c\n"),
        ("CMakeLists.txt", "add_executable(x src/a.c src/b.c)\n", "add_executable(x src/a.c)\n"),
        ("x.json", '{"files": ["./src/a.c", "./src/b.c"]}\n', '{"files": ["./src/a.c"]}\n'),
        ("x.json", '["src/b.c",\n "src/a.c"]\n', '["src/a.c"]\n'),
    ],
)
def test_the_name_in_a_list_goes_with_the_file(name, text, left):
    files = {name: text, "src/a.c": "x;\n", "src/b.c": "y;\n", "src/c.c": "z;\n", "more/b.h": ""}
    assert without(files, "src/b.c")[name] == left


@pytest.mark.parametrize("text", ["x = a.c\n", "x = f(b.c)\n", "x = src/b.d more.h\n", "b c\n"])
def test_what_is_no_list_of_files_stays(text):
    files = {"x.txt": text, "src/b.c": "y;\n", "src/b.d": "z;\n", "more.h": ""}
    assert without(files, "src/b.c")["x.txt"] == text


def test_a_line_stays_as_long_as_it_names_a_file_that_stays():
    files = {"a.py": "import part, other\nx\n", "part.py": "y\n", "other.py": "z\n"}
    assert without(files, "part.py")["a.py"] == files["a.py"]
    assert without(files, "part.py", "other.py") == {"a.py": "x\n"}


def test_a_name_with_an_extension_is_no_file_with_another_one():
    files = {"a.c": '#include "part.h"\nx\n', "part.h": "y\n", "part.c": "z\n"}
    assert without(files, "part.h")["a.c"] == "x\n"
    assert without(files, "part.c")["a.c"] == files["a.c"]


def test_a_line_that_does_more_than_name_a_file_stays():
    files = {"a.py": 'print("part")\npart = 1\n', "part.py": "y\n"}
    assert without(files, "part.py") == {"a.py": files["a.py"]}


def test_lines_stay_where_the_text_would_not_parse_without_them():
    files = {"a.lua": 'local x =\nrequire "part"\n', "part.lua": "return 1\n"}
    assert without(files, "part.lua")["a.lua"] == files["a.lua"]
    assert without(files, "part.lua", guard=False)["a.lua"] == "local x =\n"


def test_files_that_are_imported_but_not_needed_go_in_few_runs():
    """If the lines stayed, no header could go before its line: that takes 82 runs."""
    headers = {f"h{n}.h": f"int v{n};\n" for n in range(16)}
    main = "".join(f'#include "{name}"\n' for name in headers) + "int needle;\n"

    def compiles(files):
        text = files.get("main.c", b"").decode()
        included = [line.split('"')[1] for line in text.splitlines() if "#include" in line]
        return b"needle" in files.get("main.c", b"") and all(name in files for name in included)

    result = reduced({"main.c": main, **headers}, compiles)
    assert {path.decode() for path in result.tree} == {"main.c"}
    assert result.counts.runs <= 20


def test_a_short_program_is_reduced_before_the_contents_of_what_it_imports():
    values = "".join(f"value{n} = {n}\n" for n in range(60))
    files = {
        "main.py": "import big\nneedle = 1\nbig.f()\n",
        "big.py": "import deep\n" + values,
        "deep.py": "deep = 1\n",
    }
    seen = set()

    def interesting(found):
        main, big = found.get("main.py", b""), found.get("big.py")
        seen.add(big)
        return b"needle" in main and (b"big" not in main or (big is not None and b"59" in big))

    plan = replace(plan_for(tree_of(files), interesting), merging=False)
    assert ProjectReduction(plan).run().files.keys() == {"main.py"}
    assert all(big is None or values.encode() in big for big in seen)
