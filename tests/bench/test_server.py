"""How soon the language server reacts: first edit, stop, and other requests while it reduces.

The figures are printed. They are bounded by multiples of what the same machine needed for something
comparable in the same run, since it may be busy with something else.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from tests.bench.samples import c_file
from tests.conftest import oracle_processes
from tests.server.editor import Answers, Editor, Workspace

pytestmark = [pytest.mark.asyncio, pytest.mark.bench]

# Takes so many milliseconds, then looks for five needles; notes when it found them in how many bytes.
_ORACLE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(int count, char **argument)
{
    static char text[8 << 20];
    struct timespec pause = {0, atoi(argument[2]) * 1000000L}, now;
    FILE *file = fopen(argument[1], "rb");
    if (!file || count < 4) return 2;
    size_t size = fread(text, 1, sizeof text - 1, file);
    int found = 0;
    for (char *place = text; (place = strstr(place, "needle")); place++) found++;
    nanosleep(&pause, NULL);
    if (found < 5) return 1;
    FILE *log = fopen(argument[3], "a");
    clock_gettime(CLOCK_MONOTONIC, &now);
    fprintf(log, "%ld.%09ld %zu\n", (long)now.tv_sec, now.tv_nsec, size);
    fclose(log);
    return 0;
}
"""
_TOML = """
checks = 1
[oracles.needle]
command = ["{program}", "{{file}}", "{milliseconds}", "{log}"]
timeout = "100s"
"""
_LENGTH = 500_000


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An oracle that takes as long as it is told to: FILE MILLISECONDS LOG."""
    folder = tmp_path_factory.mktemp("oracle")
    folder.joinpath("oracle.c").write_text(_ORACLE)
    subprocess.run(["cc", "-O2", "-o", "oracle", "oracle.c"], cwd=folder, check=True)
    return folder / "oracle"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace", tmp_path / "outside")


Start = Callable[[int], Awaitable[Editor]]


@pytest_asyncio.fixture
async def start(workspace: Workspace, program: Path, no_leftovers: None) -> AsyncIterator[Start]:
    """Starts an editor on a workspace whose oracle takes so many milliseconds."""
    editors: list[Editor] = []

    async def begin(milliseconds: int) -> Editor:
        log = workspace.outside / "found"
        toml = _TOML.format(program=program, milliseconds=milliseconds, log=log)
        workspace.configure(toml, top="")
        editors.append(await Editor.start(workspace.outside / "server.log"))
        editors[-1].begin(workspace, Answers())
        return editors[-1]

    yield begin
    for editor in editors:
        await editor.leave()
        editor.check()


async def round_trips(editor: Editor, number: int) -> list[float]:
    """How long so many requests took, each in seconds, one every 20 ms.

    The processor time of this thread is not counted: the editor has 500 kB to look after itself.
    """
    took = []
    for _ in range(number):
        began, own = time.perf_counter(), time.thread_time()
        await editor.execute("pollard.status", {})
        took.append(time.perf_counter() - began - (time.thread_time() - own))
        await asyncio.sleep(0.02)
    return sorted(took)


def described(times: list[float]) -> str:
    middle, late = statistics.median(times), times[int(len(times) * 0.99)]
    return f"median {middle * 1e3:.1f} ms, p99 {late * 1e3:.1f} ms, max {times[-1] * 1e3:.1f} ms"


@pytest.mark.parametrize("milliseconds", [1, 10])
async def test_other_requests_are_answered_while_a_large_file_is_reduced(
    start: Start, milliseconds: int
) -> None:
    """500 kB of C: the aim is 50 ms for each of them, also while the file is parsed."""
    editor = await start(milliseconds)
    buffer = editor.open("steps.c", c_file(_LENGTH), "c")
    idle = await round_trips(editor, 100)
    job = await editor.reduce(buffer)
    busy = await round_trips(editor, 400)
    await editor.execute("pollard.stop", {"id": job})
    await editor.ended(job)
    print(f"\nidle {described(idle)}; reducing {described(busy)}")
    assert statistics.median(busy) < 0.05 + 10 * statistics.median(idle)


async def test_the_first_edit_follows_the_first_accepted_reduction(
    start: Start, workspace: Workspace
) -> None:
    """The aim is 300 ms; the time is that of the oracle's own note, before its process ended."""
    delays = []
    editor = await start(1)
    trip = statistics.median(await round_trips(editor, 50))
    for number in range(5):
        workspace.outside.joinpath("found").unlink(missing_ok=True)
        buffer = editor.open(f"steps{number}.c", c_file(100_000 + number), "c")
        job = await editor.reduce(buffer)
        await editor.until(lambda: buffer.from_server)  # noqa: B023 (called at once)
        edited = time.monotonic()
        await editor.execute("pollard.stop", {"id": job})
        await editor.ended(job)
        _original, first, *_ = workspace.outside.joinpath("found").read_text().splitlines()
        delays.append(edited - float(first.split()[0]))
    print(f"\nfirst edit after {described(sorted(delays))}, round trip {trip * 1e3:.1f} ms")
    assert statistics.median(delays) < 0.3 + 50 * trip


async def test_a_stop_ends_every_process(start: Start, workspace: Workspace) -> None:
    """The aim is 500 ms from the request to "no process left", with an oracle that takes a second."""
    editor = await start(900)
    state = os.environ["POLLARD_STATE_DIR"]
    delays = []
    for number in range(5):
        buffer = editor.open(f"steps{number}.c", c_file(100_000 + number), "c")
        job = await editor.reduce(buffer)
        await editor.until(lambda: oracle_processes(state))
        began = time.monotonic()
        oracle_processes(state)
        looking = time.monotonic() - began
        began = time.monotonic()
        await editor.execute("pollard.stop", {"id": job})
        await editor.until(lambda: not oracle_processes(state))
        delays.append(time.monotonic() - began)
        await editor.ended(job)
    print(f"\nno process left after {described(sorted(delays))}, of which looking {looking:.3f} s")
    assert statistics.median(delays) < 0.5 + 20 * looking
