"""Tests of the minimisers of lists and mappings."""
