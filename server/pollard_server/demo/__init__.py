"""The demo behind `pollard demo`: a small editor in which the real server reduces a failing script.

It needs no file, no settings and no editor, and shows what users of real editors see.

In reading order:

- `script`: the bundled script `orders.py.txt`, its oracle, and the temporary folder for both.
- `editor`: plays the editor. It starts the server in a process of its own, opens the script, runs
  `pollard.reduce`, consents, applies the server's edits, and reports what happens as news.
- `show`: prints the news line by line, or draws them live in a terminal, and sums up.

Only the command line imports this package; it imports `protocol`, `text` and `trust`.
"""

from pollard_server.demo.show import run

__all__ = ["run"]
