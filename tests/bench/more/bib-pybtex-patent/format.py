"""Format the entries of a file in the style of BibTeX's unsrt: format.py FILE."""

import io
import sys

from pybtex.database import parse_file
from pybtex.plugin import find_plugin

style = find_plugin("pybtex.style.formatting", "unsrt")()
bibliography = style.format_bibliography(parse_file(sys.argv[1], bib_format="bibtex"))
find_plugin("pybtex.backends", "text")().write_to_stream(bibliography, io.StringIO())
