"""Runs on the original before a reduction: what they showed, and what to change.

Modules, in reading order:

    remedies     changes of the command that may make a flaky failure certain
    flakiness    how often a text fails; k of n runs that suit a rate
    hints        what to change in an oracle that the original did not satisfy
    check        the runs: interesting or flaky? which timeout?
    overhearing  a run that tells what a silent script reads
    asking       the names in a list of calls for which an oracle asks
"""
