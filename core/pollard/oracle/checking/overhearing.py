"""A run that tells what a silent script reads.

A script that only answers by its exit code, as `python3 x.py 2>&1 | grep -q KeyError` does, hides where
the program fails, which is where a search best begins. In one run of such a script other programs stand
before `grep` and the like in PATH. They keep what they read, and then do the same. In scripts in Python
`subprocess` keeps what it captures, and in those for Node.js what is called synchronously does.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from pollard.oracle.checking.remedies import Remedy, beginnings_of_scripts, can_be_wrapped
from pollard.oracle.predicate import Predicate
from pollard.oracle.warm.warm_runs import WarmRuns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pollard.oracle.command import CommandOracle
    from pollard.oracle.predicate import AnyOracle
    from pollard.oracle.verdict import Run

# What scripts read the output of programs with; the first ones tell that they do.
_SEARCHING = ("grep", "egrep", "fgrep", "rg", "awk", "sed", "tail")
_READERS = (*_SEARCHING, "head", "tr")
_CAPTURING = ("subprocess", "child_process")
_READS = re.compile(rb"\b(?:" + "|".join((*_SEARCHING, *_CAPTURING)).encode() + rb")\b")
# What a script calls another one by, which may read for it.
_CALLS_SCRIPT = re.compile(rb"\w\.(?:sh|bash|py|js|cjs|mjs)\b")
# Files that are older than the run, such as the candidate, tell nothing about it. Others are kept as a
# whole, and standard input is read to its end first.
_READER = """\
#!/bin/sh
PATH=${PATH#*:}
kept=$POLLARD_READ/$$
for word; do
    if [ -f "$word" ]; then
        named=yes
        if [ "$word" -nt "$POLLARD_READ/bin" ]; then cat -- "$word" >> "$kept"; fi
    fi
done
if [ "$named" ]; then exec "${0##*/}" "$@"; fi
cat > "$kept"
exec "${0##*/}" "$@" < "$kept"
"""
# Python imports this module at its start. All functions of `subprocess` that capture use this method.
_PYTHON_READER = """\
import os
import subprocess

communicate = subprocess.Popen.communicate


def keeping(self, *args, **options):
    texts = communicate(self, *args, **options)
    with open(os.path.join(os.environ["POLLARD_READ"], str(os.getpid())), "ab") as kept:
        for text in filter(None, texts):
            kept.write(text if isinstance(text, bytes) else text.encode("utf-8", "replace"))
    return texts


subprocess.Popen.communicate = keeping
"""
# Node.js loads this module first, so scripts get functions that keep what they return or throw.
_NODE_READER = """\
const fs = require("fs");
const child = require("child_process");

function keep(found) {
    for (const text of [found?.stdout, found?.stderr, found])
        if (typeof text === "string" || Buffer.isBuffer(text))
            fs.appendFileSync(process.env.POLLARD_READ + "/" + process.pid, text);
}

for (const name of ["spawnSync", "execSync", "execFileSync"]) {
    const plain = child[name];
    child[name] = (...args) => {
        try {
            const found = plain(...args);
            keep(found);
            return found;
        } catch (error) {
            keep(error);
            throw error;
        }
    };
}
require("module").syncBuiltinESMExports();
"""
# The longest text that was read is printed, since others are mostly parts of it.
_WRAPPER = f"""\
POLLARD_READ=$(mktemp -d) && mkdir "$POLLARD_READ/bin" || exit
export POLLARD_READ
for name in {" ".join(_READERS)}; do
    command -v "$name" > "$POLLARD_READ/path" || continue
    printf '%s' '{_READER}' > "$POLLARD_READ/bin/$name"
done
chmod +x "$POLLARD_READ"/bin/*
rm "$POLLARD_READ/path"
printf '%s' '{_PYTHON_READER}' > "$POLLARD_READ/bin/sitecustomize.py"
printf '%s' '{_NODE_READER}' > "$POLLARD_READ/bin/reader.js"
PYTHONPATH=$POLLARD_READ/bin${{PYTHONPATH:+:$PYTHONPATH}} PATH=$POLLARD_READ/bin:$PATH \
NODE_OPTIONS="--require $POLLARD_READ/bin/reader.js ${{NODE_OPTIONS-}}" "$@"
code=$?
cd "$POLLARD_READ" && longest=$(ls -S | grep -v '^bin$' | head -n 1)
if [ "$longest" ]; then cat "$longest"; fi
rm -rf "$POLLARD_READ"
exit $code
"""
_TELLING = Remedy("what it reads", ("sh", "-c", _WRAPPER, "sh"))


def without_texts(run: Run, texts: Iterable[bytes]) -> Run:
    """Return a run of a telling oracle; if what was read is only one of the `texts`, without it."""
    read = run.stdout.strip()
    return replace(run, stdout=b"") if any(read == text.strip() for text in texts) else run


def telling(oracle: AnyOracle, filename: str) -> CommandOracle | None:
    """Return an oracle that also prints what a script reads; None if it seems to read nothing.

    A script may leave the reading to another one. The oracle's runs are cold, since each gets programs
    of its own to read with.
    None is known for Windows, for Python functions, and for what goes on running.
    """
    if isinstance(oracle, Predicate) or oracle.stays:
        return None
    if sys.platform == "win32" or not can_be_wrapped(oracle, filename):
        return None
    line = oracle.command if isinstance(oracle.command, str) else " ".join(oracle.command)
    scripts = [*beginnings_of_scripts(oracle)]
    may_read = any(map(_READS.search, [line.encode(), *scripts]))
    if not may_read and not any(map(_CALLS_SCRIPT.search, scripts)):
        return None
    return replace(_TELLING.applied(oracle), warm=WarmRuns.OFF)
