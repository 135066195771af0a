"""All passes, collected from the modules that declare them.

To add a pass, name its module here; see "Add a pass" in CONTRIBUTING.md. The list is explicit so that
programs which bundle Pollard into one file find the modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pollard.engine.declaration import declared_in
from pollard.passes.coupling import alone, coupled, early, inlining, replacing, window
from pollard.passes.heaviest import descent, heaviest
from pollard.passes.papers import hdd, prioritised
from pollard.passes.reaching import reaching
from pollard.passes.shortening import renaming, tokens, values
from pollard.passes.text import lines, unguarded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pollard.engine.declaration import Pass

_MODULES = (
    *(hdd, prioritised),
    reaching,
    *(descent, heaviest),
    *(alone, coupled, early, inlining, replacing, window),
    *(renaming, tokens, values),
    *(lines, unguarded),
)

#: All passes by name.
PASSES: Mapping[str, Pass] = {
    each.name: each for module in _MODULES for each in declared_in(module)
}
