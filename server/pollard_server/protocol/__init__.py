"""The protocol between the server and an editor, as far as it goes beyond LSP itself.

Every message is a dataclass whose fields have docstrings; the tables of docs/server.md are made
from them. Editor plugins depend on these messages, so a field is never renamed or given another
meaning.

In reading order:

- `arguments` and `results`: those of each command.
- `notifications`: the server's own messages about reductions and checks.
- `conversion`: reads arguments from JSON and writes results as JSON.
- `pygls_server`: adds to pygls what the protocol needs.
- `incoming`: standard input, and what the log says of messages that cannot be read.

`client`, `jobs`, `demo` and the top level import this package; it imports the data of `records`.
"""
