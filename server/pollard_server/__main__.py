"""`python -m pollard_server` starts the server, like the `pollard-server` script."""

from __future__ import annotations

from pollard_server.server import main

if __name__ == "__main__":
    main(prog_name="python -m pollard_server")
