"""The program that keeps a Python tool's modules loaded, and forks for each run; on Linux.

`pollard.executors.warm.zygotes` starts it by the tool's own interpreter and with the options of the
tool's command line. It is a launcher (`sandbox/launcher.py`) that forks where the launcher executes a
program: the loop, the kill of all that a run leaves behind, and the answers are the same. A message
that comes first says what to load; then the answer is `ready`, or `refused` with the reason.

A child leaves the loop by an exception and does at the top level of this script what the
interpreter would have done. So it has as many frames below it as in a new process, and ends in the same
way. It is forked only if the loaded modules left no thread, process, descriptor, file or output behind.

Python 3.9 is enough, which is the first with `recv_fds` and `pidfd_open`.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 9):  # noqa: UP036 (the interpreter is the tool's)
    sys.exit("it runs on a Python before 3.9")

import builtins
import gc
import importlib.util
import io
import mmap
import os
import resource
import runpy
import signal
import socket
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from typing import Any

    Setup = dict[str, Any]

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_DUMPABLE = 4
_STANDARD = 3  # descriptors
_MAX_READ_BYTES = 1 << 16


class Refused(Exception):
    """It would not be safe to fork; the text continues "Runs are cold: "."""


class Forked(BaseException):
    """Raised in a child, to leave the loop of its parent; the arguments are those of the run."""


class Zygote:
    """Loads modules, and forks for each run. `setup` is a mapping with these keys.

    - `mode`, `target`: "module", "script" or "code", and the module, path or code to run
    - `words`: the words of the command up to there, as `sys.orig_argv` has them
    - `options`: how many of the run's own words they stand for
    - `directory`: where the first run takes place, with the files of a run
    - `modules`: names of modules to load; `record`: a file to note those in that are loaded, or ""
    - `stdin`: whether runs read a file from standard input
    """

    def __init__(self, launcher: Any, libc: ctypes.CDLL) -> None:
        self._launcher = launcher
        self._libc = libc
        self.setup: Setup = {}
        self._recorder: Recorder | None = None

    def load(self, setup: Setup) -> None:
        """Load the modules. Raises Refused."""
        self.setup = setup
        if setup["record"]:
            self._recorder = Recorder(setup["record"])
        printed = _new_streams(stdin=setup["stdin"])
        os.chdir(setup["directory"])
        before = _descriptors(), sorted(os.listdir("."))  # noqa: PTH208
        sys.argv[:] = [setup["target"]]
        sys.modules["__main__"] = _new_main(setup["mode"], setup["target"])
        _allow_more_frames(setup["mode"])
        if setup["mode"] == "script" and not _has_safe_path():
            sys.path.insert(0, os.path.dirname(os.path.realpath(setup["target"])))  # noqa: PTH120
        for name in setup["modules"]:
            _import(name)
        _flush()
        self._require_unchanged(printed, before)
        os.chdir("/")
        gc.collect()
        gc.freeze()

    def start(self, call: Any, streams: list[int]) -> int:
        """Fork; return the child's number in the parent. Raises Forked in the child."""
        arguments, _, directory, environment, limits = call
        os.chdir(directory)
        child = os.fork()
        if child:
            os.chdir("/")
            return child
        try:
            self._settle(streams, environment, limits)
        except BaseException:
            os._exit(127)
        raise Forked(arguments)

    def _settle(
        self, streams: list[int], environment: dict[bytes, bytes], limits: dict[int, int]
    ) -> None:
        """Become the leader of a run, as the launcher makes it."""
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for kind, limit in limits.items():
            resource.setrlimit(kind, (limit, limit))
        self._libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in set(os.environb) - set(environment):
            del os.environb[name]
        os.environb.update(environment)
        if self._recorder is not None:
            sys.meta_path.insert(0, self._recorder)

    def _require_unchanged(self, printed: int, before: tuple[dict[str, str], list[str]]) -> None:
        """Raise Refused if loading did what each run must do anew."""
        with open(printed, "rb", closefd=False) as stream:
            if stream.read(_MAX_READ_BYTES):
                raise Refused("its modules print something when they are imported")
        tasks = len(os.listdir("/proc/self/task"))  # noqa: PTH208
        if tasks > 1 or self._launcher.children_of(os.getpid()):
            raise Refused("its modules start threads or processes when they are imported")
        descriptors, files = before
        if _descriptors() != descriptors:
            raise Refused("its modules keep files open when they are imported")
        if sorted(os.listdir(".")) != files:  # noqa: PTH208
            raise Refused("its modules write files when they are imported")
        if self.setup["mode"] != "script":
            _require_different_names(files)
        target = self.setup["target"]
        if self.setup["mode"] == "module" and "." in target and target in sys.modules:
            raise Refused("its modules import the module that the command runs")


class Recorder:
    """A finder of modules that asks the others, and notes in a file what they find.

    The file is mapped into memory, so the notes survive whatever becomes of the process.
    """

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as stream:  # noqa: PTH123
            self._notes = mmap.mmap(stream.fileno(), 0)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        """Return what the first of the other finders finds."""
        for finder in sys.meta_path:
            find: Any = None if finder is self else getattr(finder, "find_spec", None)
            spec: ModuleSpec | None = find and find(name, path, target)
            if spec is not None:
                line = f"{name}\t{spec.origin or ''}\n".encode("utf-8", "replace")
                if self._notes.tell() + len(line) <= len(self._notes):
                    self._notes.write(line)
                return spec
        return None


