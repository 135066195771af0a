"""Load a file with its comments: load.py FILE."""

import sys
from pathlib import Path

from ruamel.yaml import YAML

YAML().load(Path(sys.argv[1]).read_text(encoding="utf-8"))
