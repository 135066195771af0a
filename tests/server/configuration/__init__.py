"""Tests of documents' settings, from files and editors, and of the messages about mistakes."""
