"""Run a script of SQL on an empty database: run.py FILE."""

import sys
from pathlib import Path

import duckdb

duckdb.connect(config={"threads": 1}).execute(
    Path(sys.argv[1]).read_text(encoding="utf-8")
).fetchall()
