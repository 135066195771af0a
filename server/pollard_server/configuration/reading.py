"""Finds and reads settings files in separate threads, so that a disk that hangs blocks nothing."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pollard.settings import Problem, Settings, SettingsError, find_settings, read_settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Start = tuple["Path | None", tuple["Path", ...]]


@dataclass(frozen=True, slots=True)
class FileSettings:
    """The result of reading a document's settings: the settings, or the error and the file's text.

    `file` is the settings file, None if there is none.
    """

    file: Path | None
    settings: Settings
    error: SettingsError | None = None
    text: str = ""


class SettingsReader:
    """Reads settings files, in one thread per folder; callers for the same folder share a result."""

    def __init__(self) -> None:
        self._waiting: dict[Start, list[Future[FileSettings]]] = {}
        self._lock = threading.Lock()

    def read(self, path: Path | None, roots: tuple[Path, ...]) -> Future[FileSettings]:
        """Start reading for the document at `path`; the disk is read after this call, never before.

        The future is completed in another thread. There is at most one thread for each pair of
        folder and roots.
        """
        future: Future[FileSettings] = Future()
        start = search_start(path, roots), roots
        with self._lock:
            is_busy = start in self._waiting
            self._waiting.setdefault(start, []).append(future)
        if not is_busy:
            threading.Thread(target=self._work, args=(start,), name="settings", daemon=True).start()
        return future

    def _work(self, start: Start) -> None:
        while futures := self._next(start):
            try:
                reading = _read(*start)
            except BaseException as error:  # raised again by the waiting threads
                for future in futures:
                    future.set_exception(error)
            else:
                for future in futures:
                    future.set_result(reading)

    def _next(self, start: Start) -> list[Future[FileSettings]]:
        """Take the waiting futures; forget `start` if there are none."""
        with self._lock:
            futures = self._waiting[start]
            if futures:
                self._waiting[start] = []
            else:
                del self._waiting[start]
            return futures


def _read(folder: Path | None, roots: tuple[Path, ...]) -> FileSettings:
    if folder is None:
        return FileSettings(None, Settings())
    try:
        file = find_settings(folder)
        if file is None:
            return FileSettings(None, Settings(workspace=innermost_root(folder, roots)))
    except (OSError, RuntimeError) as error:  # a folder that may not be entered, a loop of links
        problem = Problem(str(folder), None, f"cannot be searched for settings: {error}")
        return FileSettings(None, Settings(), SettingsError([problem]))
    try:
        return FileSettings(file, read_settings(file))
    except SettingsError as error:
        return FileSettings(file, Settings(workspace=file.parent), error, _text(file))


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def search_start(path: Path | None, roots: Sequence[Path]) -> Path | None:
    """Return the folder where the search for a settings file starts; None if there is none.

    A text without a path belongs to the first workspace root.
    """
    if path is not None:
        return path.parent
    return roots[0] if roots else None


def innermost_root(folder: Path, roots: Sequence[Path]) -> Path:
    """Return the innermost of the roots that contain `folder`, else `folder`; both resolved."""
    resolved = folder.resolve()
    around = [root.resolve() for root in roots if resolved.is_relative_to(root.resolve())]
    return max(around, key=lambda root: len(root.parts), default=resolved)
