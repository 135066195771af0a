"""The demo behind `pollard demo`: a small editor in which the real server reduces a failing script.

The demo needs no file, no settings and no editor. It shows what users of real editors see, with the
same server in a process of its own.

In reading order:

- `script`: the bundled script `orders.py.txt`, its oracle, and the temporary folder for both.
- `editor`: plays the editor. It starts the server, opens the script, runs `pollard.reduce`,
  consents, and applies the server's edits. It reports what happens as news.
- `show`: prints the news line by line, or draws them live in a terminal, and sums up.

Only the command line imports this package, when the command runs. It imports `protocol`, `text` and
`trust`, to read and answer what the server sends.
"""

from pollard_server.demo.show import run

__all__ = ["run"]
