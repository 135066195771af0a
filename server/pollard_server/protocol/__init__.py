"""The protocol between the server and an editor, as far as it goes beyond LSP itself.

`arguments` and `results` describe what each command takes and returns, `notifications` the server's
own notifications; the tables of `docs/server.md` are made of their docstrings. `conversion` reads
and writes their JSON. `pygls_server` adapts pygls.
"""
