"""The three places that compiled grammars come from; the first that has a language wins.

1. *wheel*: a package for one language, such as `tree_sitter_c`. Newest grammars, with their queries.
2. *pack*: `tree_sitter_language_pack` before 1.0, one wheel with many grammars. Always installed.
3. *languages*: `tree_sitter_languages` 1.10. Its own interface fails on tree-sitter 0.22 and later,
   which takes capsules instead of the path of a library. Its grammars still work once their pointers
   are wrapped in capsules, which this module does.

Whether a grammar exists is read from file names. No grammar is imported before `Grammar.load`.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pollard.errors import PollardError
from pollard.syntax.grammars.language_facts import canonical, grammar_name

if TYPE_CHECKING:
    import ctypes
    from collections.abc import Callable, Iterable

    from tree_sitter import Language


_PACK_MODULE = "tree_sitter_language_pack"
_LANGUAGES_MODULE = "tree_sitter_languages"
_LIBRARY_SUFFIXES = frozenset({".so", ".pyd", ".dylib", ".dll"})

# Wheels that export several grammars, or one under another name than `language`.
_EXPORTS = {
    "tree_sitter_csv": {"csv": "language_csv", "psv": "language_psv", "tsv": "language_tsv"},
    "tree_sitter_fsharp": {"fsharp": "language", "fsharp_signature": "language_signature"},
    "tree_sitter_markdown": {"markdown": "language", "markdown_inline": "inline_language"},
    "tree_sitter_ocaml": {
        "ocaml": "language_ocaml",
        "ocaml_interface": "language_ocaml_interface",
    },
    "tree_sitter_php": {"php": "language_php"},
    "tree_sitter_typescript": {
        "typescript": "language_typescript",
        "typescriptreact": "language_tsx",
    },
    "tree_sitter_xml": {"xml": "language_xml", "dtd": "language_dtd"},
}
_EXPORTING_WHEEL = {name: module for module, names in _EXPORTS.items() for name in names}
_C_NAMES = {"csharp": "c_sharp", "embeddedtemplate": "embedded_template"}

# The grammars in tree_sitter_languages 1.10, whose library cannot list what it exports.
_GRAMMARS_IN_LANGUAGES = """
    bash c c_sharp commonlisp cpp css dockerfile dot elisp elixir elm embedded_template erlang
    fixed_form_fortran fortran go gomod hack haskell hcl html java javascript jsdoc json julia
    kotlin lua make markdown objc ocaml perl php python ql r regex rst ruby rust scala sql
    sqlite toml tsq tsx typescript yaml
