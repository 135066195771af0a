"""Neovim, driven through its own API with real keys, and its real screen read."""
