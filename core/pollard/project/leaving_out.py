"""What is no part of a project by default: caches, build outputs, what .gitignore names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

from pollard.errors import PollardError
from pollard.file_tree import parents, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GITIGNORE = b".gitignore"

# Histories, installed packages and caches. Builds are recognised by what is in them.
_USUAL = (".git", ".hg", ".svn", ".jj", "node_modules", "__pycache__", ".venv", ".tox", ".nox")
_MARKERS = (b"CACHEDIR.TAG", b"CMakeCache.txt", b"pyvenv.cfg")


class PatternError(PollardError):
    """A pattern of --include or --exclude cannot be understood."""


@dataclass(slots=True)
class LeftOut:
    """Decides what is left out, and counts it.

    - `include`, `exclude`: patterns as in .gitignore. `exclude` wins, then `include`, and then the
      usual rules
    - `names`: what was left out, by path; folders end in `/`
    """

    include: GitIgnoreSpec
    exclude: GitIgnoreSpec
    names: list[str] = field(default_factory=list)
    _ignoring: dict[bytes, GitIgnoreSpec] = field(default_factory=dict)

    @classmethod
    def by(cls, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> LeftOut:
        """Return the rules for the patterns of the command line. Raises PatternError."""
        return cls(_spec("--include", include), _spec("--exclude", exclude))

    @property
    def description(self) -> str:
        """A sentence about what was left out; "" if nothing was."""
        if not self.names:
            return ""
        names = ", ".join(self.names[:3])
        more = f" and {len(self.names) - 3} more" if len(self.names) > 3 else ""
        return f"Left out: {names}{more}; --include PATTERN takes it in."

    def read_rules(self, folder: bytes, names: Sequence[bytes], read: Callable[[], bytes]) -> None:
        """Take note of the .gitignore of a folder, if `names`, which are in it, have one."""
        if GITIGNORE in names:
            lines = read().decode("utf-8", "replace").splitlines()
            self._ignoring[folder] = GitIgnoreSpec.from_lines(lines)

    def skips_file(self, path: bytes) -> bool:
        """Return whether a file is left out."""
        return self._skips(path, shown(path), usual=self._is_ignored(path, b""))

    def skips_folder(self, path: bytes, names: Sequence[bytes]) -> bool:
        """Return whether a folder is left out with all that is in it; `names` are in it."""
        is_usual = shown(path.rpartition(b"/")[2]) in _USUAL or any(
            marker in names for marker in _MARKERS
        )
        return self._skips(path, shown(path) + "/", usual=is_usual or self._is_ignored(path, b"/"))

    def _skips(self, path: bytes, name: str, *, usual: bool) -> bool:
        is_folder = name.endswith("/")
        if self.exclude.match_file(name):
            return True
        if not usual or self.include.match_file(name) or (is_folder and self._may_include(path)):
            return False
        self.names.append(name)
        return True

    def _may_include(self, folder: bytes) -> bool:
        """Return whether an --include may mean something in a folder that is usually left out."""
        first = shown(folder) + "/"
        return any(
            str(pattern.pattern).lstrip("/").startswith(first) for pattern in self.include.patterns
        )

    def _is_ignored(self, path: bytes, end: bytes) -> bool:
        """Return whether the nearest .gitignore that says something about a path ignores it."""
        for folder in reversed([b"", *parents(path)]):
            spec = self._ignoring.get(folder)
            if spec is not None:
                inside = path[len(folder) + 1 :] if folder else path
                verdict = spec.check_file(shown(inside + end)).include
                if verdict is not None:
                    return verdict
        return False


def _spec(option: str, patterns: Sequence[str]) -> GitIgnoreSpec:
    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise PatternError(f"{option} has a pattern that cannot be read: {error}.") from error
