"""Tests of the sandbox: what it is told to do, and what hostile programs can do in it."""
