"""The parts of a printed line that change from run to run, or from candidate to candidate."""

from __future__ import annotations

import re

COLOUR = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)")

# What changes in a line, and an expression that finds it in another run, in order.
VARIABLE_PARTS = (
    (r"\x1b\[[0-9;]*[A-Za-z]", r"\S*?"),  # a colour
    (r"(?:[A-Za-z]:)?[\w.@~+-]*(?:[/\\][\w.@~+-]+)+", r"\S+"),  # a path
    (r"0[xX][0-9a-fA-F]+", "0[xX][0-9a-fA-F]+"),
    (r"(?<!\w)(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,}(?!\w)", "[0-9a-f]+"),  # a hash
    (r"(?<![\w.])[0-9]+(?:\.[0-9]+)*(?![\w])", r"[\d.]+"),
)

_PLACEHOLDER = "…"
# What also differs between candidates with the same failure: what is quoted, and identifiers.
_QUOTED = (
    r"'(?:[^'\n]|(?<=\w)'(?=\w))*'(?!\w)",
    r'"[^"\n]*"',
    "[`´][^`'´\n]*[`'´]",
    "‘[^’\n]*’",
    "“[^”\n]*”",
)
_IDENTIFIER = r"(?<![\w$])(?=\w*(?:_|[0-9]|[a-z][A-Z]))[\w$]+(?:(?:\.|::|->)[\w$]+)*"
_WITH_SIGIL = r"(?<![\w@$])[@$][A-Za-z_][\w.$]*"
_LAST_WORD = r"(?<=: )[\w$.]+$"
_GENERALISED = re.compile(
    "|".join(
        [*_QUOTED, *(part for part, _ in VARIABLE_PARTS), _IDENTIFIER, _WITH_SIGIL, _LAST_WORD]
    )
)
# A list or an object that a program prints, such as the part of a document that is wrong. Where its
# texts and numbers are placeholders only its shape is left, which a reduction changes.
_WORD_FOR_VALUE = "None|True|False|null|nil|true|false"
_STRUCTURE = re.compile(
    rf"[\[{{](?:{_PLACEHOLDER}|(?<!\w)(?:{_WORD_FOR_VALUE})(?!\w)|[ ,:=>])*[\]}}]"
)
_UNCLOSED_STRUCTURE = re.compile(r"[\[{][^\]}]*$")
_REPEATED = re.compile(rf"{_PLACEHOLDER}(?:(?:,? (?:or|and) |, ?|[/.:-]| ){_PLACEHOLDER})+")
_MAX_CHARACTERS = 200
# A guess at another name, which depends on all names of the text: `; did you mean ‘x’?`
_SUGGESTION = re.compile(r"[;,.]? \(?(?:did|Did) you (?:mean|forget|want)\b.*", re.DOTALL)

#: What `generalised` leaves out; if it changes, so do the kinds of failures.
GENERALISATION = "|".join(
    each.pattern for each in (_SUGGESTION, _GENERALISED, _STRUCTURE, _UNCLOSED_STRUCTURE)
)


def generalised(message: str) -> str:
    """Return a message with `…` for each part that another candidate may print differently.

    These are numbers, paths, addresses, hashes, quoted text, identifiers (words with an underscore, a
    digit, an inner capital or a sigil, as in `@main`) and a single word at the end after a colon, as in
    Go's `undefined: foo`. Lists of them count as one, and so does a structure of them, such as
    `{'a': [1, 2]}`. A suggestion at the end, as in "; did you mean ‘x’?", is left out. So is all after
    200 characters of the result, since a message may begin with a long text of the document.
    """
    whole = " ".join(_SUGGESTION.sub("", message).split())
    found = _without_structures(_GENERALISED.sub(_PLACEHOLDER, whole))
    if len(whole) > _MAX_CHARACTERS:  # it may have been cut
        found = _UNCLOSED_STRUCTURE.sub(_PLACEHOLDER, found)
    return _REPEATED.sub(_PLACEHOLDER, found)[:_MAX_CHARACTERS].rstrip()


def _without_structures(message: str) -> str:
    """Return a message with `…` for each list or object of placeholders, from the innermost on."""
    count = 1
    while count:
        message, count = _STRUCTURE.subn(_PLACEHOLDER, message)
    return message
