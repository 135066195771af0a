"""Compile a document to PDF: compile.py FILE OUTPUT."""

import sys

import typst

typst.compile(sys.argv[1], output=sys.argv[2])
