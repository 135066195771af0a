"""Tests of the plugin in a real Neovim: they press real keys through its API and read its screen."""
