"""Pollard's tests: one folder for each part of the house, and the suites that need the corpus."""
