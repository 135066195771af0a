"""The program that keeps a Python tool's modules loaded, and forks for each run; on Linux.

`pollard.executors.warm.zygotes` starts it by the tool's own interpreter and with the options of the
tool's command line. It is a launcher (`sandbox/launcher.py`) that forks where the launcher executes a
program: the loop, the kill of all that a run leaves behind, and the answers are the same. A message
that comes first says what to load; then the answer is `ready`, or `refused` or `behind` with a reason.

A child leaves the loop by an exception and does at the top level of this script what the
interpreter would have done. So it has as many frames below it as in a new process, and ends in the same
way, except that it does not tidy up its memory, which would take as long as the run. It is forked only
if the loaded modules left no thread, process, descriptor, file or output behind.

A zygote may also go ahead: then it runs the program itself, with the arguments of all runs, and serves
the loop where the program first looks at the candidate (`first_look.py`). What the children run is in
`entry_point.py`.

Python 3.9 is enough, which is the first with `recv_fds` and `pidfd_open`.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 9):  # noqa: UP036 (the interpreter is the tool's)
    sys.exit("it runs on a Python before 3.9")

import contextlib
import gc
import importlib.machinery
import io
import mmap
import os
import resource
import runpy
import signal
import socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes
    from collections.abc import Iterator, Sequence
    from importlib.machinery import ModuleSpec
    from typing import Any

    from pollard.executors.warm.entry_point import EntryPoint
    from pollard.executors.warm.first_look import FirstLook

    Setup = dict[str, Any]

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_DUMPABLE = 4
_STANDARD = 3  # descriptors
_MAX_READ_BYTES = 1 << 16


class Refused(Exception):
    """It would not be safe to fork; the text continues "Runs are cold: "."""


class CannotGoAhead(Refused):
    """The program did what each run must do anew before it looked at the candidate."""


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
    - `arguments`: those of the runs, if the program shall go ahead; else an empty list
    - `file`: the path of the candidate
    """

    def __init__(self, launcher: Any, entry_point: Any, libc: ctypes.CDLL) -> None:
        self._launcher = launcher
        self._entry_point = entry_point
        self._libc = libc
        self.setup: Setup = {}
        self.interrupt: Any = signal.default_int_handler
        self._recorder: Recorder | None = None

    def load(self, setup: Setup) -> None:
        """Load the modules. Raises Refused."""
        self.setup = setup
        if setup["record"]:
            self._recorder = Recorder(setup["record"])
        self._environment = dict(os.environb)
        self._printed = _new_streams(stdin=setup["stdin"])
        os.chdir(setup["directory"])
        self._before = _descriptors(), sorted(os.listdir("."))  # noqa: PTH208
        sys.argv[:] = [setup["target"]]
        sys.modules["__main__"] = self._entry_point.new_main(setup["mode"], setup["target"])
        self._entry_point.allow_more_frames(setup["mode"])
        if setup["mode"] == "script" and not self._entry_point.has_safe_path():
            sys.path.insert(0, os.path.dirname(os.path.realpath(setup["target"])))  # noqa: PTH120
        for name in setup["modules"]:
            _import(name)
        _flush()
        self._require_unchanged()
        gc.collect()
        gc.freeze()

    def settle(self, look: FirstLook | None = None) -> None:
        """Prepare to fork, after `look` if the program went ahead. Raises Refused."""
        if look is not None:
            if look.was_opened():
                raise CannotGoAhead("it opens the file without telling Python")
            try:
                self._require_unchanged()
            except Refused as error:
                raise CannotGoAhead(*error.args) from error
            self.interrupt = signal.getsignal(signal.SIGINT)
            gc.freeze()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.chdir("/")

    def start(self, call: Any, streams: list[int]) -> int:
        """Fork; return the child's number in the parent. Raises Forked in the child."""
        arguments, _, directory, environment, limits = call
        if self.setup["arguments"] not in ([], arguments):
            raise Refused("the arguments of its runs change")
        os.chdir(directory)
        child = os.fork()
        if child:
            os.chdir("/")
            return child
        try:
            self._become_leader(streams, environment, limits)
        except BaseException:
            os._exit(127)
        raise Forked(arguments)

    def _become_leader(
        self, streams: list[int], environment: dict[bytes, bytes], limits: dict[int, int]
    ) -> None:
        """Become the leader of a run, as the launcher makes it; keep variables that the program set."""
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        for kind, limit in limits.items():
            resource.setrlimit(kind, (limit, limit))
        self._libc.prctl(_PR_SET_DUMPABLE, 1, 0, 0, 0)
        signal.signal(signal.SIGINT, self.interrupt)
        for name in set(self._environment) - set(environment):
            os.environb.pop(name, None)
        changed = set(environment.items()) - set(self._environment.items())
        os.environb.update(changed)
        if self._recorder is not None:
            sys.meta_path.insert(0, self._recorder)

    def _require_unchanged(self) -> None:
        """Raise Refused if loading did what each run must do anew."""
        with open(self._printed, "rb", closefd=False) as stream:
            if stream.read(_MAX_READ_BYTES):
                raise Refused("its modules print something when they are imported")
        tasks = len(os.listdir("/proc/self/task"))  # noqa: PTH208
        if tasks > 1 or self._launcher.children_of(os.getpid()):
            raise Refused("its modules start threads or processes when they are imported")
        descriptors, files = self._before
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
    suffixes = tuple(importlib.machinery.all_suffixes())
    for file in files:
        name, dot, _ = file.partition(".")
        is_importable = not dot or file.endswith(suffixes)
        if is_importable and name in sys.modules:
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


