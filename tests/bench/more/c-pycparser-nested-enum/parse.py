"""Parse a file of preprocessed C: parse.py FILE."""

import sys
from pathlib import Path

from pycparser import CParser

CParser().parse(Path(sys.argv[1]).read_text(encoding="utf-8"), sys.argv[1])
