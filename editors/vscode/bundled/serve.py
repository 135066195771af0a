"""Starts the server that came with the extension.

It puts the bundled packages in front of the module search path. PYTHONPATH would do the same, but the
oracles would inherit it, and they must run in the user's own environment.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent / "libs")


def print_version() -> None:
    """Print the version if this Python can load the compiled modules, without loading the rest."""
    import tree_sitter  # noqa: F401, PLC0415 (the only part that differs between Pythons)

    from pollard import __version__  # noqa: PLC0415

    sys.stdout.write(f"pollard-server, version {__version__}\n")


def serve() -> None:
    """Run the server on standard input and output."""
    from pollard_server.server import main  # noqa: PLC0415 (too slow for printing the version)

    main(prog_name="pollard-server")


if __name__ == "__main__":
    print_version() if sys.argv[1:] == ["--version"] else serve()
