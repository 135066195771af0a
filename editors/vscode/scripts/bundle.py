"""Packages the extension: `thin` with the server's wheel, `bundled` with the installed server.

Two builds of one commit are equal byte for byte, wherever and whenever they are made: all files in the
packages have the time of the commit, or SOURCE_DATE_EPOCH.

`bundled` needs wheels for this platform. pip finds them as usual, also by PIP_FIND_LINKS and its other
environment variables. Only tree-sitter's binding differs between versions of Python, and its compiled
modules for all versions fit into one folder.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zipfile
from pathlib import Path

EXTENSION = Path(__file__).resolve().parent.parent
REPOSITORY = EXTENSION.parent.parent
LIBS = EXTENSION / "bundled" / "libs"
WHEELS = EXTENSION / "server"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
# The extension is bundled into one file already, and links have no repository yet to lead to.
VSCE_OPTIONS = (
    "--no-dependencies",
    "--allow-missing-repository",
    "--no-rewrite-relative-links",
)
# Written by pip, with the path of the wheel that it was given.
FILES_WITH_PATHS = ("direct_url.json", "RECORD")
EPOCH_WITHOUT_COMMIT = 1580601600  # that of hatchling, 2 February 2020
# VS Code's names for platforms.
TARGETS = {
    "linux-x86_64": "linux-x64",
    "linux-aarch64": "linux-arm64",
    "win-amd64": "win32-x64",
    "win-arm64": "win32-arm64",
    "macosx-x86_64": "darwin-x64",
    "macosx-arm64": "darwin-arm64",
}


def main() -> None:
    """Build what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=["wheel", "libs", "thin", "bundled"])
    what = parser.parse_args().what
    if what != "libs":
        make_wheel()
    if what in {"libs", "bundled"}:
        make_libs()
    elif what == "thin":
        shutil.rmtree(LIBS, ignore_errors=True)
    if what in {"thin", "bundled"}:
        make_vsix(bundled=what == "bundled")


def make_wheel() -> Path:
    """Build the server's wheel, which *Install Pollard* installs.

    It is not compressed, since a .vsix compresses it: as a whole it takes a quarter less than the sum
    of its 500 files.
    """
    shutil.rmtree(WHEELS, ignore_errors=True)
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(WHEELS)]
    with_hatchling = _run([*PIP, *build, str(REPOSITORY)], check=False)
    if with_hatchling.returncode:  # hatchling is not installed, so let pip fetch it
        _run([*PIP, *[part for part in build if part != "--no-build-isolation"], str(REPOSITORY)])
    (wheel,) = WHEELS.glob("pollard-*.whl")
    make_uniform(wheel, zipfile.ZIP_STORED)
    return wheel


def make_libs() -> None:
    """Install the server and its dependencies into one folder, for several Pythons."""
    shutil.rmtree(LIBS, ignore_errors=True)
    wheel = make_wheel()
    with tempfile.TemporaryDirectory() as scratch:
        supported = [python for python in PYTHONS if _add(wheel, python, Path(scratch) / python)]
    if not supported:
        sys.exit("The server's dependencies have no wheels for this platform.")
    shutil.rmtree(LIBS / "bin", ignore_errors=True)
    for name in FILES_WITH_PATHS:
        for file in LIBS.glob(f"*.dist-info/{name}"):
            file.unlink()
    print(f"The bundle supports Python {', '.join(supported)}.")


def make_vsix(*, bundled: bool) -> None:
    """Package the extension as a .vsix file."""
    version = json.loads((EXTENSION / "package.json").read_text())["version"]
    target = ["--target", _target()] if bundled else []
    name = f"pollard-{_target()}-{version}.vsix" if bundled else f"pollard-{version}.vsix"
    vsce = EXTENSION / "node_modules" / "@vscode" / "vsce" / "vsce"
    _run(["node", str(vsce), "package", *VSCE_OPTIONS, "--out", name, *target])
    make_uniform(EXTENSION / name)
    print(f"{name}: {(EXTENSION / name).stat().st_size / 1e6:.2f} MB")


def make_uniform(archive: Path, method: int = zipfile.ZIP_DEFLATED) -> None:
    """Write a zip file again, with its files in order, all of the same time and mode."""
    with zipfile.ZipFile(archive) as packed:
        contents = {name: packed.read(name) for name in sorted(packed.namelist())}
    moment = time.gmtime(source_epoch())[:6]
    with zipfile.ZipFile(archive, "w") as packed:
        for name, content in contents.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16  # as on Unix
            packed.writestr(entry, content, method, compresslevel=9)


@functools.cache
def source_epoch() -> int:
    """Return SOURCE_DATE_EPOCH, else the time of the commit, in seconds since 1970."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    try:
        command = ["git", "log", "-1", "--format=%ct"]
        done = subprocess.run(command, cwd=EXTENSION, capture_output=True, check=False)
    except OSError:
        return EPOCH_WITHOUT_COMMIT
    return EPOCH_WITHOUT_COMMIT if done.returncode else int(done.stdout)


def _add(wheel: Path, python: str, scratch: Path) -> bool:
    """Install the wheels for one version of Python; return whether all of them exist."""
    options = ["--only-binary", ":all:", "--python-version", python, "--implementation", "cp"]
    done = _run(
        [*PIP, "install", "--no-compile", "--target", str(scratch), *options, str(wheel)],
        check=False,
    )
    if done.returncode:
        print(f"No Python {python}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return False
    shutil.copytree(scratch, LIBS, dirs_exist_ok=True)
    return True


def _target() -> str:
    system, _, machine = sysconfig.get_platform().rpartition("-")
    return TARGETS[f"{system.split('-')[0]}-{machine}"]


def _run(command: list[str], *, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(source_epoch())}
    done = subprocess.run(
        command, cwd=EXTENSION, env=environment, capture_output=True, text=True, check=False
    )
    if check and done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done


if __name__ == "__main__":
    main()
