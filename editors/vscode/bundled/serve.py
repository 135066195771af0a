"""Starts the server that came with the extension.

Its packages are put in front of the module search path here and not by PYTHONPATH, which the
oracles would inherit: they are to see the user's own Python.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent / "libs")

from pollard_server.server import main  # noqa: E402 (the path comes first)

if __name__ == "__main__":
    main(prog_name="pollard-server")
