"""What a copy of a zygote runs, as the interpreter would: a module, a script or code.

The zygote loads this file by its path, since it has no package (`zygote.py`).
"""

from __future__ import annotations

import builtins
import importlib.machinery
import os
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class EntryPoint:
    """What a child runs, as the interpreter would: a module, a script or code, with its arguments.

    `setup` is that of the zygote (`zygote.Zygote`).
    """

    def __init__(self, setup: dict[str, Any], arguments: list[bytes]) -> None:
        words = [os.fsdecode(word) for word in arguments][setup["options"] :]
        self._mode: str = setup["mode"]
        self._target: str = setup["target"]
        self.module: str | None = self._target if self._mode == "module" else None
        first = {"module": "-m", "code": "-c", "script": self._target}[self._mode]
        sys.argv[:] = [first, *words]
        if hasattr(sys, "orig_argv"):
            sys.orig_argv[:] = [*setup["words"], *words]
        if self._mode != "script" and not has_safe_path():
            # That of a script is there since modules were loaded.
            sys.path.insert(0, os.getcwd() if self.module else "")  # noqa: PTH109
        self.main: Any = sys.modules["__main__"]

    def code(self) -> types.CodeType:
        """Return the compiled script or code. Raises what cannot be read or compiled."""
        if self._mode == "code":
            _keep_source("<string>", self._target + "\n")
            return compile(self._target + "\n", "<string>", "exec", dont_inherit=True)
        with open(self._target, "rb") as stream:  # noqa: PTH123
            return compile(stream.read(), self.main.__file__, "exec", dont_inherit=True)


def allow_more_frames(mode: str) -> None:
    """Let programs not notice that there are more frames below them than in a new process.

    Deep nesting is a usual failure, and a reduction ends exactly at the limit.
    """
    calls_exec = mode != "module" and sys.version_info < (3, 12)  # where C functions count
    more = 2 if calls_exec else 1
    get, change = sys.getrecursionlimit, sys.setrecursionlimit

    def getrecursionlimit() -> int:
        return get() - more

    def setrecursionlimit(limit: int) -> None:
        change(limit + more)

    sys.getrecursionlimit, sys.setrecursionlimit = getrecursionlimit, setrecursionlimit
    setrecursionlimit(get())


def has_safe_path() -> bool:
    """Return whether the interpreter leaves `sys.path` without the directory of what runs."""
    return bool(getattr(sys.flags, "safe_path", sys.flags.isolated))


def new_main(mode: str, target: str) -> types.ModuleType:
    """Return the module `__main__`, as it is when a new process begins to run something."""
    main: Any = types.ModuleType("__main__")
    main.__builtins__ = builtins
    if sys.version_info < (3, 14):
        main.__annotations__ = {}
    if mode == "script":
        main.__file__ = os.path.abspath(target)  # noqa: PTH100
        main.__cached__ = None
        main.__loader__ = importlib.machinery.SourceFileLoader("__main__", main.__file__)
    elif mode == "code":
        main.__loader__ = importlib.machinery.BuiltinImporter
    result: types.ModuleType = main
    return result


def _keep_source(name: str, source: str) -> None:
    """Let tracebacks show the lines of a command's code, as they do from Python 3.13."""
    if sys.version_info >= (3, 13):
        import linecache  # noqa: PLC0415 (the interpreter loads it there, too)

        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
