"""The accepted steps as data for the page's script, which shows one at a time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pollard.quantities import count_of, format_duration, format_size
from pollard.report.html.elements import paragraph

if TYPE_CHECKING:
    from pollard.report.report_model import Report

# All differences together, and each of them, in characters.
_MAX_CHARACTERS = 2_000_000
_MAX_STEP_CHARACTERS = 4_000
_MIN_STEP_CHARACTERS = 200

_CONTROLS = """<div id="stepper" hidden>
<p class="controls">
<button type="button" data-move="first">First</button>
<button type="button" data-move="previous" aria-keyshortcuts="ArrowLeft">Previous</button>
<button type="button" data-move="next" aria-keyshortcuts="ArrowRight">Next</button>
<button type="button" data-move="last">Last</button>
<label>Step <input type="range" id="step-number" min="1" value="1" max="{count}"></label>
</p>
<p id="step-facts" aria-live="polite"></p>
<pre class="code" id="step-change" tabindex="0" role="region" aria-label="Change of this step"></pre>
</div>
<p id="without-scripts">Stepping through the changes needs scripts.</p>"""


def stepping(report: Report) -> str:
    """Return the controls, and the steps as JSON that cannot end its element."""
    if not report.steps:
        return paragraph("No candidate was accepted.")
    limit = _MAX_CHARACTERS // len(report.steps)
    limit = max(min(limit, _MAX_STEP_CHARACTERS), _MIN_STEP_CHARACTERS)
    note = (
        f"Each of the {len(report.steps):,} accepted candidates, as its difference from the one "
        f"before: at most about {limit:,} characters of each are on this page. "
        "The keys Left and Right go to the previous and the next one."
    )
    data = json.dumps(_data(report, limit), ensure_ascii=True)
    for char in "<>&":
        data = data.replace(char, f"\\u{ord(char):04x}")
    controls = _CONTROLS.replace("{count}", str(len(report.steps)))
    script = f'<script type="application/json" id="steps">{data}</script>'
    return "\n".join([paragraph(note), controls, script])


def _data(report: Report, limit: int) -> list[tuple[str, str]]:
    """Return for each step its figures and its change."""
    before, data = report.original_bytes, []
    for step, change in zip(report.steps, report.changes(limit), strict=True):
        facts = (
            f"Step {step.number:,} of {len(report.steps):,}: {format_size(before)} → "
            f"{format_size(step.size)} after {count_of(step.runs, 'run')} and "
            f"{format_duration(step.seconds)}, by {step.where or step.pass_name}"
        )
        data.append((facts, change))
        before = step.size
    return data
