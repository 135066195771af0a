"""Files that others include as texts stand in their place, all at once, as a compiler reads them."""

from __future__ import annotations

import pytest

from pollard.project.links.inclusion import Expansion
from tests.core.project.support import reduced, tree_of


def contents(tree):
    return {path.decode(): each.content.decode() for path, each in tree.items()}


def expanded(files, root=None, *, kept=()):
    """Return the files after the expansion of a program, or of all."""
    expansion = Expansion(tree_of(files), {path.encode() for path in kept})
    return contents(expansion.of_program(root.encode()) if root else expansion.of_all())


@pytest.mark.parametrize(
    ("files", "result"),
    [
        (
            {"a.c": '#include "b.h"\nint a;\n', "b.h": "#include <c.h>\nint b;", "c.h": "int c;"},
            {"a.c": "int c;\nint b;\nint a;\n"},
        ),
        (
            {
                "src/lib.rs": "mod part;\npub mod other;\n",
                "src/part.rs": "mod inner;\n",
                "src/part/inner.rs": "fn f() {}\n",
                "src/other/mod.rs": "mod inner;\n",
                "src/other/inner.rs": "fn g() {}\n",
            },
            {
                "src/lib.rs": "mod part {\nmod inner {\nfn f() {}\n}\n}\n"
                "pub mod other {\nmod inner {\nfn g() {}\n}\n}\n"
            },
        ),
        (
            {"a.v": '`include "b.vh"\nmodule a;\nendmodule', "b.vh": "`define B 1"},
            {"a.v": "`define B 1\nmodule a;\nendmodule"},
        ),
        ({"a.sh": "source lib.sh\nf", "lib.sh": "f() { :; }\n"}, {"a.sh": "f() { :; }\nf"}),
        (
            {"a.php": "<?php\nrequire_once 'b.php';\nf();", "b.php": "<?php\nfunction f() {}\n"},
            {"a.php": "<?php\nfunction f() {}\nf();"},
        ),
        ({"a.tex": "\\input{part}\n", "part.tex": "Text.\n"}, {"a.tex": "Text.\n"}),
    ],
    ids=["C", "Rust", "Verilog", "shell", "PHP", "TeX"],
)
def test_what_is_included_stands_in_the_place_of_the_lines(files, result):
    assert expanded(files) == result


def test_names_that_an_import_defines_would_change_so_modules_stay():
    files = {"a.py": "import part\npart.f()", "part.py": "def f(): pass"}
    assert expanded(files) == files


@pytest.mark.parametrize(
    ("guard", "times"),
    [("#pragma once\n", 1), ("// B\n#ifndef B\n#define B\n", 1), ("#define C\n", 2), ("", 2)],
)
def test_a_file_that_guards_against_it_is_included_once(guard, times):
    files = {"a.c": '#include "b.h"\n#include "b.h"\n', "b.h": f"{guard}int b;\n"}
    assert expanded(files)["a.c"].count("int b;") == times


def test_of_files_with_one_name_the_one_is_meant_that_fits_the_path_or_the_folder():
    files = {
        "x/a.c": '#include "y/part.h"\n#include "part.h"\n',
        "part.h": "int outer;",
        "x/part.h": "int near;",
        "z/y/part.h": "int named;",
    }
    assert expanded(files) == {"x/a.c": "int named;\nint near;\n", "part.h": "int outer;"}


def test_what_several_programs_include_stays_unless_one_of_them_is_meant():
    files = {"a.c": '#include "h.h"\n', "b.c": '#include "h.h"\n', "h.h": "int h;"}
    assert expanded(files) == files
    assert expanded(files, "a.c") == {"a.c": "int h;\n", "b.c": '#include "h.h"\n'}


def test_kept_files_and_circles_end_it():
    files = {"a.c": '#include "b.h"\n', "b.h": '#include "c.h"\n', "c.h": '#include "b.h"\nint c;'}
    assert expanded(files) == {"a.c": '#include "b.h"\nint c;\n'}
    without = {"a.c": '#include "b.h"\n', "b.h": '#include "b.h"\nint c;\n'}
    assert expanded(files, kept=["b.h"]) == without


def test_a_reduction_asks_for_the_whole_program_first():
    """Parts are spread over files that also others include; as one text they go in few runs."""
    files = {
        "a.c": '#include "one.h"\n#include "two.h"\nint a;\n',
        "b.c": '#include "one.h"\n#include "two.h"\nint b;\n',
        "one.h": "int needle;\n",
        "two.h": "int thread;\n",
    }

    def interesting(found):
        lines = found.get("a.c", b"").decode().splitlines()
        texts = [
            found.get(line.split('"')[1], b"") for line in lines if line.startswith("#include")
        ]
        whole = b"\n".join([found.get("a.c", b""), *texts])
        return b"needle" in whole and b"thread" in whole

    asked: list[dict[str, bytes]] = []

    def recorded(found):
        asked.append({path: bytes(text) for path, text in found.items()})
        return interesting(found)

    result = reduced(files, recorded, main=b"a.c")
    assert result.files.keys() == {"a.c"}
    whole = "int needle;\nint thread;\nint a;\n"
    assert any(tree.get("a.c") == whole.encode() for tree in asked)


def test_a_refused_program_is_not_asked_for_again_as_all_programs():
    files = {
        "a.c": '#include "b.h"\nint a;\n',
        "b.h": '#include "c.h"\nint b;\n',
        "c.h": "int c;\n",
    }
    asked: list[dict[str, bytes]] = []

    def only_apart(found):
        asked.append({path: bytes(text) for path, text in found.items()})
        return asked[-1] == {path: text.encode() for path, text in files.items()}

    assert reduced(files, only_apart, main=b"a.c").files.keys() == files.keys()
    assert asked.count({"a.c": b"int c;\nint b;\nint a;\n"}) == 1
