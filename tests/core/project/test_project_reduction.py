"""Reductions of several files: the needed files are left, with the needed part of each."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pollard.errors import OracleError
from pollard.file_tree import Entry
from pollard.limits import SearchLimits
from pollard.oracle.predicate import Predicate
from pollard.project.outcome import FilesReduced, ProjectFinished, ProjectStarted
from pollard.project.reduction import ProjectReduction
from pollard.reduction import NotInteresting, Unstable
from tests.core.project.support import has_needle_in_a, plan_for, reduced, tree_of
from tests.examples import examples

_NAMES = st.sampled_from(["a.py", "b.c", "c.json", "d.txt", "sub/a.py", "sub/deep/e.h", "sub/f"])


@st.composite
def projects(draw):
    """Draw files, and some of them that are needed, each with a word."""
    needed = draw(st.sets(_NAMES, min_size=1, max_size=4))
    others = draw(st.sets(_NAMES)) | {f"more/x{n}" for n in range(draw(st.integers(0, 40)))}
    lines = st.lists(st.sampled_from(["x = 1", "f(2)", "", "{}"]), max_size=6)
    files = {}
    for name in sorted(needed | others):
        before, after = draw(lines), draw(lines)
        files[name] = "\n".join([*before, *(["needle"] if name in needed else []), *after])
    return files, needed


def has_needles(needed):
    return lambda files: all(b"needle" in files.get(name, b"") for name in needed)


@examples(30)
@given(projects())
def test_the_needed_files_are_left_with_what_is_needed_of_them(project):
    files, needed = project
    result = reduced(files, has_needles(needed))
    left = {path: content.rstrip(b"\n") for path, content in result.files.items()}
    assert left == dict.fromkeys(needed, b"needle")
    assert result.counts.runs <= 1_000


@examples(15)
@given(projects())
def test_any_number_of_jobs_gives_the_same_files_and_runs(project):
    files, needed = project
    one, two = (reduced(files, has_needles(needed), jobs=jobs) for jobs in (1, 2))
    assert one.tree == two.tree
    assert one.counts.runs == two.counts.runs


def test_three_needed_files_of_three_thousand_take_few_runs():
    files = {f"d{n % 40}/s{n % 7}/f{n}.txt": "word " * (n % 90) for n in range(3_000)}
    needed = ["d17/s3/f17.txt", "d34/s2/f1234.txt", "d17/s5/f2777.txt"]
    files |= {name: files[name] + "needle" for name in needed}
    result = reduced(files, has_needles(needed))
    assert result.files == dict.fromkeys(needed, b"needle")
    assert result.counts.runs <= 300


def test_files_that_name_each_other_go_together():
    """Neither of them can go alone, and halves of the folder always have a needed file."""
    names = ["needed1", "aa", "needed2", "bb"]
    files = dict.fromkeys(names, "") | {"aa": "see bb", "bb": "see aa"}

    def interesting(found):
        return {"needed1", "needed2"} <= found.keys() and ("aa" in found) == ("bb" in found)

    assert sorted(reduced(files, interesting).files) == ["needed1", "needed2"]


def test_an_empty_file_goes_though_the_line_that_imports_its_folder_stays():
    """Python needs no `__init__.py` to import a module of a folder."""
    files = {"main.py": "import pkg.a\nprint(0)\n", "pkg/__init__.py": "", "pkg/a.py": "x = 1\n"}

    def interesting(found):
        return b"import pkg.a" in found.get("main.py", b"") and "pkg/a.py" in found

    result = reduced(files, interesting, main=b"main.py")
    assert {path: text.strip() for path, text in result.files.items()} == {
        "main.py": b"import pkg.a",
        "pkg/a.py": b"",
    }


def test_what_only_superfluous_parts_of_a_file_need_costs_hardly_any_runs():
    """Each header is needed as long as the main file calls its function; 40 headers have 40 lines."""
    numbers = range(40)
    includes = "".join(f'#include "h{n}.h"\n' for n in numbers)
    calls = "".join(f"    total += part{n}(total, {n});\n" for n in numbers)
    main = f"{includes}int needle;\nint main(void) {{\n    int total = 1;\n{calls}}}\n"
    body = "".join(f"    value += {n} * value;\n" for n in numbers)
    headers = {f"h{n}.h": f"int part{n}(int value, int n) {{\n{body}}}\n" for n in numbers}

    def interesting(files):
        text = files.get("main.c", b"")
        declared = b"".join(
            files.get(name, b"") for name in re.findall(r'"(h\d+\.h)"', text.decode())
        )
        called = re.findall(rb"part\d+\(", text)
        return b"needle" in text and all(b"int " + name in declared for name in called)

    result = reduced({"main.c": main} | headers, interesting, main=b"main.c")
    assert {path: text.strip() for path, text in result.files.items()} == {"main.c": b"needle;"}
    assert result.counts.runs <= 80


def test_what_another_file_no_longer_needs_goes_in_the_next_round():
    """The header can go only once its include is gone, which is reduced after the choice of files."""
    files = {"a.c": '#include "b.h"\nint needle;\n', "b.h": "int b;\n"}

    def interesting(found):
        text = found.get("a.c", b"")
        return b"needle" in text and (b"b.h" not in text or "b.h" in found)

    assert reduced(files, interesting).files == {"a.c": b"needle;\n"}


def test_a_file_that_is_done_is_not_reduced_anew_after_another_changed():
    """The first file is done before the second becomes smaller, and has nothing more to give."""
    files = {"a.js": "needle(1, 2);\nother(3);\n", "b.js": "thread(4);\nother(5);\n"}

    def interesting(found):
        return b"needle" in found.get("a.js", b"") and b"thread" in found.get("b.js", b"")

    result = reduced(files, interesting)
    assert result.files == {"a.js": b"needle\n", "b.js": b"thread\n"}
    rounds = {one.name: one.rounds for one in result.passes}
    assert rounds["polish"] == len(files)


def test_a_file_that_fails_as_soon_as_it_is_read_takes_the_place_of_the_program():
    """The program loads all files of a folder by names that it computes."""
    loading = "".join(f"var a{n} = load({n});\n" for n in range(9))
    files = {f"parts/{n}.js": f"function part{n}() {{\n  return {n};\n}}\n" for n in range(6)}
    files["parts/3.js"] += "needle();\n"
    files["main.js"] = loading

    def interesting(found):
        program = found.get("main.js", b"")
        loads = program.count(b"load(") == loading.count("load(") and found.keys() == files.keys()
        fails = b"needle()" in program and b"function" not in program
        return fails or (loads and b"needle()" in found["parts/3.js"])

    result = reduced(files, interesting, main=b"main.js")
    assert result.files == {"main.js": b"needle()\n"}
    assert result.counts.runs <= 80


def test_small_files_that_lead_to_nothing_of_their_own_are_not_reduced_one_by_one():
    """Each view imports the same file, and none can go as long as a list names it."""
    names = [f"view{n}" for n in range(24)]
    body = "from base import show\n" + "".join(f"show({n}, 'the same')\n" for n in range(9))
    files = {f"views/{name}.py": body for name in names}
    files |= {"base.py": "def show(x): ...\n", "list.txt": "\n".join(["needle", *names])}

    def interesting(found):
        listed = found.get("list.txt", b"").decode().split()
        views = [found.get(f"views/{name}.py", b"") for name in names if name in listed]
        runs = not views or "base.py" in found
        return "needle" in listed and runs and all(view.count(b"show") > 9 for view in views)

    result = reduced(files, interesting)
    assert result.files == {"list.txt": b"needle"}
    assert result.counts.runs <= 200


def test_a_file_is_not_looked_at_again_if_what_changed_has_none_of_its_words():
    """The second file loses what only it has, after the first one was done."""
    files = {"a.js": "needle(1, 2);\n", "b.js": "thread(4);\nother(5);\n", "c.js": "yarn(6);\n"}
    asked = []

    def interesting(found):
        asked.append(found)
        return all(
            word in found.get(name, b"")
            for name, word in {"a.js": b"needle", "b.js": b"thread", "c.js": b"yarn"}.items()
        )

    assert len(reduced(files, interesting).files) == len(files)
    without_a = [found for found in asked if found.get("a.js") == b""]
    assert len(without_a) <= 4


def test_the_main_file_stays_even_if_it_is_not_needed():
    result = reduced({"m.py": "x", "n.py": "y"}, lambda found: "m.py" in found, main=b"m.py")
    assert result.files == {"m.py": b""}


def test_each_file_keeps_to_its_own_grammar():
    """Without the guard, the list would lose its brackets."""
    files = {"a.json": "[1, 2, [3, 40]]", "b.py": "def f():\n    return 40\n"}
    seen = []

    def interesting(found):
        seen.append(found.get("a.json", b"").count(b"[") - found.get("a.json", b"").count(b"]"))
        return all(b"40" in found.get(name, b"") for name in files)

    assert reduced(files, interesting).files == {"a.json": b"40", "b.py": b"40\n"}
    assert set(seen) == {0}


def test_a_binary_file_loses_pieces_in_few_runs():
    content = bytes(range(256)) * 400
    content = content[:70_000] + b"needle" + content[70_000:]
    plan = plan_for({b"a.bin": Entry(content)}, lambda found: b"needle" in found.get("a.bin", b""))
    result = ProjectReduction(plan).run()
    assert result.files == {"a.bin": b"needle"}
    assert result.counts.runs <= 150


def test_a_text_with_zero_bytes_is_no_binary_file():
    text = "[1, 2, [3, 40]]"
    plan = plan_for(
        {b"a.json": Entry(text.encode("utf-16"))},
        lambda found: "40" in found.get("a.json", b"").decode("utf-16"),
    )
    assert ProjectReduction(plan).run().files["a.json"].decode("utf-16") == "40"


def test_events_tell_the_beginning_each_better_tree_and_the_end():
    events = []
    plan = plan_for(tree_of({"a": "needle x", "b": "y"}), has_needles(["a"]))
    result = ProjectReduction(plan, events.append).run()
    accepted = [event for event in events if isinstance(event, FilesReduced)]
    assert isinstance(events[0], ProjectStarted)
    assert events[0].original.files == 2
    assert [event.number for event in accepted] == list(range(1, len(accepted) + 1))
    assert accepted[-1].tree == result.tree
    assert (accepted[-1].files, accepted[-1].size) == (1, 6)
    assert events[-1] == ProjectFinished(result)


def test_the_summary_names_each_file():
    result = reduced({"a": "needle x", "b": "yy"}, has_needles(["a"]))
    assert [(each.path, each.original, each.reduced) for each in result.by_file] == [
        ("a", 8, 6),
        ("b", 2, None),
    ]


def test_cancelling_keeps_the_best_tree():
    plan = plan_for(tree_of({"a": "needle x y z", "b": "y"}), has_needles(["a"]))

    def stop_at_first(event):
        if isinstance(event, FilesReduced):
            reduction.cancel()

    reduction = ProjectReduction(plan, stop_at_first)
    result = reduction.run()
    assert result.cancelled
    assert result.files == {"a": b"needle x y z"}


@pytest.mark.parametrize("limit", [1, 3, 7, 12])
def test_a_limit_of_runs_is_one_for_all_files_and_keeps_the_best_tree(limit):
    texts = dict.fromkeys(("a", "b"), "x\nneedle\ny\nz\nw\n")
    plan = plan_for(tree_of(texts), has_needles(texts), limits=SearchLimits(limit))
    result = ProjectReduction(plan).run()
    assert result.ended_by == "max_runs"
    assert result.counts.runs == limit
    assert has_needles(texts)(result.files)


def test_a_tree_that_is_not_interesting_is_not_reduced():
    with pytest.raises(NotInteresting):
        reduced({"a": "x"}, lambda _: False)


def test_an_oracle_that_stops_holding_is_reported():
    calls = []

    def interesting(found):
        calls.append(found)
        return len(calls) < 3

    with pytest.raises(Unstable):
        reduced({"a": "x", "b": "y"}, interesting)


def test_the_result_is_the_last_tree_that_fails_every_time():
    calls = itertools.count()

    def interesting(files):
        """Without b, every third run misses the failure."""
        return b"needle" in files.get("a", b"") and ("b" in files or next(calls) % 3 != 2)

    result = reduced({"a": "x\nneedle\n", "b": "y\n"}, interesting, checks=3)
    assert "b" in result.files
    assert any("flaky" in note for note in result.notes)


def test_an_error_in_the_function_is_an_oracle_error():
    with pytest.raises(OracleError, match="ZeroDivisionError"):
        reduced({"a": "x"}, lambda _: 1 / 0)


def test_a_function_may_run_in_processes():
    plan = plan_for(tree_of({"a": "x needle y", "b": "z"}), has_needle_in_a)
    each = plan.each
    object.__setattr__(each, "oracle", Predicate(has_needle_in_a, where="processes"))
    assert ProjectReduction(plan).run().files == {"a": b"needle"}
