"""The client: the editor at the other end of the connection.

Editors differ in their capabilities and in how they announce them; this package hides that from
the rest of the server. Everything is sent from the event loop's thread; other threads post
their calls to it.

In reading order:

- `connection`: the editor's capabilities, and how to send messages, questions and edits to it.
- `open_documents`: each open document's name, language, text and records.
- `reporting`: progress bars and figures, at a rate that an editor can follow.

`jobs` and the top level import this package. It imports `protocol`, `configuration`, `records` and
`streaming`.
"""
