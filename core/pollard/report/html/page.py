"""The page: its head with the policy, the sections in order, and the script."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING

from pollard import __version__
from pollard.report.html.charts import charts
from pollard.report.html.elements import paragraph, section, shown_text
from pollard.report.html.sections import (
    comparison_section,
    facts_section,
    failure_section,
    others_section,
    passes_section,
    result_section,
)
from pollard.report.html.stepping import stepping

if TYPE_CHECKING:
    from pollard.report.report_model import Report


def page(report: Report) -> str:
    """Return the report as one HTML page."""
    style, script = _bundled("style.css"), _bundled("stepping.js")
    title = shown_text(f"{report.name}: reduced by Pollard")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Pollard {__version__}">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
<header>
<h1>{shown_text(report.name)}</h1>
{paragraph(report.summary)}
{paragraph(report.state) if report.state else ""}
</header>
<main>
{_sections(report)}
</main>
<footer>
{paragraph(f"Made by Pollard {__version__}.")}
</footer>
<script>{script}</script>
</body>
</html>
"""


def _sections(report: Report) -> str:
    sections = [
        result_section(report),
        failure_section(report),
        facts_section(report),
        section("curves", "Size over runs and time", charts(report)),
        passes_section(report),
        others_section(report),
        section("steps-section", "Accepted steps", stepping(report), printed=False),
        comparison_section(report),
    ]
    return "\n".join(part for part in sections if part)


def _bundled(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the hash of an inline style or script for the policy of the page."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
