"""Settings of the site: `sphinx-build -W -c docs . build/site` builds it from the pages.

The source directory is the repository, so that a link between two pages is the same here and on GitHub.
The table of contents is here and not in docs/index.md, where GitHub would show it as code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pollard

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Pollard"
author = "The Pollard developers"
release = pollard.__version__
html_title = f"Pollard {release}"

extensions = ["myst_parser"]
include_patterns = ["docs/**", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md"]
exclude_patterns = [".*", "build", "core", "dist", "editors", "server", "tests"]
root_doc = "docs/index"
myst_heading_anchors = 4  # the depth of the headings that links may lead to

html_theme = "furo"
html_extra_path = ["site"]  # index.html, which leads to docs/index.html
html_copy_source = False
html_show_copyright = False
smartquotes = False  # they make a dash of the -- before an option

CONTENTS = {
    "Use Pollard": [
        "README",
        "docs/using",
        "docs/projects",
        "docs/large",
        "docs/editors/index",
        "docs/pipelines",
        "docs/reports",
        "docs/cluster",
    ],
    "Set up oracles": [
        "docs/oracles",
        "docs/diagnostics",
        "docs/warm",
        "docs/settings",
        "docs/security",
    ],
    "Reference": ["docs/api", "examples/README", "docs/server", "CHANGELOG"],
    "How it works": [
        "docs/algorithms",
        "docs/search-options",
        "docs/comparison",
        "docs/benchmarks",
        "docs/ablation",
        "docs/scaling",
        "docs/architecture",
    ],
    "Contribute": ["CONTRIBUTING"],
}
TITLES = {"README": "Five-minute tour </README>"}
EDITORS = ("vscode", "neovim", "emacs", "sublime", "coc", "helix", "kate", "zed")


def setup(app: Sphinx) -> None:
    """Let the page of contents have its tables."""
    app.connect("source-read", _add_contents)


def _add_contents(_: Sphinx, page: str, source: list[str]) -> None:
    if page == root_doc:
        source[0] += "".join(_toctree(*part) for part in CONTENTS.items())
    elif page == "docs/editors/index":
        source[0] += _toctree("Editors", [f"docs/editors/{editor}" for editor in EDITORS])


def _toctree(caption: str, pages: list[str]) -> str:
    listed = "\n".join(TITLES.get(page, f"/{page}") for page in pages)
    return f"\n```{{toctree}}\n:caption: {caption}\n:hidden:\n\n{listed}\n```\n"
