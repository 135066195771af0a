"""What the runs of an oracle may do outside their directory: a policy that a sandbox enforces."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class SandboxLevel(enum.Enum):
    """How much of the system a run sees and may change.

    - `STRICT`: as `DEFAULT`, but the home directory and the environment are hidden as well
    - `DEFAULT`: a run reads all but known secrets, writes only in its directory, and has no network
    - `OFF`: a run may do whatever the user may
    """

    STRICT = "strict"
    DEFAULT = "default"
    OFF = "off"


def usual_level() -> SandboxLevel:
    """Return the level of oracles that name none: `POLLARD_SANDBOX`, or the default."""
    named = os.environ.get("POLLARD_SANDBOX", "")
    return next((level for level in SandboxLevel if level.value == named), SandboxLevel.DEFAULT)


@dataclass(frozen=True, slots=True)
class SandboxPolicy:
    """What runs may do; the exceptions are those that a user made for an oracle.

    `read` are paths that are shown although the level hides them, and `write` paths that runs may
    change; all are absolute. `network` lets runs reach other machines. `env` names variables that runs
    get although the level hides them.
    """

    level: SandboxLevel = field(default_factory=usual_level)
    read: tuple[Path, ...] = ()
    write: tuple[Path, ...] = ()
    network: bool = False
    env: tuple[str, ...] = ()

    def exceptions(self) -> Iterator[str]:
        """Yield what a run may do although the level forbids it; each follows "it" in a sentence."""
        yield from (f"may change {path}" for path in self.write)
        yield from (f"is shown {path}" for path in self.read)
        yield from (f"gets the variable {name}" for name in self.env)
        if self.network:
            yield "may use the network"
