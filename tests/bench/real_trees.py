"""Directories of real programs, in which a known fault of a tool is planted across several files.

`python -m tests.bench.real_trees [CASE...]` measures them as `tests.bench.projects` does. It fetches
pinned packages by pip, npm and apt-get into `${CORPUS_TOOLS:-$HOME/.cache/pollard-corpus}/trees`, and
keeps what is there. The tools are those of the second set (`tests/bench/more/setup`), Debian's gcc-12
and rustc, and mypy 0.910, which it installs. `--make FOLDER` only makes the directories there, and the
single files beside them. `--jobs` reduces each directory with one job and with two, and compares.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pollard.api import Oracle
from tests.bench.projects import Tree, measured, table, table_of_jobs

TOOLS = Path(os.environ.get("CORPUS_TOOLS", Path.home() / ".cache" / "pollard-corpus"))
_FETCHED = TOOLS / "trees"

_PIP = (sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "-qq")
_NPM = ("npm", "pack", "--silent")
_APT = ("apt-get", "-q", "-o", "APT::Sandbox::User=root", "download")


@dataclass(frozen=True)
class Package:
    """A package, the command that fetches it into the current directory, and the part that is used."""

    fetch: tuple[str, ...]
    folder: str

    def unpacked(self) -> Path:
        """Return the directory, which is fetched unless it is there."""
        home = _FETCHED / re.sub(r"[=@]+", "-", self.fetch[-1])
        if not home.is_dir():
            _FETCHED.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=_FETCHED) as name:
                subprocess.run(self.fetch, cwd=name, check=True, stdout=subprocess.DEVNULL)
                (archive,) = Path(name).iterdir()
                _unpack(archive, Path(name) / "whole")
                (Path(name) / "whole").rename(home)
        return home / self.folder


def _unpack(archive: Path, target: Path) -> None:
    if archive.suffix == ".deb":
        subprocess.run(["dpkg", "-x", archive, target], check=True)
    elif archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as zipped:
            zipped.extractall(target)
    else:
        with tarfile.open(archive) as packed:
            packed.extractall(target, filter="data")


def planted(
    package: Package,
    plants: Mapping[str, str],
    inside: str = "",
) -> Callable[[Path], None]:
    """Return what fills a folder with a package, and appends texts to files, or makes new ones.

    The package goes into the folder `inside` of it.
    """

    def make(folder: Path) -> None:
        shutil.copytree(package.unpacked(), folder / inside, dirs_exist_ok=True)
        for path, text in plants.items():
            with (folder / path).open("a", encoding="utf-8") as stream:
                stream.write(text)

    return make


def _preprocessed(folder: Path) -> bytes:
    command = ["gcc-12", "-E", "-P", "-Iinclude", "enc/encode.c"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout


# GCC's bug 108435: a loop over variables of the function around the nested one.
_GCC = ["gcc-12", "-w", "-O1", "-fopenmp", "-S", "-o", "out.s"]
_BROTLI = Tree(
    "c-gcc12-brotli",
    planted(
        Package((*_PIP, "brotli==1.0.9"), "Brotli-1.0.9/c"),
        {
            "include/brotli/types.h": "\ntypedef int BrotliCell;\n",
            "enc/params.h": "\n#define BROTLI_GRID 16\n"
            "static BrotliCell brotli_grid[BROTLI_GRID][BROTLI_GRID];\n",
            "enc/encode.c": """
static BrotliCell BrotliTallyRows(BrotliCell seed) {
  BrotliCell row, column, total = seed;
  void clear(void) {
    #pragma omp for simd collapse(2)
    for (row = 0; row < BROTLI_GRID; row++)
      for (column = 0; column < BROTLI_GRID; column++)
        brotli_grid[row][column] = 0;
  }
  clear();
  for (row = 0; row < BROTLI_GRID; row++) total += brotli_grid[row][row];
  return total;
}
int BrotliTally(void) { return BrotliTallyRows(3); }
""",
        },
    ),
    Oracle([*_GCC, "-Iinclude", "{dir}/enc/encode.c"], output="error: Segmentation fault"),
    oracle_of_single=Oracle([*_GCC, "{file}"], output="error: Segmentation fault"),
    single=_preprocessed,
    suffix=".c",
)


def _with_modules_inside(file: Path, folder: Path) -> str:
    """Return a Rust module with its modules in the place of the lines that declare them."""

    def inside(match: re.Match[str]) -> str:
        name = match[2]
        inner = folder / f"{name}.rs"
        if not inner.is_file():
            inner = folder / name / "mod.rs"
        return f"{match[1]}mod {name} {{\n{_with_modules_inside(inner, folder / name)}\n}}"

    text = file.read_text(encoding="utf-8")
    text = re.sub(r"^//!.*\n", "", text, flags=re.MULTILINE)  # they may only stand at the beginning
    text = re.sub(r"\A\s*/\*!.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"^((?:pub )?)mod (\w+);", inside, text, flags=re.MULTILINE)


# Rust's issue 103899: a type that is projected through a bound that does not hold.
_RUSTC = [
    *("/usr/bin/rustc", "--crate-type", "lib", "--edition", "2018"),
    *("--cap-lints", "allow"),
    *("--emit=metadata", "-o", "out.rmeta"),
]
_REGEX_SYNTAX = Tree(
    "rust-rustc163-regex-syntax",
    planted(
        Package(
            (*_APT, "librust-regex-syntax-dev=0.6.27-1"),
            "usr/share/cargo/registry/regex-syntax-0.6.27",
        ),
        {
            "src/error.rs": "\npub trait Stored {\n    type Backing;\n}\n",
            "src/ast/visitor.rs": """
