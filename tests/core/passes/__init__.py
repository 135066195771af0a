"""Tests of the passes and strategies."""