"""


class GrammarError(PollardError):
    """A grammar is installed but cannot be loaded; the message names its package and the reason."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """An installed compiled grammar, loaded on demand.

    `name` is the canonical id of its language. `package` and `version` identify the distribution;
    `module` and `symbol` locate the function in it that returns the grammar. `borrowed` says that it is
    that of the language's relative.
    """

    name: str
    source: Literal["wheel", "pack", "languages"]
    package: str
    version: str
    module: str
    symbol: str
    borrowed: bool = False

    def load(self) -> Language:
        """Return the grammar, one object per process. Raises `GrammarError` if it does not load."""
        try:
            return _load(self.module, self.symbol)
        except (ImportError, OSError, AttributeError, TypeError, ValueError) as error:
            message = (
                f"the {self.name} grammar of {self.package} {self.version} cannot be loaded "
                f"({error}); install another version of {self.package}"
            )
            raise GrammarError(message) from error

    @property
    def language(self) -> Language:
        """The loaded grammar. Raises `GrammarError` if it does not load."""
        return self.load()

    def problem(self) -> str | None:
        """Load the grammar and return why that fails, or None."""
        try:
            self.load()
        except GrammarError as error:
            return str(error)
        return None


@dataclass(frozen=True, slots=True)
class Source:
    """A place that grammars come from: `names` lists canonical ids, `get` finds one grammar or None."""

    names: Callable[[], Iterable[str]]
    get: Callable[[str], Grammar | None]


def folder(module: str) -> Path | None:
    """Return the directory of an installed top-level package without importing it, or None."""
    try:
        spec = importlib.util.find_spec(module)
    except ValueError:  # the module has no spec: it is not the package of a grammar
        return None
    paths = list(spec.submodule_search_locations or ()) if spec else []
    return Path(paths[0]) if paths else None


def _wheel(name: str) -> Grammar | None:
    stem = _C_NAMES.get(name, grammar_name(name).replace("-", "_"))
    module = _EXPORTING_WHEEL.get(name, f"tree_sitter_{stem}")
    directory = folder(module) if module.isidentifier() else None
    if directory is None or not any(map(_is_library, directory.glob("*binding*.*"))):
        return None
    symbol = _EXPORTS.get(module, {}).get(name, "language")
    return _grammar(name, "wheel", module, module, symbol)


def _wheel_names() -> Iterable[str]:
    for module in pkgutil.iter_modules():
        if module.name.startswith("tree_sitter_"):
            names = _EXPORTS.get(module.name, [canonical(module.name.removeprefix("tree_sitter_"))])
            yield from (name for name in names if _wheel(name))


def _pack(name: str) -> Grammar | None:
    directory = folder(_PACK_MODULE)
    stem = grammar_name(name)
    if directory is None or not stem.isidentifier():
        return None
    if not any(map(_is_library, directory.glob(f"bindings/{stem}.*"))):
        return None
    return _grammar(name, "pack", _PACK_MODULE, f"{_PACK_MODULE}.bindings.{stem}", "language")


def _pack_names() -> Iterable[str]:
    directory = folder(_PACK_MODULE)
    files = directory.glob("bindings/*") if directory else ()
    return [canonical(file.name.split(".")[0]) for file in files if _is_library(file)]


def _languages(name: str) -> Grammar | None:
    symbol = _languages_symbols().get(name)
    if symbol is None or folder(_LANGUAGES_MODULE) is None:
        return None
    return _grammar(name, "languages", _LANGUAGES_MODULE, _LANGUAGES_MODULE, symbol)


def _languages_names() -> Iterable[str]:
    return _languages_symbols() if folder(_LANGUAGES_MODULE) else ()


@cache
def _languages_symbols() -> dict[str, str]:
    return {canonical(name): f"tree_sitter_{name}" for name in _GRAMMARS_IN_LANGUAGES.split()}


WHEELS = Source(_wheel_names, _wheel)
PACK = Source(_pack_names, _pack)
LANGUAGES = Source(_languages_names, _languages)
SOURCES = (WHEELS, PACK, LANGUAGES)


def _is_library(file: Path) -> bool:
    return file.suffix in _LIBRARY_SUFFIXES


def _grammar(
    name: str, source: Literal["wheel", "pack", "languages"], package: str, module: str, symbol: str
) -> Grammar:
    distribution = package.replace("_", "-")
    return Grammar(name, source, distribution, _version(distribution), module, symbol)


@cache
def _version(distribution: str) -> str:
    # Slow to import, and not needed to find out whether a grammar exists.
    from importlib import metadata  # noqa: PLC0415

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "unknown"


@cache
def _load(module: str, symbol: str) -> Language:
    import tree_sitter  # noqa: PLC0415 (not needed to find grammars)

    exporter: Any = (
        _languages_library() if module == _LANGUAGES_MODULE else importlib.import_module(module)
    )
    pointer = getattr(exporter, symbol)()
    # The library of tree_sitter_languages and old wheels return an address, newer wheels a capsule.
    language = tree_sitter.Language(_capsule(pointer) if isinstance(pointer, int) else pointer)
    # Check here: `Language` accepts any version, and only `Parser` would refuse it later.
    oldest, newest = tree_sitter.MIN_COMPATIBLE_LANGUAGE_VERSION, tree_sitter.LANGUAGE_VERSION
    if not oldest <= language.abi_version <= newest:
        message = (
            f"its format is version {language.abi_version}, and the installed tree-sitter takes "
            f"{oldest} to {newest}"
        )
        raise ValueError(message)
    return language


@cache
def _languages_library() -> ctypes.CDLL:
    import ctypes  # noqa: PLC0415 (not needed to find grammars)

    directory = folder(_LANGUAGES_MODULE)
    files = sorted(directory.glob("languages.*")) if directory else []
    if not files:
        message = "its library of grammars is missing"
        raise OSError(message)
    library = ctypes.CDLL(str(files[0]))
    for symbol in _languages_symbols().values():
        getattr(
            library, symbol
        ).restype = ctypes.c_void_p  # the default, int, truncates the address
    return library


def _capsule(pointer: int) -> object:
    import ctypes  # noqa: PLC0415 (not needed to find grammars)

    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(pointer, _CAPSULE_NAME, None)


# A capsule stores this pointer without copying the bytes, so they must live as long as the process.
_CAPSULE_NAME = b"tree_sitter.Language"
