"""The folder that a reduction of several files starts from, as settings and permits see it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.errors import PollardError
from pollard.syntax.grammars import languages
from pollard_server.text.file_encodings import REPLACEMENT
from pollard_server.text.uris import path_of

if TYPE_CHECKING:
    from pathlib import Path


_MAX_NAMES = 3


@dataclass(frozen=True, slots=True)
class FolderTarget:
    """A folder on disk; `main` is the path of its main file, if the request names one in it.

    `unsaved` are the names of open files in it whose text in the editor is not that on disk.
    """

    uri: str
    folder: Path
    main: bytes | None = None
    unsaved: tuple[str, ...] = ()

    @staticmethod
    def is_folder(uri: str) -> bool:
        """Return whether a URI names a folder on disk."""
        folder = path_of(uri)
        return folder is not None and folder.is_dir()

    @classmethod
    def of(cls, uri: str, main: str | None = None) -> FolderTarget:
        """Return the folder that a URI names. Raises PollardError if it is none.

        A `main` that is not in the folder does not count: editors name the file that is open.
        """
        folder = path_of(uri)
        if folder is None and ":" in uri:
            scheme = uri.partition(":")[0]
            message = (
                f"Pollard reduces folders on the disk of the machine where it runs, not {scheme}: "
                "URIs; open the folder there, or copy it."
            )
            raise PollardError(message)
        if folder is not None and REPLACEMENT in str(folder) and not folder.is_dir():
            message = (
                f"The name of {uri} is not UTF-8, and editors cannot pass it on; rename the folder, or "
                "reduce it by `pollard reduce`."
            )
            raise PollardError(message)
        if folder is None or not folder.is_dir():
            raise PollardError(f"{uri} is no folder on disk; choose one.")
        file = path_of(main) if main else None
        inside = file is not None and file.is_file() and file.is_relative_to(folder)
        path = os.fsencode(file.relative_to(folder).as_posix()) if file and inside else None
        return cls(uri, folder, path)

    @property
    def name(self) -> str:
        """Its name for people."""
        return f"{self.folder.name}/"

    @property
    def settings_uri(self) -> str:
        """The URI of a file in it: settings hold for files."""
        return f"{self.uri.rstrip('/')}/pollard.toml"

    @property
    def language(self) -> str | None:
        """The language of the main file; None without one."""
        name = os.fsdecode(self.main or b"").rpartition("/")[2]
        return languages.detect(name, b"") if name else None

    @property
    def warning(self) -> str | None:
        """What the user must know before a run: what is not saved is not read."""
        if not self.unsaved:
            return None
        names = ", ".join(self.unsaved[:_MAX_NAMES]) + (" ..." if self.unsaved[_MAX_NAMES:] else "")
        return (
            f"{self.name} is reduced as it is on disk, without your unsaved changes of {names}; to "
            "include them, stop, save, and start again."
        )
