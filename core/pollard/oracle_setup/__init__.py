"""Setting up an oracle: from what a user says about a failure to the table of the settings.

A *preset* is a kind of failure (it crashes, it hangs, ...) with the questions that tell enough about
it. The answers make a *trial*, a command that runs on the file at once. What its runs show makes
*proposals*: complete definitions of oracles that hold for the file, each with the failure that it
keeps. If there are none, a sentence says what was seen instead, and nothing is to be saved.

Front ends only ask and show: `pollard init` does so on a terminal, and the language server for
editors. So all of them propose the same. Modules, in reading order:

    presets             the presets, their questions, and trials made of answers
    two_versions        the command that compares what two commands do
    proposing           what the runs of a trial show: proposals, or why there are none
    trying              runs a trial
    writing             the settings file with the oracle in it
    suggested_commands  what is usually run on a file of some language

The command line and the server import this room. It imports `pollard.executors`, `pollard.oracle`,
`pollard.settings`, `pollard.quantities` and `pollard.errors`.
"""
