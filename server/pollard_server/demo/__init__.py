"""The demo behind `pollard demo`: a small editor in which the real server reduces a failing script.

`editor` starts the server in a process of its own and plays the editor: it opens the script
(`script`), runs `pollard.reduce`, consents and applies the server's edits. What it sees goes as
news to `show`, which prints it or draws it live.
"""

from pollard_server.demo.show import run

__all__ = ["run"]
