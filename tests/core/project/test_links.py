"""Import lines as a graph: where it begins, and what leads to what."""

from __future__ import annotations

from pollard.project.links.imports import Links
from tests.core.project.support import tree_of

CHAIN = {
    "main.c": '#include "a.h"\n#include "b.h"\nint main;\n',
    "a.h": '#include "c.h"\n',
    "b.h": "int b;\n" * 9,
    "c.h": "int c;\n",
}


def links(files, main=None):
    return Links(tree_of(files), main)


def test_what_no_other_file_imports_comes_first_then_what_it_imports():
    assert links(CHAIN).roots() == [b"main.c"]
    assert links(CHAIN).outside_in() == [b"main.c", b"b.h", b"a.h", b"c.h"]


def test_the_main_file_comes_first_even_if_others_import_it():
    files = CHAIN | {"c.h": '#include "main.c"\n', "notes.txt": "see main.c " * 99}
    assert links(files, b"main.c").roots() == [b"main.c", b"notes.txt"]


def test_of_files_that_import_each_other_one_is_a_root():
    files = {"one.py": "import two\n", "two.py": "import one\nx = 1\n", "c.py": "y\n"}
    assert links(files).roots() == [b"c.py", b"two.py"]
    assert sorted(links(files).outside_in()) == [b"c.py", b"one.py", b"two.py"]


def test_what_only_one_file_leads_to_is_unreached_without_it():
    found = links(CHAIN)
    assert found.unreached([b"main.c"]) == frozenset()
    assert found.unreached([b"main.c"], without=b"a.h") == {b"a.h", b"c.h"}
    assert found.unreached([b"main.c"], without=b"main.c") == {name.encode() for name in CHAIN}


def test_files_without_imports_are_roots_and_name_no_others():
    found = links({"a.txt": "b", "b.txt": "a a"})
    assert found.roots() == [b"b.txt", b"a.txt"]
    assert not found.names_others(b"a.txt")
    assert links(CHAIN).names_others(b"a.h")
