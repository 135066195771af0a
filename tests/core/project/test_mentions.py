"""Files are linked by the names in them, in any language."""

from __future__ import annotations

import pytest

from pollard.file_tree import Entry
from pollard.project.links.imports import namers, with_namers


def tree(**files):
    return {name.encode(): Entry(text.encode()) for name, text in files.items()}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("lib/tools.h", '#include "tools.h"\n'),
        ("lib/tools.h", '#include "../lib/tools.h"\n'),
        ("pkg/parser.py", "from pkg import parser\n"),
        ("pkg/parser.py", "import pkg.parser as p\n"),
        ("pkg/__init__.py", "import pkg\n"),
        ("src/app.ts", 'import {a} from "./app"\n'),
        ("src/util/mod.rs", "mod util;\n"),
        ("packages/core/src/index.ts", 'import {a} from "@acme/core"\n'),
        ("packages/core/src/index.ts", 'import {a} from "../src"\n'),
        ("package.json", "cat package.json"),
    ],
)
def test_a_path_is_named(path, text):
    entries = {path.encode(): Entry(b""), b"other": Entry(text.encode())}
    assert namers(entries, entries)[path.encode()] == {b"other"}


def test_other_words_and_a_file_itself_name_nothing():
    entries = tree(tools="tools", other="toolset tool s")
    assert namers(entries, entries) == {b"tools": frozenset(), b"other": frozenset()}


def test_who_names_a_namer_counts_too_even_in_a_circle():
    entries = tree(aa="bb", bb="cc", cc="aa", dd="ee", ee="")
    by = namers(entries, entries)
    assert with_namers(b"aa", by) == {b"aa", b"bb", b"cc"}
    assert with_namers(b"ee", by) == {b"dd", b"ee"}
