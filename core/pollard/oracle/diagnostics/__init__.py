"""Diagnostics: what a linter, type checker or compiler reports about a file.

An oracle can ask for a diagnostic, such as `ruff:F821`, instead of a pattern in the output. Then a run
is interesting if the tool still reports it.

Modules, in reading order:

    tools            the known tools, from `tools.toml`: their commands, and how their output is read
    reported         the diagnostics in what a run printed
    protocol_diagnostics  those of language servers and editors, as output
    wanted           a diagnostic that must be reported; its text is "TOOL:CODE MESSAGE"
    server_request   a request that a language server gets instead of being asked for diagnostics
    surroundings     the files that configure a tool, in the same places as around the original

`pollard.oracle.criteria` and `command`, the executors, the settings and the command line import this
room. It imports `signature`, `verdict` and `variable_parts` of `pollard.oracle` only.
"""
