"""Read a catalogue of messages: read.py FILE."""

import sys
from pathlib import Path

from babel.messages.pofile import read_po

with Path(sys.argv[1]).open("rb") as stream:
    read_po(stream)
