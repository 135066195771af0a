"""Tests of the Visual Studio Code extension in a real editor: code-server, driven by Chromium."""
