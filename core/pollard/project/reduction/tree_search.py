"""The search for a smaller tree: the phases in order, until nothing changes or a limit is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.file_tree import file_count
from pollard.limits import SearchEnded
from pollard.project.phases.contents import Contents
from pollard.project.phases.emptying import empty_files, remove_empty_files
from pollard.project.phases.file_choice import remove_clearly_unneeded, remove_unneeded
from pollard.project.phases.merging import include_files, merge_files
from pollard.project.phases.named_file import reduce_named_file
from pollard.project.phases.packages import flatten_packages
from pollard.project.phases.shared_names import rename_shared_names
from pollard.project.phases.unlinking import unlink_files

if TYPE_CHECKING:
    from pollard.limits import EndedBy
    from pollard.project.phases.tree_subject import TreeSubject

# The last round only shows that nothing more can go.
_MAX_ROUNDS = 4
# So few files are merged before anything else, since that costs hardly more runs than they are.
_MAX_FEW_FILES = 20


class TreeSearch:
    """Searches for a smaller tree by one phase after the other.

    `ended_by` is the limit at which it ended; None if it came to its end.
    """

    def __init__(self, subject: TreeSubject) -> None:
        self.ended_by: EndedBy | None = None
        self._subject = subject
        self._contents = Contents(subject)

    def run(self) -> None:
        """Search until the end or a limit. Raises Cancelled, and what the oracle raises."""
        try:
            self._search()
        except SearchEnded as ended:
            self.ended_by = ended.by
            self._subject.standing.notes.append(ended.note)

    def _search(self) -> None:
        """Choose files and reduce their contents until no file goes; then rename what they share."""
        subject = self._subject
        self._choose_first()
        self._contents.look_at_first()
        merge_files(subject)
        left = None
        while left != subject.tree.keys():
            self._go_through_rounds()
            left = subject.tree.keys()
            self._contents.shorten()
            remove_empty_files(subject)
        if subject.plan.each.renaming and file_count(subject.tree) > 1:
            rename_shared_names(subject)

    def _go_through_rounds(self) -> None:
        """Choose files and reduce their contents, until a round changes nothing."""
        subject = self._subject
        for _ in range(_MAX_ROUNDS):
            before = subject.tree
            remove_unneeded(subject, anew=False)
            self._contents.reduce()
            merge_files(subject)
            if subject.tree == before:
                return

    def _choose_first(self) -> None:
        """Choose among the files of the original, before the contents of each are reduced."""
        subject = self._subject
        reduce_named_file(subject)
        remove_clearly_unneeded(subject)
        include_files(subject)
        if file_count(subject.tree) <= _MAX_FEW_FILES:
            flatten_packages(subject)
            merge_files(subject)  # so that less is left to reduce file by file
        self._contents.look_at_named()
        unlink_files(subject)
        remove_unneeded(subject, anew=True)
        flatten_packages(subject)
        merge_files(subject)
        empty_files(subject)
