"""Read a table with its dates and all its types: read.py FILE."""

import sys

import polars

polars.read_csv(sys.argv[1], try_parse_dates=True, infer_schema_length=None)
