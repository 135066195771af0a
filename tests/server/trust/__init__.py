"""Tests of trust: which oracles may run, what the user is asked, and how answers are kept."""
