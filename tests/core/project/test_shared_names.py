"""Names that several files use get one letter in all of them, where the oracle agrees."""

from __future__ import annotations

from dataclasses import replace

from pollard.project.phases.shared_names import SharedNames
from pollard.project.reduction import ProjectReduction
from tests.core.project.support import plan_for, tree_of

FILES = {
    "main.c": '#include "part.h"\nint main(void) { return tally_rows(3); }\n',
    "part.h": "int tally_rows(int seed);\n",
    "notes.txt": "tally_rows is wrong, not tally_rows2\n",
}


def shared(files, **options):
    return SharedNames(tree_of(files), guard=True, **options)


def renamed(files, **options):
    """Return the texts in which all shared names are renamed."""
    found = shared(files, **options)
    return {
        path.decode(): entry.content.decode() for path, entry in found.renamed(found.names).items()
    }


def test_a_name_that_two_files_use_is_renamed_in_all_files():
    texts = renamed(FILES)
    assert texts["part.h"] == "int t(int seed);\n"
    assert texts["main.c"].endswith("return t(3); }\n")
    assert texts["notes.txt"] == "t is wrong, not tally_rows2\n"


def test_names_of_one_file_and_names_that_nothing_declares_stay():
    files = {"a.py": "local = 1\nprint(local)\n", "b.py": "print(2)\n"}
    assert shared(files).names == []


def test_a_word_of_a_path_stays():
    files = {"part.py": "part = 1\n", "a.py": "import part\npart.part = 2\n"}
    assert renamed(files) == files


def test_names_of_a_file_that_must_stay_as_it_is_are_not_renamed():
    assert renamed(FILES, untouched=b"main.c") == FILES


def test_the_new_letter_is_no_word_of_any_file():
    texts = renamed(FILES | {"other.c": "int t;\n"})
    assert "tally_rows" not in texts["part.h"]
    assert texts["part.h"] != "int t(int seed);\n"


def test_strings_keep_the_name_where_the_grammar_knows_them():
    files = {"a.py": "def leap(): pass\n", "b.py": "leap()\nprint('leap')\n"}
    assert renamed(files)["b.py"] == "l()\nprint('leap')\n"


def reduced(*, renaming, jobs=1):
    def interesting(files):
        a, b = files.get("a.py", b""), files.get("b.py", b"")
        return a.startswith(b"def ") and a[4:].partition(b"(")[0] == b.strip() != b""

    plan = plan_for(
        tree_of({"a.py": "def leap(): pass\n", "b.py": "leap\n"}), interesting, jobs=jobs
    )
    return ProjectReduction(replace(plan, each=replace(plan.each, renaming=renaming))).run()


def test_a_reduction_renames_what_no_file_can_rename_alone():
    """With any number of jobs, and not without `renaming`."""
    texts = [text.strip() for text in reduced(renaming=True).files.values()]
    assert texts == [b"def l():", b"l"]
    assert b"leap" in reduced(renaming=False).files["b.py"]
    one, two = reduced(renaming=True), reduced(renaming=True, jobs=2)
    assert (one.tree, one.counts.runs) == (two.tree, two.counts.runs)
