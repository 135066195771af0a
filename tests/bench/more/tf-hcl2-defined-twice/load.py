"""Load a configuration: load.py FILE."""

import sys
from pathlib import Path

import hcl2

hcl2.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
