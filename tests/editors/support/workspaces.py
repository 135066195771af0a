"""Folders to open in an editor, each with a failing file and its settings.

Tests reduce the real failing inputs on the command line first. It shares a cache of verdicts with
the editor's server, so the editor's reduction of the same file takes seconds instead of minutes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench import cases
from tests.examples import rarely

_DEMO = Path(__file__).parents[3] / "server" / "pollard_server" / "demo" / "orders.py.txt"
_CORPUS_TOML = """
checks = 1
[stream]
interval = 0.1
[oracles.case]
command = ["/bin/sh", "{workspace}/oracle.sh", "{file}"]
"""
_DEMO_TOML = f"""
checks = 1
[oracles.traceback]
command = ["{sys.executable}", "{{file}}"]
stderr = "dictionary changed size during iteration"
"""

_FAILURES_TOML = """
checks = 1
strategy = ["lines"]
[oracles.words]
command = ["sh", "{workspace}/oracle.sh", "{file}"]
exit_code = 0
"""
_FAILURES_SCRIPT = r"""
for each in needle=ValueError thorn=NameError nettle=KeyError; do
    if grep -q "${each%=*}" "$1"; then
        printf 'Traceback (most recent call last):\n  File "a.py", line 1, in load\n' >&2
        printf '%s: bad\n' "${each#*=}" >&2
        exit 0
    fi
done
exit 1
"""

#: A real failing input for each language that every editor's suite reduces.
CORPUS = {
    "C": "c-gcc12-openmp-nested",
    "JavaScript": "js-esbuild-staticblock",
    "Python": "py-black-walrus-annotation",
    "JSON": "json-jq-implode",
    "HTML": "html-minifier-style-type",
}


def corpus_languages(*usual: str) -> list[Any]:
    """Return all languages of `CORPUS` as parameters; those that are not `usual` are exhaustive."""
    return [*usual, *rarely(*(language for language in CORPUS if language not in usual))]


@dataclass(frozen=True)
class Scene:
    """A folder to open, the failing file in it, and that file's text."""

    folder: Path
    file: Path
    text: bytes

    def by_command_line(self, *options: str) -> bytes:
        """Return the result of `pollard reduce` for the file, with the folder's settings."""
        return by_command_line(self.file, *options)


def by_command_line(file: Path, *options: str) -> bytes:
    """Return the result of `pollard reduce` for a file; writes it beside the file's folder."""
    out = file.parent.with_name(f"{file.parent.name}.by-command-line")
    command = [sys.executable, "-m", "pollard", "reduce", str(file), "-q", "-o", str(out)]
    subprocess.run([*command, *options], check=True, stdin=subprocess.DEVNULL)
    return out.read_bytes()


def corpus_scene(folder: Path, language: str) -> Scene:
    """Put the real failing input of a language into the new folder, with its oracle."""
    name = CORPUS[language]
    shutil.copytree(cases.corpus_folder() / name, folder)
    for copied in [folder, *folder.iterdir()]:
        copied.chmod(copied.stat().st_mode | 0o200)
    (folder / "pollard.toml").write_text(_CORPUS_TOML)
    (file,) = folder.glob("input.*")
    return Scene(folder, file, file.read_bytes())


def demo_scene(folder: Path, *, configured: bool = True) -> Scene:
    """Put the demo's script into the new folder: 136 lines of Python that end in a traceback.

    Its reduction takes about ten seconds and hundreds of runs, long enough to interrupt it. If
    `configured` is False, there are no settings yet.
    """
    folder.mkdir()
    if configured:
        (folder / "pollard.toml").write_text(_DEMO_TOML)
    file = folder / "orders.py"
    shutil.copyfile(_DEMO, file)
    return Scene(folder, file, file.read_bytes())


def failures_scene(folder: Path, words: dict[int, str] | None = None) -> Scene:
    """Put twelve lines into the new folder, some with a word that makes the oracle fail.

    `words` are those words by line; by default the file fails with a ValueError, while a half of it
    fails with a NameError and a quarter with a KeyError.
    """
    folder.mkdir()
    (folder / "pollard.toml").write_text(_FAILURES_TOML)
    (folder / "oracle.sh").write_text(_FAILURES_SCRIPT)
    words = words or {1: "thorn", 7: "nettle", 10: "needle"}
    file = folder / "case.txt"
    file.write_text("".join(f"line {n} {words.get(n, 'hay')}\n" for n in range(12)))
    return Scene(folder, file, file.read_bytes())
