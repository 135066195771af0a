"""Texts to be reduced, and what must be true of what is left."""

from __future__ import annotations

#: Interesting with three needles; `$1` is the candidate.
NEEDLES = 'case $(cat "$1") in *needle*needle*needle*) true ;; *) false ;; esac'
SECRET = "confidential"


def lines(count: int = 40, end: str = "\n") -> str:
    """Numbered lines, of which the 6th, 16th and so on have a needle; all have the secret."""
    return "".join(
        f"line {n} {'needle' if n % 10 == 5 else 'of hay'} {SECRET}{end}" for n in range(count)
    )


def python(count: int = 40) -> str:
    """A Python file of assignments, of which every tenth has a needle."""
    return "".join(
        f"value_{n} = ['{'needle' if n % 10 == 5 else 'hay'}', {n}]  # {SECRET}\n"
        for n in range(count)
    )


def json(count: int = 40) -> str:
    """A JSON list of lists, of which every tenth has a needle."""
    rows = (f'  ["{"needle" if n % 10 == 5 else "hay"}", {n}, [{n}, null]]' for n in range(count))
    return "[\n" + ",\n".join(rows) + "\n]\n"


def needles(text: str) -> int:
    return text.count("needle")


def is_subsequence(part: str, whole: str) -> bool:
    """Whether a text is what is left of another after some of its characters were removed."""
    rest = iter(whole)
    return all(character in rest for character in part)