class Server:
    """The zygote's end of the socket, which is standard input when it starts."""

    def __init__(self, entry_point: Any) -> None:
        path = os.path.join(os.path.dirname(_HERE), "sandbox", "launcher.py")  # noqa: PTH118, PTH120
        self._launcher = _loaded("_pollard_launcher", path)
        import ctypes  # noqa: PLC0415 (after the modules above, of which it needs some)

        self._libc = ctypes.CDLL(None)
        self._libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self._libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
        self._private = sys.argv[1:]
        self._channel = socket.socket(fileno=os.dup(0))
        self._entry_point = entry_point
        self._zygote = Zygote(self._launcher, entry_point, self._libc)
        self._look: FirstLook | None = None

    def entry(self) -> EntryPoint:
        """Load modules; return what a child runs, or what this process runs ahead of its children."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with self._ending():
            setup, _ = self._launcher._received(self._channel) or self._launcher._gone()
            self._zygote.load(setup)
            if not setup["arguments"]:
                return self._new_entry(setup, self._arguments())
            signal.signal(signal.SIGINT, signal.default_int_handler)
            first_look = _neighbour("first_look").FirstLook
            entry = self._new_entry(setup, setup["arguments"])
            self._look = first_look(setup["file"], self._libc, self._on_look)
            return entry
        raise AssertionError

    def _new_entry(self, setup: Setup, arguments: list[bytes]) -> EntryPoint:
        entry: EntryPoint = self._entry_point.EntryPoint(setup, arguments)
        return entry

    def require_look(self) -> None:
        """End the process with a refusal if the program went ahead, and is still there at its end."""
        if self._look is not None and self._look.unseen:
            with self._ending():
                raise CannotGoAhead("the program ends without a look at the file")

    def _on_look(self) -> None:
        with self._ending():
            self._arguments()

    def _arguments(self) -> list[bytes]:
        """Serve the socket; return the arguments in a child. Raises Refused."""
        self._zygote.settle(self._look)
        try:
            self._launcher.serve(self._channel, self._private, self._zygote.start)
        except Forked as forked:
            self._channel.detach()
            os.closerange(_STANDARD, os.sysconf("SC_OPEN_MAX"))
            arguments: list[bytes] = forked.args[0]
            return arguments
        raise SystemExit

    @contextlib.contextmanager
    def _ending(self) -> Iterator[None]:
        """End the process at the end of the socket, and with a refusal if it cannot be used."""
        try:
            yield
        except (Refused, ConnectionError, SystemExit, OSError) as error:
            if not isinstance(error, (ConnectionError, SystemExit)):
                kind = b"behind " if isinstance(error, CannotGoAhead) else b"refused "
                self._channel.sendall(kind + str(error).encode("utf-8", "replace") + b"\n")
            self._launcher._end()
            os._exit(0)  # without what loaded modules want to do at the end of a run


def _neighbour(name: str) -> Any:
    """Load a module that lies beside this file."""
    return _loaded(f"_pollard_{name}", os.path.join(_HERE, f"{name}.py"))  # noqa: PTH118


def _loaded(name: str, path: str) -> Any:
    return importlib.machinery.SourceFileLoader(name, path).load_module()


if __name__ == "__main__":
    _entry_point = _neighbour("entry_point")
    if not _entry_point.has_safe_path():
        del sys.path[0]
    _end = _neighbour("program_end")
    _server = Server(_entry_point)
    _entry = _server.entry()
    try:
        if _entry.module is not None:
            runpy._run_module_as_main(_entry.module)  # type: ignore[attr-defined]
        else:
            exec(_entry.code(), _entry.main.__dict__)
    except SystemExit as _error:
        _server.require_look()
        _end.leave(_error.code)
        raise
    except BaseException as _error:
        _server.require_look()
        _code = _end.reported(_error)
        if isinstance(_error, KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        _end.leave(_code)
        sys.exit(_code)
    _server.require_look()
    _end.leave(0)
