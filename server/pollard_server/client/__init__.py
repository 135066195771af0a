"""The client: the editor at the other end, its open documents, and the progress that it shows."""