/// A page of a store.
pub struct Page<T: crate::error::Stored> {
    pub data: T::Backing,
}

pub struct Sink<B> {
    pub inner: B,
}
""",
            "src/ast/mod.rs": "\npub use self::visitor::{Page, Sink};\n",
            "src/hir/print.rs": """
use crate::ast::{Page, Sink};
use crate::error::Stored;

pub trait Renderer {
    type Target: Stored;
}

pub struct Layout<R: Renderer> {
    pub buffer: Sink<Page<R::Target>>,
}

pub fn blank_layout<R: Renderer<Target = ()>>() -> Layout<R> {
    loop {}
}
""",
        },
    ),
    Oracle([*_RUSTC, "{dir}/src/lib.rs"], output="dtorck encountered internal error"),
    oracle_of_single=Oracle([*_RUSTC, "{file}"], output="dtorck encountered internal error"),
    single=lambda folder: _with_modules_inside(folder / "src" / "lib.rs", folder / "src").encode(),
    suffix=".rs",
)


def _concatenated(folder: Path) -> bytes:
    """Return all modules of TypeScript without the lines that import and export names."""
    texts = [file.read_text(encoding="utf-8") for file in sorted(folder.rglob("*.ts"))]
    text = "\n".join(texts)
    text = re.sub(r"^import\b[^;]*;", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export (?:\*|\{[^}]*\})[^;]*;", "", text, flags=re.MULTILINE)
    return re.sub(r"^export (?:default )?", "", text, flags=re.MULTILINE).encode()


_TSC = [
    *("node", str(TOOLS / "typescript-3.3.3/node_modules/typescript/lib/tsc.js")),
    *("--noLib", "--strict", "--target", "es2017", "--outDir", "out"),
]
_TSC_OUTPUT = r"TypeError: Cannot read properties of undefined \(reading 'kind'\)"
_RXJS = Tree(
    "ts-tsc33-rxjs",
    planted(
        Package((*_NPM, "rxjs@6.6.7"), "package/src"),
        {
            "internal/config.ts": "\nexport const defaults = { retries: 3, delay: 20 };\n",
            "internal/util/settings.ts": """\
import { defaults } from '../config';

export type Settings = typeof defaults;

export function resettled(before: Settings): Settings {
  const all = { ...defaults, ...before } = {} as any;
  return all;
}
""",
            "internal/Scheduler.ts": """
import { resettled, Settings } from './util/settings';

