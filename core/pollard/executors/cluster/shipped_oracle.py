"""An oracle with all that it needs from the machine where the reduction runs."""

from __future__ import annotations

import io
import re
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pollard.errors import OracleError
from pollard.oracle.command import inner_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pollard.oracle.command import CommandOracle

# A path in a command, which may begin with the workspace.
_PATH = re.compile(r"(?:\{workspace\}|(?<![\w.}]))/(?:[\w.+@%~-]+/)*[\w.+@%~-]+")
# What is in these is installed, and a copy of a single file would be of no use.
_INSTALLED = tuple(
    map(Path, ("/bin", "/lib", "/lib64", "/nix", "/opt", "/sbin", "/snap", "/usr", "/Library"))
)


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that a command names; `spellings` are the texts that stand for it in the command."""

    path: Path
    content: bytes
    mode: int
    spellings: tuple[str, ...]

    def is_here(self) -> bool:
        """Return whether this machine has the same file at the same path."""
        try:
            return self.path.read_bytes() == self.content
        except OSError:
            return False

    def write_to(self, folder: Path) -> Path:
        """Write a copy into a new folder, and return its path."""
        folder.mkdir(parents=True)
        copy = folder / self.path.name
        copy.write_bytes(self.content)
        copy.chmod(self.mode)
        return copy


@dataclass(frozen=True, slots=True)
class ShippedOracle:
    """An oracle, the name of its candidates, and contents of files; it can be pickled.

    `archive` is a tar archive of the oracle's `files`, each in a folder of its own.
    """

    oracle: CommandOracle
    filename: str
    archive: bytes
    named: tuple[NamedFile, ...]

    @classmethod
    def of(cls, oracle: CommandOracle, filename: str) -> ShippedOracle:
        """Read the files of an oracle. Raises `OracleError` if one cannot be read."""
        archive = b"" if oracle.surroundings else _archive(oracle)
        there = replace(oracle, cluster=None)  # or a worker would send it on
        return cls(there, filename, archive, tuple(_named_files(oracle)))

    def unpacked(self, folder: Path) -> CommandOracle:
        """Return the oracle as this machine can run it, with copies of its files in `folder`.

        A file that the command names is used where it is, if this machine has the same file there; a
        script may need what is beside it. Raises `OracleError`.
        """
        command = self.oracle.command
        for number, file in enumerate(self.named):
            if not file.is_here():
                copy = file.write_to(folder / "named" / str(number))
                for spelling in file.spellings:
                    command = _replaced(command, spelling, str(copy))
        if self.oracle.surroundings is not None:
            self._require_surroundings(self.oracle.surroundings.root)
            return replace(self.oracle, command=command)
        workspace = self.oracle.workspace
        return replace(
            self.oracle,
            command=command,
            files=tuple(self._unpacked_files(folder / "files")),
            workspace=workspace if workspace.is_dir() else folder,
            sandbox=replace(self.oracle.sandbox, read=(*self.oracle.sandbox.read, folder)),
        )

    def _unpacked_files(self, folder: Path) -> Iterator[Path]:
        with tarfile.open(fileobj=io.BytesIO(self.archive)) as archive:
            archive.extraction_filter = lambda member, _: member  # we made it ourselves
            archive.extractall(folder)
        for number, source in enumerate(self.oracle.sources):
            yield folder / str(number) / source.name

    def _require_surroundings(self, root: Path) -> None:
        if not root.is_dir():
            message = (
                f"The tool reads the project in {root}, which this machine does not have; share that "
                "folder with all workers, or give a command and --with FILE instead."
            )
            raise OracleError(message)


def _archive(oracle: CommandOracle) -> bytes:
    """Return the tar archive of the oracle's files. Raises `OracleError`."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for number, source in enumerate(oracle.sources):
            try:
                archive.add(source.resolve(), f"{number}/{source.name}", filter=_without_owner)
            except OSError as error:
                message = f"The oracle's file {str(source)!r} cannot be copied: {error.strerror}."
                raise OracleError(message) from error
    return stream.getvalue()


def _without_owner(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member


def _named_files(oracle: CommandOracle) -> Iterator[NamedFile]:
    """Yield the files that a command names, but for installed programs. Raises `OracleError`."""
    spellings: dict[Path, dict[str, None]] = {}
    for text in _spelled_paths(oracle):
        path = oracle.workspace / text.replace("{workspace}", str(oracle.workspace))
        if path.is_file() and not _is_installed(path):
            spellings.setdefault(path, {})[text] = None
    for path, texts in spellings.items():
        try:
            content, mode = path.read_bytes(), path.stat().st_mode & 0o777
        except OSError as error:
            message = f"The file {str(path)!r} of the command cannot be read: {error.strerror}."
            raise OracleError(message) from error
        yield NamedFile(path, content, mode, tuple(texts))


def _spelled_paths(oracle: CommandOracle) -> Iterator[str]:
    command = oracle.command
    if isinstance(command, str):
        yield from _PATH.findall(command)
        return
    if "/" in command[0]:
        yield command[0]  # relative to the workspace
    for word in command:
        yield from _PATH.findall(word)
        if word.startswith(("/", "{workspace}/")):
            yield word  # whatever characters are in it


def _is_installed(path: Path) -> bool:
    """Return whether a file belongs to the system or to a Python environment."""
    in_environment = any((folder / "pyvenv.cfg").exists() for folder in path.parents)
    return in_environment or any(map(path.is_relative_to, _INSTALLED))


def _replaced(command: tuple[str, ...] | str, spelling: str, copy: str) -> tuple[str, ...] | str:
    """Return a command with `copy` for each path that is written as `spelling`."""
    if not isinstance(command, str):
        return tuple(
            copy if word == spelling else str(_replaced(word, spelling, copy)) for word in command
        )
    if not _PATH.fullmatch(spelling):
        return command
    return _PATH.sub(lambda found: copy if found[0] == spelling else found[0], command)


def programs_of(oracle: CommandOracle) -> tuple[str, ...]:
    """Return the words of an oracle's command that may be programs on PATH, each once."""
    words = inner_words(oracle.command, oracle.workspace)
    return tuple(dict.fromkeys(word for word in words if Path(word).name == word))