def _import(name: str) -> None:
    """Import a module that a run imported; one that cannot be imported here is left to the runs."""
    try:
        importlib.import_module(name)
    except SystemExit as error:
        raise Refused(f"the program runs when the module {name} is imported") from error
    except Exception:
        pass


def _require_different_names(files: list[str]) -> None:
    """Raise Refused if a module was loaded that a file of the run's directory stands for."""
    for name in {file.split(".")[0] for file in files}:
        if name in sys.modules:
            raise Refused(f"a file of the run's directory is called like the module {name}")


def _descriptors() -> dict[str, str]:
    """Return what the open descriptors stand for, by number."""
    found = {}
    for name in os.listdir("/proc/self/fd"):  # noqa: PTH208
        try:
            found[name] = os.readlink("/proc/self/fd/" + name)  # noqa: PTH115
        except OSError:
            continue  # that of the list itself
    return found


def _new_streams(*, stdin: bool) -> int:
    """Replace the standard streams by new ones of the kind that runs have; return where to read them.

    What a stream is, it finds out when it is made; in the runs other files take their places.
    """
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    source = os.open(__file__ if stdin else os.devnull, os.O_RDONLY)
    for number, descriptor in enumerate((source, write, write)):
        os.dup2(descriptor, number)
    os.close(source)
    os.close(write)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        stream = _stream(number, getattr(sys, name), "w" if number else "r")
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    return read


def _stream(number: int, old: Any, mode: str) -> Any:
    """Return a standard stream as the interpreter makes it; see `create_stdio` in pylifecycle.c."""
    unbuffered: bool = mode == "w" and old.write_through
    buffering = 0 if unbuffered else -1
    binary: Any = open(number, mode + "b", buffering, closefd=False)  # noqa: SIM115
    (binary if unbuffered else binary.raw).name = old.name
    text: Any = io.TextIOWrapper(
        binary,
        encoding=old.encoding,
        errors=old.errors,
        newline="\n",
        line_buffering=number == 2 and not unbuffered,
        write_through=unbuffered,
    )
    text.mode = mode
    return text


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            continue


class EntryPoint:
    """What a child runs, as the interpreter would: a module, a script or code, with its arguments."""

    def __init__(self, setup: Setup, arguments: list[bytes]) -> None:
        words = [os.fsdecode(word) for word in arguments][setup["options"] :]
        self._mode: str = setup["mode"]
        self._target: str = setup["target"]
        self.module: str | None = self._target if self._mode == "module" else None
        first = {"module": "-m", "code": "-c", "script": self._target}[self._mode]
        sys.argv[:] = [first, *words]
        if hasattr(sys, "orig_argv"):
            sys.orig_argv[:] = [*setup["words"], *words]
        if self._mode != "script" and not _has_safe_path():
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


def _allow_more_frames(mode: str) -> None:
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


def _has_safe_path() -> bool:
    return bool(getattr(sys.flags, "safe_path", sys.flags.isolated))


def _new_main(mode: str, target: str) -> types.ModuleType:
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


def _report(error: BaseException) -> int:
    """Print an exception as the interpreter would, without this script's frame; return the code."""
    trace = error.__traceback__ and error.__traceback__.tb_next
    error.__traceback__ = trace
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    sys.excepthook(type(error), error, trace)
    return 1


def _served() -> tuple[Setup, list[bytes]]:
    """Serve the socket on standard input; return the setup and the arguments in a child."""
    path = os.path.join(os.path.dirname(_HERE), "sandbox", "launcher.py")  # noqa: PTH118, PTH120
    launcher: Any = importlib.machinery.SourceFileLoader("_pollard_launcher", path).load_module()
    import ctypes  # noqa: PLC0415 (after the modules above, of which it needs some)

    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    private = sys.argv[1:]
    channel = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    zygote = Zygote(launcher, libc)
    try:
        setup, _ = launcher._received(channel) or launcher._gone()
        zygote.load(setup)
        launcher.serve(channel, private, zygote.start)
    except Forked as forked:
        channel.detach()
        os.closerange(_STANDARD, os.sysconf("SC_OPEN_MAX"))
        return zygote.setup, forked.args[0]
    except Refused as refused:
        channel.sendall(b"refused " + str(refused).encode("utf-8", "replace") + b"\n")
    except (ConnectionError, SystemExit):
        pass
    launcher._end()
    os._exit(0)  # without what loaded modules want to do at the end of a run


if __name__ == "__main__":
    if not _has_safe_path():
        del sys.path[0]
    _entry = EntryPoint(*_served())
    try:
        if _entry.module is not None:
            runpy._run_module_as_main(_entry.module)  # type: ignore[attr-defined]
        else:
            exec(_entry.code(), _entry.main.__dict__)
    except SystemExit:
        raise
    except BaseException as _error:
        _code = _report(_error)
        if isinstance(_error, KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        sys.exit(_code)
