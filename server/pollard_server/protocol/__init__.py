"""What the server and an editor say to each other beyond LSP itself."""
