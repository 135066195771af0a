"""The Visual Studio Code extension in the real editor: code-server, driven through Chromium."""
