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
    - `special`: what is neither a file nor a folder nor a link, such as a socket
    """

    include: GitIgnoreSpec
    exclude: GitIgnoreSpec
    names: list[str] = field(default_factory=list)
    special: list[str] = field(default_factory=list)
    _ignoring: dict[bytes, GitIgnoreSpec] = field(default_factory=dict)

    @classmethod
    def by(cls, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> LeftOut:
        """Return the rules for the patterns of the command line. Raises PatternError."""
        return cls(_spec("--include", include), _spec("--exclude", exclude))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about what was left out."""
        usual = [f"Left out: {_some(self.names)}; --include PATTERN takes it in."]
        special = [f"Left out: {_some(self.special)}; pipes, sockets and devices cannot be copied."]
        return (*(usual if self.names else ()), *(special if self.special else ()))

    def read_rules(self, folder: bytes, names: Sequence[bytes], read: Callable[[], bytes]) -> None:
        """Take note of the .gitignore of a folder, if `names`, which are in it, have one."""
        if GITIGNORE in names:
            lines = read().decode("utf-8", "replace").splitlines()
            self._ignoring[folder] = GitIgnoreSpec.from_lines(lines)

    def skips_file(self, path: bytes) -> bool:
        """Return whether a file is left out."""
        return self._skips(path, shown(path), lambda: self._is_ignored(path, b""))

    def skips_folder(self, path: bytes, names: Callable[[], Sequence[bytes]]) -> bool:
        """Return whether a folder is left out with all in it; `names` reads what that is."""

        def is_usual() -> bool:
            if shown(path.rpartition(b"/")[2]) in _USUAL or self._is_ignored(path, b"/"):
                return True
            return not set(_MARKERS).isdisjoint(names())

        return self._skips(path, shown(path) + "/", is_usual)

    def _skips(self, path: bytes, name: str, is_usual: Callable[[], bool]) -> bool:
        is_folder = name.endswith("/")
        if self.exclude.match_file(name):
            return True
        if not is_usual():
            return False
        if self.include.match_file(name) or (is_folder and self._may_include(path)):
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


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"


def _spec(option: str, patterns: Sequence[str]) -> GitIgnoreSpec:
    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError as error:
        raise PatternError(f"{option} has a pattern that cannot be read: {error}.") from error
