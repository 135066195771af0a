"""Reports of a reduction to attach to a bug report: one model, a page in HTML and a text in Markdown.

A reduction leaves its texts in the journal, each with what it had cost by then. Beside them is
`report.json`, an *account*: what a report says besides the texts, such as the command and the
versions. So a report can be made while the terminal or the editor is still open, or long after.

In reading order:

- `account`: `report.json`, which the reduction writes at its start and at its end
- `report_model`: what both writers read
- `journal_report`: from a journal to the model
- `kept_files`, `project_report`: the same for a directory or several files
- `finding`: the reductions on this machine that can have a report
- `text_changes`: the differences of two texts, within bounds
- `printable`: bytes as characters that are safe to show
- `markdown`: the text for an issue tracker
- `html`: a room of its own: the page

`pollard.reduction` imports `account` alone, and `pollard.project` also `kept_files`; the command line
and the server import the rest.
"""
