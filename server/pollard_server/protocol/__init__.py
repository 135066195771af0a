"""The protocol between the server and an editor, as far as it goes beyond LSP itself.

Every message is a dataclass, whose fields have docstrings; the tables of docs/server.md are made of
them. Editor plugins depend on these messages, so a field is never renamed or given another meaning.

In reading order:

- `arguments` and `results`: what each command takes and returns.
- `notifications`: what the server sends by itself, about reductions and checks.
- `conversion`: reads arguments from JSON and writes results to it.
- `pygls_server`: adapts pygls.

`client`, `jobs`, `demo` and the top level import this package; it imports the data of `records`.
"""
