"""What is around a file in its workspace, for oracles with `around = true`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.oracle.diagnostics.surroundings import Surroundings

if TYPE_CHECKING:
    from pathlib import Path

_PACKAGES = "node_modules"


def around(file: Path, workspace: Path) -> Surroundings:
    """Return links to all that is around a file in the workspace, but for hidden files.

    A file outside of the workspace has only its own directory around it.
    """
    folder, root = file.absolute().parent, workspace.absolute()
    if not folder.is_relative_to(root):
        root = folder
    inside = folder.relative_to(root)
    folders = [root / each for each in (inside, *inside.parents)]
    links = [packages for each in folders if (packages := each / _PACKAGES).is_dir()]
    return Surroundings(root, inside, tuple(links), neighbours=True)
