"""Pollard in real editors; `pytest -m editors` runs these, and nothing is skipped."""
