"""Names of several files: each gets one letter in all files that use it.

The reduction of a file cannot rename what another file declares or uses, since the other one stays as
it is. Which places of a file are the name is known from its tree, as for the pass `rename`. In a file
without a tree, or where the tree has no such name, it is every word with that text.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from pollard.passes.shortening.renaming import letters
from pollard.project.links.imports import grammar_of, is_import, names_of, syntax_errors
from pollard.project.phases.halving import Part, removable
from pollard.project.phases.questions import QuestionsAbout, questions
from pollard.syntax.encodings.encoding import is_binary, text_of
from pollard.syntax.names.definitions import declared_names
from pollard.syntax.names.replaceable import identifiers
from pollard.syntax.tree.document import Document
from pollard.syntax.tree.edits import Edit, apply

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pollard.file_tree import Entry, FileTree
    from pollard.project.phases.tree_subject import TreeSubject

    Span = tuple[int, int]

# With more, the files are not reduced far enough yet.
_MAX_NAMES = 400
_WORD = re.compile(rb"\w+")


def rename_shared_names(subject: TreeSubject) -> None:
    """Give each name that several files use one letter in all of them: all names, then halves."""
    guard, untouched = subject.plan.each.guard, subject.plan.partly
    shared = SharedNames(subject.tree, guard=guard, untouched=untouched)
    parts = [Part(frozenset([name]), shared.saved(name)) for name in shared.names]
    about = QuestionsAbout("renaming", shared.names, shared.renamed, "letters")
    with questions(subject, about) as first:
        removable(parts, first)


class SharedNames:
    """The names that a file of a tree declares and another one uses. Any thread may use it."""

    def __init__(self, tree: FileTree, *, guard: bool, untouched: bytes | None = None) -> None:
        """With `guard`, no name is renamed that leads to syntax errors in a file.

        Names in the file `untouched` keep their text, and so do words that are part of a path.
        """
        self._tree = tree
        self._places = {path: _places(path, entry) for path, entry in tree.items()}
        found = self._longest_first(untouched)
        texts = b"\n".join(entry.content for entry in tree.values() if entry.is_file)
        new = letters(found, texts) if len(found) <= _MAX_NAMES else {}
        self._letters: Mapping[bytes, bytes] = {
            name: letter for name, letter in new.items() if not guard or self._parses(name, letter)
        }

    @property
    def names(self) -> Sequence[bytes]:
        """The names that can be renamed."""
        return sorted(self._letters)

    def saved(self, name: bytes) -> int:
        """Return how many bytes are saved by renaming a name."""
        return sum(len(of.get(name, ())) for of in self._places.values()) * (len(name) - 1)

    def renamed(self, names: Iterable[bytes]) -> FileTree:
        """Return the tree with some of the names renamed."""
        return self._with({name: self._letters[name] for name in names})

    def _with(self, new: Mapping[bytes, bytes]) -> FileTree:
        changed = dict(self._tree)
        for path, places in self._places.items():
            edits = [Edit(*span, new[name]) for name in new for span in places.get(name, ())]
            if edits:
                content = apply(self._tree[path].content, sorted(edits))
                changed[path] = replace(self._tree[path], content=content)
        return changed

    def _longest_first(self, untouched: bytes | None) -> list[bytes]:
        fixed = set(self._places.get(untouched or b"", ()))
        for path in self._tree:
            fixed.update(names_of(path), _WORD.findall(path))
        used = Counter(name for of in self._places.values() for name in of)
        declared = frozenset[bytes]().union(
            *(declared_in(path, entry) for path, entry in self._tree.items())
        )
        shared = {name for name in declared if used[name] > 1 and len(name) > 1} - fixed
        return sorted(shared, key=lambda name: (-self.saved(name), name))

    def _parses(self, name: bytes, letter: bytes) -> bool:
        new = self._with({name: letter})
        return all(
            syntax_errors(path, new[path]) <= syntax_errors(path, entry)
            for path, entry in self._tree.items()
            if new[path] is not entry
        )


def _document(path: bytes, entry: Entry) -> Document | None:
    """Return the document of a file whose bytes are its text; None if there is none."""
    if not entry.is_file or is_binary(entry.content) or text_of(entry.content) != entry.content:
        return None
    grammar = grammar_of(path, entry.content)
    return Document(entry.content, grammar.language) if grammar else None


@lru_cache(maxsize=512)  # each merge that holds makes the names of all files new
def declared_in(path: bytes, entry: Entry) -> frozenset[bytes]:
    """Return all names that a file declares, parameters and locals included; none without a grammar."""
    document = _document(path, entry)
    return declared_names(document) if document else frozenset()


@lru_cache(maxsize=512)  # likewise
def outer_names(path: bytes, entry: Entry) -> frozenset[bytes]:
    """Return what a file declares for others: the first name of each line that is not indented.

    Names that it imports are not among them.
    """
    lines = entry.content.split(b"\n")
    imported = {word for line in lines if is_import(line) for word in _WORD.findall(line)}
    declared = declared_in(path, entry) - imported
    outer = (_WORD.findall(line) for line in lines if not line[:1].isspace())
    first = (next((word for word in words if word in declared), None) for words in outer)
    return frozenset(word for word in first if word is not None)


def _places(path: bytes, entry: Entry) -> Mapping[bytes, Sequence[Span]]:
    """Map the names of a file, and its other words, to their places."""
    if not entry.is_file or is_binary(entry.content):
        return {}
    found: dict[bytes, list[Span]] = {}
    for match in _WORD.finditer(entry.content):
        found.setdefault(match[0], []).append(match.span())
    document = _document(path, entry)
    return (
        found if document is None else found | dict(identifiers(document, declared_names(document)))
    )
