"""All texts that are one unit smaller, found without the passes, to check minimality."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Language, Node, Parser

from pollard.syntax.branches.branches import Branch, Preprocessing, root_branch
from pollard.syntax.branches.units import reaches, removal
from pollard.syntax.layout.layout import Layout
from pollard.syntax.tree.document import Document


def one_unit_smaller(text: bytes, language: Language) -> Iterator[bytes]:
    """Yield, for each branch of the tree, the text without its unit.

    That is the first of the runs of neighbouring tokens around it whose removal leaves no more
    syntax errors, counted here with a parse from scratch; a branch that has none is no unit.
    """
    document = Document(text, language)
    layout = Layout(document, (0, len(text)))
    most = _errors(text, language)
    for branch in _branches(root_branch(document.root, Preprocessing())):
        for reach in reaches(branch):
            smaller = document.edited(layout.tidy([removal(branch, reach)])).text
            if _errors(smaller, language) <= most:
                if smaller != text:
                    yield smaller
                break


def _branches(root: Branch) -> Iterator[Branch]:
    waiting = list(root.children)
    while waiting:
        branch = waiting.pop()
        yield branch
        waiting += branch.children


def _errors(text: bytes, language: Language) -> int:
    waiting: list[Node] = [Parser(language).parse(text).root_node]
    count = 0
    while waiting:
        node = waiting.pop()
        count += node.is_error or node.is_missing
        waiting += node.children
    return count
