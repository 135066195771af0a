"""Minify a page with its scripts and styles: minify.py FILE."""

import sys
from pathlib import Path

import minify_html

minify_html.minify(Path(sys.argv[1]).read_text(encoding="utf-8"), minify_js=True, minify_css=True)
