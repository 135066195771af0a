"""Tests of the package in a real Emacs: keys go to its terminal, and its server is queried."""
