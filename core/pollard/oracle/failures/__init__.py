"""What a failing run was: the exception, crash or diagnostic that its output tells of.

Criteria say when a run counts; its *signature* says which failure it was. A reduction compares each
candidate's signature with the original's, so that a `ValueError` does not end as a `NameError` whose
message happens to contain the word.

Modules, in reading order:

    printed      the failures in a text, by the expressions of `readers.toml`
    selection    the signature of a run: selects the failure that the criteria mean
    comparing    the original's failure, and the others that candidates showed
    places       the lines of the file that the output names

The check of the original, the judge and the executors import this room. It imports
`signature`, `verdict`, `criteria` and `variable_parts` of `pollard.oracle` only.
"""
