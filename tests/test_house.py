"""The rooms of the code stay as docs/architecture.md draws them, and each name means one thing."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

_ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = (_ROOT / "core" / "pollard", _ROOT / "server" / "pollard_server")
_MODULES = {
    ".".join(path.relative_to(package.parent).with_suffix("").parts): path
    for package in _PACKAGES
    for path in package.rglob("*.py")
}
_PAGE = (_ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
_CODE_SPANS = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", _PAGE, flags=re.DOTALL))
_PATH = re.compile(r"[\w./-]+/[\w.-]*|[\w-]+\.(?:py|md|toml)")
_CLASS = re.compile(r"([A-Z]\w*[a-z]\w*)(?:\.(\w+))?(?:\(.*\))?")


def _drawn_paths() -> list[str]:
    """The paths in the drawing of the house, of which each level is indented by four blanks."""
    drawing = _PAGE.split("## The house")[1].split("```")[1]
    folders: list[str] = []
    found = []
    for line in drawing.strip("\n").splitlines():
        names, depth = re.split(r" {2,}", line.strip())[0], (len(line) - len(line.lstrip())) // 4
        for name in re.findall(r"[\w./]+(?:/|\.py)(?![\w/])", names):
            folders[depth:] = [name] if name.endswith("/") else folders[depth:]
            found.append("".join([*folders[:depth], name]))
    return found


def _imports(path: Path) -> set[str]:
    """The modules of ours that a module imports at its top level, for type checkers too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.If))]
    found = set()
    for node in (node for block in blocks for node in block if isinstance(node, ast.ImportFrom)):
        names = [f"{node.module}.{alias.name}" for alias in node.names]
        found.update(name if name in _MODULES else str(node.module) for name in names)
    return {name for name in found if name.split(".")[0] in ("pollard", "pollard_server")}


def _room(module: str) -> str:
    """The folder of a module; the module itself beside folders with rooms, such as `errors`."""
    package = module if f"{module}.__init__" in _MODULES else module.rpartition(".")[0]
    folder = _MODULES[f"{package}.__init__"].parent
    return module if any(folder.glob("*/__init__.py")) else package


def test_every_path_in_the_drawing_of_the_house_exists() -> None:
    paths = _drawn_paths()
    assert len(paths) > 40
    assert [path for path in paths if not (_ROOT / path).exists()] == []


@pytest.mark.parametrize("span", sorted({span for span in _CODE_SPANS if _PATH.fullmatch(span)}))
def test_every_path_on_the_page_exists(span: str) -> None:
    assert any((base / span).exists() for base in (_ROOT, *_PACKAGES))


@pytest.mark.parametrize("span", sorted({span for span in _CODE_SPANS if _CLASS.fullmatch(span)}))
def test_every_class_on_the_page_exists_and_has_the_attribute(span: str) -> None:
    match = _CLASS.fullmatch(span)
    assert match
    texts = [path.read_text(encoding="utf-8") for path in _MODULES.values()]
    classes = [
        node
        for text in texts
        if f"class {match[1]}" in text
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ClassDef) and node.name == match[1]
    ]
    assert classes
    attribute = match[2]
    assert attribute is None or any(
        re.search(rf"(def |self\.|^    ){attribute}\b", ast.unparse(each), re.MULTILINE)
        for each in classes
    )


def test_no_two_modules_and_no_two_classes_have_the_same_name() -> None:
    modules = Counter(path.stem for path in _MODULES.values())
    classes = Counter(
        node.name.lstrip("_")
        for path in _MODULES.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    repeated = {name for names in (modules, classes) for name, n in names.items() if n > 1}
    assert repeated <= {"__init__", "__main__"}


def test_no_room_has_more_than_fifteen_modules() -> None:
    rooms = Counter(path.parent for path in _MODULES.values() if path.stem != "__init__")
    assert max(rooms.values()) <= 15


@pytest.mark.parametrize("level", [str, _room], ids=["modules", "rooms"])
def test_imports_form_no_circle(level: Callable[[str], str]) -> None:
    graph: dict[str, set[str]] = {}
    for name, path in _MODULES.items():
        importer = level(name.removesuffix(".__init__"))
        graph.setdefault(importer, set()).update(map(level, _imports(path)))
    outside = {importer: others - {importer} for importer, others in graph.items()}
    list(TopologicalSorter(outside).static_order())


def test_the_tests_need_only_what_the_extra_for_tests_installs() -> None:
    """The drivers of editors are for developers and CI, and a newcomer runs the tests without them."""
    code = (
        "import sys; sys.modules |= dict.fromkeys(('playwright', 'pynvim')); "
        "import pytest; sys.exit(pytest.main(['--co', '-qq', '-n0', '-m', 'editors', 'tests/editors']))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=_ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