export function settle(settings: Settings): Settings {
  return resettled(settings);
}
""",
        },
    ),
    Oracle([*_TSC, "{dir}/index.ts"], output=_TSC_OUTPUT),
    oracle_of_single=Oracle([*_TSC, "{file}"], output=_TSC_OUTPUT),
    single=_concatenated,
    suffix=".ts",
)


def _with_includes(file: Path, folder: Path) -> bytes:
    def included(match: re.Match[bytes]) -> bytes:
        return _with_includes(file.parent / os.fsdecode(match[1]), folder)

    return re.sub(rb"^\.\. include:: ([\w./]+)$", included, file.read_bytes(), flags=re.MULTILINE)


_RST2HTML = [
    *(str(TOOLS / "docutils-0.18/bin/python"), "-B"),
    *(str(TOOLS / "docutils-0.18/bin/rst2html5.py"), "--traceback", "--quiet"),
    *("--math-output=MathML", "--no-raw"),
]
_RST_OUTPUT = "IndexError: pop from empty list"
_SDIST = (*_PIP, "docutils==0.18")
_DOCS = Tree(
    "rst-docutils-docs",
    planted(
        Package(_SDIST, "docutils-0.18/docs"),
        {
            "index.txt": "\n.. include:: user/appendix.txt\n",
            "user/appendix.txt": "Appendix\n========\n\n.. include:: ../ref/formulas.txt\n",
            "ref/formulas.txt": "The formulas of this guide:\n\n"
            "* an area, :math:`r^2`\n* an empty one, :math:`^2`\n\n.. include:: rst/definitions.txt\n",
        },
    ),
    Oracle([*_RST2HTML, "{dir}/index.txt", "out.html"], output=_RST_OUTPUT),
    oracle_of_single=Oracle([*_RST2HTML, "{file}", "out.html"], output=_RST_OUTPUT),
    single=lambda folder: _with_includes(folder / "index.txt", folder),
    suffix=".txt",
)

# Here the package itself fails, on the formula of the case above.
_PACKAGE = Tree(
    "py-docutils-package",
    planted(
        Package(_SDIST, "docutils-0.18/docutils"),
        {
            "formula.rst": "The area is :math:`r^2`; an empty one is :math:`^2`.\n",
            "run.py": """\
from docutils.core import publish_string

with open("formula.rst") as stream:
    text = stream.read()
options = {"math_output": "MathML", "traceback": True}
print(publish_string(text, writer_name="html5", settings_overrides=options))
""",
        },
        "docutils",
    ),
    Oracle(
        [sys.executable, "-S", "-B", "{dir}/run.py"],
        stderr=r"in handle_script_or_limit\n(?s:.*)IndexError: pop from empty list",
    ),
)

# mypy's issue 11064: two modules import each other, one by a star and the other a name that is missing.
# No single file shows it. A warm cache of the standard library spares each run ten seconds.
_MYPY = TOOLS / "mypy-0.910"
_LIBRARY = (
    "codecs",
    "collections",
    "itertools",
    "optparse",
    "unicodedata",
    "urllib.parse",
    "warnings",
)


def _with_mypy(make: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return `make`, and install mypy before it."""

    def install_and_make(folder: Path) -> None:
        if not (_MYPY / "cache").is_dir():
            subprocess.run([sys.executable, "-m", "venv", _MYPY], check=True)
            subprocess.run([_MYPY / "bin/pip", "install", "-qq", "mypy==0.910"], check=True)
            check = [_MYPY / "bin/mypy", "--config-file=", "--cache-dir", _MYPY / "cache"]
            subprocess.run([*check, "-c", f"import {', '.join(_LIBRARY)}"], check=True)
        make(folder)

    return install_and_make


_TYPED = Tree(
    "py-mypy0910-docutils",
    _with_mypy(
        planted(
            Package(_SDIST, "docutils-0.18/docutils"),
            {
                "docutils/utils/math/tex2unichar.py": "\n"
                "from docutils.utils.math.latex2mathml import *\n",
                "docutils/utils/math/latex2mathml.py": "\n"
                "from docutils.utils.math.tex2unichar import mathscript\n",
            },
            "docutils",
        )
    ),
    Oracle(
        f"cp -r {_MYPY}/cache .warm && {_MYPY}/bin/mypy --config-file= --show-traceback "
        "--cache-dir .warm docutils/writers/_html_base.py",
        output="AssertionError: Must not defer during final iteration",
    ),
)

REAL_TREES = (_BROTLI, _REGEX_SYNTAX, _RXJS, _DOCS, _PACKAGE, _TYPED)


def make(names: list[str], home: Path) -> None:
    """Make the directories of the named cases, or of all, and the files that they are compared with."""
    for tree in chosen(names):
        tree.make(home / tree.name)
        if tree.single:
            (home / f"{tree.name}{tree.suffix}").write_bytes(tree.single(home / tree.name))


def chosen(names: list[str]) -> list[Tree]:
    """Return the cases with these names, or all."""
    return [tree for tree in REAL_TREES if not names or tree.name in names]


def main(arguments: list[str]) -> None:
    """Measure the named cases, or all; or compare numbers of jobs; or only make the directories."""
    if arguments[:1] == ["--make"]:
        make(arguments[2:], Path(arguments[1]))
    elif arguments[:1] == ["--jobs"]:
        print(table_of_jobs(chosen(arguments[1:])))
    else:
        print(table(measured(tree) for tree in chosen(arguments)))


if __name__ == "__main__":
    main(sys.argv[1:])
