"""Run the query in a file on an empty graph: query.py FILE."""

import sys
from pathlib import Path

import rdflib

for _ in rdflib.Graph().query(Path(sys.argv[1]).read_text(encoding="utf-8")):
    pass
