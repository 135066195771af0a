"""Files that name others by a path lead to these; an item of a list goes with what it names."""

from __future__ import annotations

import pytest

from pollard.project.links.imports import Imports, Links
from tests.core.project.support import merged, tree_of

_FILES = dict.fromkeys(["apps/one/a.yaml", "apps/one/b.yaml", "apps/two/c.yaml", "text/d.rst"], "")


def without(path, text, *removed):
    """Return what is left of a file without others of the tree."""
    tree = tree_of(_FILES | {path: text})
    left = Imports(tree, guard=True).without(frozenset(map(str.encode, removed)))
    return left[path.encode()].content.decode()


@pytest.mark.parametrize(
    ("path", "line", "removed"),
    [
        ("list.yaml", "  - apps/one/a.yaml\n", ["apps/one/a.yaml"]),
        ("list.yaml", "  - ./apps/one/a.yaml\n", ["apps/one/a.yaml"]),
        ("list.yaml", '  - "apps/one/a.yaml"\n', ["apps/one/a.yaml"]),
        ("list.yaml", "  - import_playbook: apps/one/a.yaml\n", ["apps/one/a.yaml"]),
        ("list.yaml", "  - apps/one\n", ["apps/one/a.yaml", "apps/one/b.yaml"]),
        ("apps/one/list.yaml", "- ../two/c.yaml\n", ["apps/two/c.yaml"]),
        ("apps/one/list.yaml", "- a\n", ["apps/one/a.yaml"]),
        ("apps/one/list.yaml", "- apps/two/c.yaml\n", ["apps/two/c.yaml"]),
        ("index.rst", "   text/d\n", ["text/d.rst"]),
    ],
)
def test_the_item_goes_with_what_it_names(path, line, removed):
    text = f"x:\n{line}  - y\n"
    assert without(path, text, *removed) == "x:\n  - y\n"


@pytest.mark.parametrize(
    "line", ["- apps/one\n", "x: apps/one/a.yaml\n", "- b.yaml\n", "a\n", "- apps/one/a.yaml x\n"]
)
def test_a_line_stays_that_names_another_file_or_says_more(line):
    assert without("list.yaml", f"x\n{line}", "apps/one/a.yaml") == f"x\n{line}"


def test_a_list_leads_to_what_it_names():
    links = Links(tree_of(_FILES | {"list.yaml": "- apps/one\n- text/d.rst\n"}))
    assert links.roots() == [b"list.yaml", b"apps/two/c.yaml"]


@pytest.mark.parametrize("text", ['source = "./apps/one"\n', "f('./text/d.rst', './apps/one/a')\n"])
def test_a_path_in_quotes_leads_to_what_it_names(text):
    links = Links(tree_of(_FILES | {"main.tf": text}))
    assert links.names_others(b"main.tf")
    assert b"apps/one/a.yaml" not in links.roots()


def test_other_words_in_quotes_lead_nowhere():
    assert not Links(tree_of(_FILES | {"main.tf": 'x = "apps/one"\n'})).names_others(b"main.tf")


def test_documents_in_one_list_become_one_file():
    files = {"list.yaml": "all:\n- a.yaml\n- b.yaml\n", "a.yaml": "a: 1\n", "b.yaml": "b: 2\n"}
    assert {"list.yaml": "all:\n- b.yaml\n", "b.yaml": "b: 2\n---\na: 1\n"} in merged(files)
