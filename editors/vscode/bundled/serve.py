"""Starts the server that came with the extension.

Its packages are put in front of the module search path here and not by PYTHONPATH, which the
oracles would inherit: they are to see the user's own Python.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent / "libs")


def tell_version() -> None:
    """Print the version if this Python can load the compiled parts, without loading the rest."""
    import tree_sitter  # noqa: F401, PLC0415 (the only part that differs between Pythons)

    from pollard import __version__  # noqa: PLC0415

    sys.stdout.write(f"pollard-server, version {__version__}\n")


def serve() -> None:
    """Run the server on standard input and output."""
    from pollard_server.server import main  # noqa: PLC0415 (too slow for a mere question)

    main(prog_name="pollard-server")


if __name__ == "__main__":
    tell_version() if sys.argv[1:] == ["--version"] else serve()
