"""The client: the editor at the other end of the connection.

`connection` knows what the editor can do, and sends to it from any thread. `open_documents` has
what the server knows of each open document. `reporting` shows how far a reduction has come.
"""
